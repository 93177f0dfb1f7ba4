/// What a kernel looks like to the executors.
///
/// A [Program] is a PTX module after lowering: its device image and its [Code]s, one per function.
/// A code is a list of [Block]s in reverse post-order of the control flow graph, so that a block's
/// number is a topological rank wherever there is one. A block holds [Step]s that every lane can
/// take without waiting, and ends in one [Exit]: a jump, a branch, a call, or a step at which lanes
/// may have to wait for other lanes (`Synchronize`). [Listing] prints a code.
///
/// ```
/// program  = image code*
/// code     = block*                          block 0 is the entry
/// block    = step* exit
/// step     = compute | special | load | store | atomic | async copy | ...
///            all with an optional guard
/// exit     = jump | branch | indexed branch | call | return | leave | synchronize | trap
/// ```
///
/// **Registers.** Three files by carrier: predicates (one bit a lane, 32 lanes in an `int` mask),
/// words (`int` per lane: 8-, 16- and 32-bit registers, narrower ones zero-extended) and longs
/// (`long` per lane). Register r of lane l is at `words[32 * r + l]`. There are no float
/// registers: bits are bits, and an operation's carriers say how it reads them.
///
/// **Arithmetic** is one kind of step, [Step.Compute], with an [Operation]: its kind, type,
/// rounding and modifiers, as data. One PTX instruction becomes one or several of them:
/// `add.rz.ftz.f32` is two `ftz.f32`, an `add.rz.f32` and an `ftz.f32`. How an operation is
/// computed is no part of the IR: executors bind it to a method of `dev.heddle.vm.semantics`, or to
/// vectors.
///
/// **Divergence** follows the thread frontier: the lanes of a frame that are not running wait in
/// `pending[block]`, one mask a block. Whoever runs goes on while its target is smaller than every
/// waiting block, joins the waiting lanes when it reaches their block, and otherwise parks and lets
/// the smallest waiting block run. As block numbers are topological this reconverges at immediate
/// post-dominators, and uniform control flow costs one comparison. Lanes that spin give way after a
/// slice of instructions, so that all lanes make progress.
///
/// **Waiting.** All state of a warp is in its frames, none on a Java stack: an executor may return
/// at the end of any block and continue later, in either executor. That is how barriers and calls
/// work.
///
/// Worked example: `@%p1 bra L; add.s32 %r1, %r1, 1; L: ret;`
/// ```
/// 0:
///     branch %p1 -> 2 else 1
/// 1:
///     %r1 = add.b32 %r1, 1
///     jump 2
/// 2:
///     return
/// ```
@NullMarked
package dev.heddle.vm.ir;

import org.jspecify.annotations.NullMarked;
