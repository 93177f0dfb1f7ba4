/// What a launch consists of while it runs: grids, clusters, CTAs, warps, frames.
///
/// A [Grid] is one launch. A [Cluster] has [Cta]s, a CTA its [Warp]s, a warp its [Frame]s. A frame
/// is one activation of a function by some lanes: their registers, and for every block the lanes
/// that wait to run it. All that decides how a launch goes on is in here, and nothing that takes a
/// step of a program: an [Executor] takes lanes at a block and runs them until they wait, call, or
/// end.
///
/// Lanes wait for others of their CTA at a [NamedBarrier], for those of their cluster at a
/// [ClusterBarrier].
@NullMarked
package dev.heddle.vm.state;

import org.jspecify.annotations.NullMarked;
