/// The plain executor, and the warp-wide instructions that both executors share.
///
/// [Interpreter] runs one step after the other as it is written. [WarpUnit] computes what all
/// lanes of a warp compute together: shuffles, votes, reductions, matrix products.
@NullMarked
package dev.heddle.vm.interpreter;

import org.jspecify.annotations.NullMarked;
