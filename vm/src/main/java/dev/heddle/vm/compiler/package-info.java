/// The compiler from the IR to JVM bytecode.
///
/// A function becomes one hidden class. Its dispatcher holds one case a block: uniform branches are
/// plain jumps, and lanes that part wait in the frame as `dev.heddle.vm.ir` says. Operations
/// without jumps between them become loops over lanes ([LaneLoop]): each takes as many as a vector
/// holds, values between two operations live in locals, and only what is live afterwards is stored
/// to the registers' lane arrays. An operation of `dev.heddle.vm.semantics` that has a method of
/// its name on vectors ([VectorVariants]) runs as vectors; a loop with one that has none takes lane
/// by lane and calls the semantic methods themselves. What is neither, barriers, calls, atomics,
/// goes through the interpreter's methods ([RuntimeCalls]).
///
/// The JIT knows vectors only once it has compiled a method; before, they are slow objects. So
/// every loop goes lane by lane first, and by vectors once it has run often enough to pay for their
/// warm-up. Methods stay below the size beyond which HotSpot compiles none.
///
/// Where a launch of few warps should end soon, a function is interpreted first and compiled beside
/// the launch ([CompileQueue]): its lanes change over at the end of a block.
///
/// On processors with AVX-512, kernels whose arithmetic is known become machine code instead
/// ([MachineCode]), and those in which Java has no part run as whole CTAs. With checks on, the
/// machine code looks at shadow memory itself ([ShadowEmitter]); an access that is not in order at
/// first sight is Java's ([CtaShadow]).
@NullMarked
package dev.heddle.vm.compiler;

import org.jspecify.annotations.NullMarked;
