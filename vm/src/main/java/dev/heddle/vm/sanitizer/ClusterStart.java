package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.CtaStarts;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

/// The start of a CTA whose shared memory a warp of another accesses: that must come before, or the
/// memory may still belong to another.
final class ClusterStart {
    private final Warp warp;

    // By rank, a bit: the CTAs of which all threads of the warp know that they have started.
    private int known;

    ClusterStart(Warp warp) {
        this.warp = warp;
    }

    /// Forgets everything.
    void clear() {
        known = 0;
    }

    /// Lanes must know that a CTA has started.
    void require(Site site, Cta owner, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null || (known >>> owner.rank() & 1) != 0) {
            return;
        }
        int early = early(shadow.order(), (int) owner.index(), lanes);
        if (early != 0) {
            warp.faults()
                    .tell(
                            Rule.ACCESS_TO_UNSTARTED_CTA,
                            site,
                            null,
                            () ->
                                    warp.faults()
                                            .undefined(
                                                    Rule.ACCESS_TO_UNSTARTED_CTA,
                                                    site,
                                                    early,
                                                    "%s accesses shared memory of the CTA of rank %d, which need not have started yet: all of the cluster must come to a barrier before the first access"
                                                            .formatted(
                                                                    site.mnemonic(),
                                                                    owner.rank())));
        } else if (shadow.order().knowSame(warp.index())) {
            known |= 1 << owner.rank();
        }
    }

    /// Whether lanes know that a CTA has started, as far as anybody follows that.
    boolean isKnown(Cta owner, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        return shadow == null
                || (known >>> owner.rank() & 1) != 0
                || early(shadow.order(), (int) owner.index(), lanes) == 0;
    }

    /// The lanes that do not know it.
    private int early(HappensBefore order, int cta, int lanes) {
        int early = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            early |= CtaStarts.knows(order, warp.thread(lane), cta) ? 0 : 1 << lane;
        }
        return early;
    }
}
