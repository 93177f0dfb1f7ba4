/// The compiler from the IR to JVM bytecode.
///
/// A function becomes one hidden class. Its dispatcher holds one case a block: uniform branches are
/// plain jumps, and lanes that part wait in the frame as `dev.heddle.vm.ir` says. Straight-line
/// runs of operations become methods over vectors of lanes: a loop takes as many lanes as a vector
/// holds, values between two operations live in locals, and only what is live afterwards is stored
/// to the registers' lane arrays. An operation of `dev.heddle.vm.semantics` that has a method of
/// its name on vectors ([VectorTwins]) runs as vectors; a run with one that has none is a loop over
/// lanes that calls the semantic methods themselves. What is neither, barriers, calls, atomics,
/// goes through the interpreter's methods.
///
/// The JIT knows vectors only once it has compiled a method; before, they are slow objects. So
/// every run goes lane by lane first, and by vectors once it has run often enough to pay for their
/// warm-up. Methods stay below the size beyond which HotSpot compiles none.
@NullMarked
package dev.heddle.vm.compiler;

import org.jspecify.annotations.NullMarked;
