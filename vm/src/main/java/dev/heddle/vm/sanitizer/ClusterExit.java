package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.ClusterAccesses.Entry;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;

/// The end of a CTA whose cluster may still access its shared memory: what others did there must
/// come before it, or the CTA may as well have ended first.
final class ClusterExit {
    private ClusterExit() {}

    /// All threads of a CTA have ended.
    static void check(Cta cta) {
        SharedShadow shadow = cta.shadow();
        if (shadow == null || shadow.outside().isEmpty() || !cta.grid().checks(RuleGroup.ASYNC)) {
            return;
        }
        Entry late = shadow.outside().afterEnd(32 * cta.warps().length);
        if (late != null) {
            tell(cta, late);
        }
    }

    private static void tell(Cta cta, Entry late) {
        Party party = cta.warps()[0].faults().party(late.cta(), late.thread(), late.site());
        Site site = party.site();
        Cta other = accessor(cta, late);
        // Of an asynchronous operation nobody knows any more who began it.
        boolean isAside = late.thread() >= 32 * other.warps().length;
        int lanes = isAside ? -1 : 1 << late.thread() % 32;
        FindingFactory faults = other.warps()[isAside ? 0 : late.thread() / 32].faults();
        if (site == null) {
            return;
        }
        faults.tell(
                Rule.ACCESS_TO_EXITED_CTA,
                site,
                null,
                () ->
                        faults.fault(
                                Rule.ACCESS_TO_EXITED_CTA,
                                site,
                                lanes,
                                "%s accesses shared memory of the CTA of rank %d, which need not wait for that before it ends: it must stay until all of the cluster have come to a barrier behind their last access"
                                        .formatted(site.mnemonic(), cta.rank())));
    }

    private static Cta accessor(Cta cta, Entry entry) {
        for (int rank = 0; rank < cta.cluster().size(); rank++) {
            Cta other = cta.cluster().cta(rank);
            if (other.index() == entry.cta()) {
                return other;
            }
        }
        throw new IllegalStateException("CTA " + entry.cta() + " is not of the cluster");
    }
}
