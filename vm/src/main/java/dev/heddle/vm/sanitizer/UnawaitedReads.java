package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.AsyncOrder;
import dev.heddle.vm.shadow.CtaStarts;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;

/// The end of a CTA whose shared memory bulk operations may still read. Of stores and reductions
/// only a wait of the thread that began them says that they do not; of copies to another CTA, what
/// a thread that has waited for the mbarrier there hands on.
final class UnawaitedReads {
    private UnawaitedReads() {}

    /// All threads of a CTA have ended.
    static void tell(Cta cta, AsyncOrder operations) {
        operations.unawaited().forEach((thread, site) -> tell(cta, thread, site));
    }

    /// The same of copies to other CTAs. Where threads were told something in no order, nobody
    /// knows whether it was that.
    static void tell(Cta cta, HappensBefore order, LastOperations copies) {
        for (LastOperations.Begun begun : copies.late()) {
            if (!CtaStarts.isUnsure(order)
                    && !cta.cluster().barrier().isRelaxedAfter(begun.phase())) {
                tell(
                        cta,
                        begun.thread(),
                        begun.site(),
                        "%s reads shared memory of its own CTA, which ends without knowing that the mbarrier of the other has counted it: the memory may belong to another by then"
                                .formatted(begun.site().mnemonic()));
            }
        }
    }

    private static void tell(Cta cta, int thread, Site site) {
        tell(
                cta,
                thread,
                site,
                "%s reads shared memory, and %s ends without waiting for it: the CTA's shared memory may belong to another by then"
                        .formatted(
                                site.mnemonic(),
                                cta.warps()[thread / 32]
                                        .faults()
                                        .party(thread, Stamp.NO_SITE)
                                        .name()));
    }

    private static void tell(Cta cta, int thread, Site site, String message) {
        FindingFactory faults = cta.warps()[thread / 32].faults();
        faults.warn(
                Rule.BULK_READ_NOT_AWAITED,
                site,
                null,
                () -> faults.fault(Rule.BULK_READ_NOT_AWAITED, site, 1 << thread % 32, message));
    }
}
