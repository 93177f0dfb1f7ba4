/// Following a kernel: which lanes, which registers, instruction by instruction.
///
/// ```
/// TraceFilter filter = TraceFilter.parse("cta=0,0,0 warp=1 lanes=0-3 regs=%r1,%f2");
/// Tracer tracer = new Tracer(filter, kernel.source(), System.out::println);
/// ```
/// A tracer listens to the interpreter, so a launch that is traced runs there.
@NullMarked
package dev.heddle.vm.trace;

import org.jspecify.annotations.NullMarked;
