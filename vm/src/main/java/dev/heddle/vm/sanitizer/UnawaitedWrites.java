package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;

/// Copies of a CTA into its own shared memory, which mbarriers count: one of its threads must have
/// waited for each before the CTA ends, or the copy may write what belongs to another by then.
final class UnawaitedWrites {
    private UnawaitedWrites() {}

    /// All threads of the CTA have ended.
    static void tell(Cta cta, LastOperations writes) {
        writes.late().forEach(begun -> tell(cta, begun));
    }

    private static void tell(Cta cta, LastOperations.Begun begun) {
        Site site = begun.site();
        FindingFactory faults = cta.warps()[begun.thread() / 32].faults();
        faults.tell(
                Rule.ACCESS_TO_EXITED_CTA,
                site,
                null,
                () ->
                        faults.fault(
                                Rule.ACCESS_TO_EXITED_CTA,
                                site,
                                1 << begun.thread() % 32,
                                "%s writes shared memory of its own CTA, which ends without waiting for that: %s"
                                        .formatted(site.mnemonic(), ClusterExit.toStay(site)),
                                ClusterExit.endOf(cta, cta.warps()[begun.thread() / 32])));
    }
}
