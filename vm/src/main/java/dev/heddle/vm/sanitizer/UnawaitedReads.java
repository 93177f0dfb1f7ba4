package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.AsyncOrder;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;

/// The end of a CTA whose shared memory bulk operations may still read: nothing but a wait of the
/// thread that began them says that they do not.
final class UnawaitedReads {
    private UnawaitedReads() {}

    /// All threads of a CTA have ended.
    static void tell(Cta cta, AsyncOrder operations) {
        operations.unawaited().forEach((thread, site) -> tell(cta, thread, site));
    }

    private static void tell(Cta cta, int thread, Site site) {
        FindingFactory faults = cta.warps()[thread / 32].faults();
        faults.warn(
                Rule.BULK_READ_NOT_AWAITED,
                site,
                null,
                () ->
                        faults.fault(
                                Rule.BULK_READ_NOT_AWAITED,
                                site,
                                1 << thread % 32,
                                "%s reads shared memory, and %s ends without waiting for it: the CTA's shared memory may belong to another by then"
                                        .formatted(
                                                site.mnemonic(),
                                                faults.party(thread, Stamp.NO_SITE).name())));
    }
}
