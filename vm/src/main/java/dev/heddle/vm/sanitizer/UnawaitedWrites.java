package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;

import java.util.Map;
import java.util.TreeMap;

/// Copies of a CTA into its own shared memory, which mbarriers count: one of its threads must have
/// waited for each before the CTA ends, or the copy may write what belongs to another by then.
final class UnawaitedWrites {
    private final Cta cta;
    private final HappensBefore order;

    // By the thread that stands for them, the last one: they are over in their order.
    private final Map<Integer, Begun> last = new TreeMap<>();

    /// @param thread that began the copy
    private record Begun(Site site, int thread, int clock) {}

    UnawaitedWrites(Cta cta, HappensBefore order) {
        this.cta = cta;
        this.order = order;
    }

    void clear() {
        last.clear();
    }

    /// A copy has begun.
    ///
    /// @param aside the thread that stands for it
    void began(AsyncOperation operation, int aside, int clock) {
        last.put(aside, new Begun(operation.site(), operation.thread(), clock));
    }

    /// All threads of the CTA have ended.
    void tell() {
        last.forEach(
                (aside, begun) -> {
                    if (!isOver(aside, begun.clock)) {
                        tell(begun);
                    }
                });
    }

    private boolean isOver(int aside, int clock) {
        for (int thread = 0; thread < 32 * cta.warps().length; thread++) {
            if (order.isOver(aside, clock, thread)) {
                return true;
            }
        }
        return false;
    }

    private void tell(Begun begun) {
        Site site = begun.site;
        FindingFactory faults = cta.warps()[begun.thread / 32].faults();
        faults.tell(
                Rule.ACCESS_TO_EXITED_CTA,
                site,
                null,
                () ->
                        faults.fault(
                                Rule.ACCESS_TO_EXITED_CTA,
                                site,
                                1 << begun.thread % 32,
                                "%s writes shared memory of its own CTA, which ends without waiting for that: %s"
                                        .formatted(site.mnemonic(), ClusterExit.toStay(site)),
                                ClusterExit.endOf(cta, cta.warps()[begun.thread / 32])));
    }
}
