package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.shadow.TensorMapFences.Write;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntPredicate;

/// What the CTAs of a launch do to hand tensor maps over to tensor copies of others:
/// `fence.proxy.tensormap::generic.release` of a scope that others are in, and
/// `tensormap.cp_fenceproxy` (PTX ISA 9.7.13.4, 9.7.13.16).
final class TensorMapReleases {
    private final boolean followed;
    private final Reach reach;

    // Only where CTAs are followed: then one worker runs them all.
    private final Map<Scope, GlobalFences> fences = new EnumMap<>(Scope.class);

    /// @param followed whether CTAs may come before one another
    TensorMapReleases(boolean followed, Reach reach) {
        this.followed = followed;
        this.reach = reach;
    }

    /// Lanes of a warp release, for threads of a scope.
    ///
    /// @param order of their CTA
    void add(HappensBefore order, int warp, int lanes, Scope scope) {
        if (followed) {
            fences.computeIfAbsent(scope, _ -> new GlobalFences(true)).fence(order, warp, lanes);
        }
    }

    /// Whether a release stands between what a thread of some CTA wrote and what another does now,
    /// whose CTA is of its scope. Where CTAs do not come before one another, that is a race, and
    /// nothing else.
    ///
    /// @param acquired the CTAs whose releases the other has acquired
    /// @param by the order of the CTA of the other
    boolean areBetween(int cta, Write write, IntPredicate acquired, HappensBefore by, int now) {
        if (!followed || by.grid().isTooLarge()) {
            return true;
        }
        for (Map.Entry<Scope, GlobalFences> each : fences.entrySet()) {
            IntPredicate homes =
                    home -> reach.isWithin(home, by.cta(), each.getKey()) && acquired.test(home);
            GlobalFences all = each.getValue();
            if (all.countsAll()
                    || all.before(by, now, homes).areBehind(cta, write.thread(), write.clock())) {
                return true;
            }
        }
        return false;
    }
}
