package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.state.Cta;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Asynchronous operations that must be over for one thread of their CTA at least before it ends:
/// of each thread that stands for some the last one, as these are over in their order.
final class LastOperations {
    private final Cta cta;
    private final HappensBefore order;
    private final Map<Integer, Begun> last = new TreeMap<>();

    /// @param thread that began the operation
    /// @param clock of what stands for it
    /// @param phase of the barrier of the cluster as it began
    record Begun(Site site, int thread, int clock, long phase) {}

    LastOperations(Cta cta, HappensBefore order) {
        this.cta = cta;
        this.order = order;
    }

    void clear() {
        last.clear();
    }

    /// An operation has begun.
    ///
    /// @param aside the thread that stands for it
    void began(AsyncOperation operation, int aside, int clock) {
        long phase = cta.cluster().barrier().phase();
        last.put(aside, new Begun(operation.site(), operation.thread(), clock, phase));
    }

    /// Those that are over for no thread of the CTA.
    List<Begun> late() {
        List<Begun> late = new ArrayList<>();
        last.forEach(
                (aside, begun) -> {
                    if (!isOver(aside, begun.clock)) {
                        late.add(begun);
                    }
                });
        return late;
    }

    private boolean isOver(int aside, int clock) {
        for (int thread = 0; thread < 32 * cta.warps().length; thread++) {
            if (order.isOver(aside, clock, thread)) {
                return true;
            }
        }
        return false;
    }
}
