package dev.heddle.vm.sanitizer;

import dev.heddle.vm.shadow.GlobalAccess;
import dev.heddle.vm.shadow.GlobalConflicts;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.StrongAccesses;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

/// What is followed of global memory in a launch.
///
/// @param shadow of all its CTAs
/// @param stamps of its accesses
/// @param accesses of one warp
/// @param strong what its CTA hands over, or null where nobody asks
/// @param races whether this run looks for those in global memory
record WatchedGlobal(
        GlobalShadow shadow,
        GlobalStamp stamps,
        GlobalAccess accesses,
        @Nullable StrongAccesses strong,
        boolean races) {
    /// For a warp of a CTA.
    ///
    /// @param own what is known of the CTA
    /// @param definedness that follows the warp's values, or null
    static WatchedGlobal of(
            GlobalShadow shadow, SharedShadow own, Warp warp, @Nullable Definedness definedness) {
        boolean isLookedAtAgain = definedness == null && warp.cta().grid().checksAll();
        return new WatchedGlobal(
                shadow,
                shadow.stamps(),
                new GlobalAccess(shadow, own.order(), isLookedAtAgain),
                shadow.order().isObserved() ? own.order().strong() : null,
                warp.cta().grid().memory().hasGlobal());
    }

    /// A judge of accesses in no order, who has nothing to say where races are not looked for.
    GlobalConflicts.Judge of(GlobalConflicts.Judge judge) {
        return races ? judge : (_, _, _, _, _) -> {};
    }
}
