package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionKind.Proxy;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.ClusterAccesses.Accessor;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

/// The end of a CTA whose cluster may still access its shared memory: what others did there must
/// come before it, or the CTA may as well have ended first.
final class ClusterExit {
    private ClusterExit() {}

    /// All threads of a CTA have ended.
    static void check(Cta cta) {
        SharedShadow shadow = cta.shadow();
        if (shadow == null || !cta.grid().checks(RuleGroup.ASYNC)) {
            return;
        }
        Accessor late = shadow.outside().afterEnd(32 * cta.warps().length);
        if (late != null) {
            Warp by = accessor(cta, late).warps()[late.thread() / 32];
            tell(cta, by, by.faults().party(late.thread(), late.site()));
        }
    }

    private static void tell(Cta cta, Warp by, Party late) {
        Site site = late.site();
        if (site == null) {
            return;
        }
        by.faults()
                .tell(
                        Rule.ACCESS_TO_EXITED_CTA,
                        site,
                        null,
                        () ->
                                by.faults()
                                        .fault(
                                                Rule.ACCESS_TO_EXITED_CTA,
                                                site,
                                                1 << late.thread() % 32,
                                                "%s accesses shared memory of the CTA of rank %d, which need not wait for that before it ends: %s"
                                                        .formatted(
                                                                site.mnemonic(),
                                                                cta.rank(),
                                                                toStay(site)),
                                                endOf(cta, by)));
    }

    /// What makes a CTA stay for an access.
    static String toStay(Site site) {
        if (site.kind() == InstructionKind.MEMORY_BARRIER) {
            return "one of its threads must wait for the phase, or come to a barrier of the cluster"
                    + " behind it";
        }
        return site.kind().proxy() == Proxy.ASYNC || AsideLanes.areOf(site)
                ? "one of its threads must wait for the mbarrier that counts the bytes"
                : "it must stay until all of the cluster have come to a barrier behind their last"
                        + " access";
    }

    /// Where a CTA ended, told beside who accesses its memory.
    static Finding.Note endOf(Cta cta, Warp by) {
        Warp last = cta.warps()[0];
        Party party = by.faults().party((int) cta.index(), 0, Stamp.NO_SITE);
        return new Finding.Note(last.endOf(0), party.name() + " ended here");
    }

    private static Cta accessor(Cta cta, Accessor late) {
        for (int rank = 0; rank < cta.cluster().size(); rank++) {
            Cta other = cta.cluster().cta(rank);
            if (other.index() == late.cta()) {
                return other;
            }
        }
        throw new IllegalStateException("CTA " + late.cta() + " is not of the cluster");
    }
}
