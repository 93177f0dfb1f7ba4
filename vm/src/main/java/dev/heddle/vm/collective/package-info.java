/// What lanes do together: where they meet, and what they compute once all are there.
///
/// Lanes of a warp wait for one another in [WarpSynchronization], warps that multiply together in
/// [Warpgroup]. [WarpUnit] computes shuffles, votes, reductions and matrix products,
/// [WarpgroupUnit] the products of `wgmma`.
@NullMarked
package dev.heddle.vm.collective;

import org.jspecify.annotations.NullMarked;
