/// Runs programs: grids, CTAs, warps, their divergence and their meetings.
///
/// A [Grid] is one launch. [Cta]s run on worker threads, each on one at a time; a CTA owns its
/// [Warp]s, a warp its
/// [Frame]s. A frame is one activation of a function by some lanes: their registers, and for
/// every block the
/// lanes that wait to run it. An [Executor] takes lanes that stand at a block and runs them until
/// they wait,
/// call, or end; [Interpreter] is the plain one. [MemoryUnit] and [WarpUnit] do what both
/// executors need done for a
/// whole warp.
///
/// CTAs start in order and give way when their warps only spin, so kernels whose CTAs wait for
/// earlier ones finish.
@NullMarked
package dev.heddle.vm.execution;

import org.jspecify.annotations.NullMarked;
