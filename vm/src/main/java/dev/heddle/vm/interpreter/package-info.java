/// The plain executor, and how both executors send steps to what takes them.
///
/// [Interpreter] runs one step after the other, lane by lane, as it is written. It is the
/// reference: how blocks follow one another, which lanes take a step, how registers are read and
/// written, and every conversion between a register and an operand are its own, and the comparison
/// with the compiler tests them. Scalar methods, memory, calls and warp-wide instructions are
/// shared: for those the comparison says nothing. They are held against recordings of a GPU, exact
/// arithmetic and the expected results of whole kernels instead.
@NullMarked
package dev.heddle.vm.interpreter;

import org.jspecify.annotations.NullMarked;
