/// Who runs when: grids, CTAs, warps, and the lanes of a warp that wait for one another.
///
/// A [Grid] is one launch. [Cta]s run on worker threads, each on one at a time. A CTA owns its
/// [Warp]s, a warp its [Frame]s. A frame is one activation of a function by some lanes: their
/// registers, and for every block the lanes that wait to run it. An [Executor] takes lanes at a
/// block and runs them until they wait, call, or end.
///
/// Lanes of a warp wait for one another in [WarpSynchronization], warps of a CTA at a
/// [NamedBarrier].
///
/// CTAs start in order and give way when their warps only spin, so kernels whose CTAs wait for
/// earlier ones finish.
@NullMarked
package dev.heddle.vm.scheduling;

import org.jspecify.annotations.NullMarked;
