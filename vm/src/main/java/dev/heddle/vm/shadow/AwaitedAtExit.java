package dev.heddle.vm.shadow;

import dev.heddle.vm.shadow.ClusterAccesses.Accessor;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// What a CTA must not end before, besides accesses to its shared memory: the last asynchronous
/// operation of each thread that writes there, and the last arrival of each at an mbarrier there.
final class AwaitedAtExit {
    // By what stands for the operations.
    private final Map<Integer, Begun> begun = new HashMap<>();

    // By thread.
    private final Map<Integer, Arrival> arrivals = new HashMap<>();

    /// An asynchronous operation, and what stands for it.
    private record Begun(Accessor by, Aside aside) {}

    private record Arrival(Accessor by, int clock) {}

    /// Tells whether what a thread of some CTA did is over.
    interface Order {
        boolean isOver(int cta, int thread, int clock);
    }

    void clear() {
        begun.clear();
        arrivals.clear();
    }

    void begun(Accessor by, Aside aside) {
        begun.put(Location.actor(aside.cta(), aside.thread()), new Begun(by, aside));
    }

    void arrived(Accessor by, int clock) {
        arrivals.put(Location.actor(by.cta(), by.thread()), new Arrival(by, clock));
    }

    /// Who began one that is not over, or null.
    @Nullable Accessor late(Order order) {
        for (Begun last : begun.values()) {
            Aside aside = last.aside;
            if (!order.isOver(aside.cta(), aside.thread(), aside.clock())) {
                return last.by;
            }
        }
        for (Arrival last : arrivals.values()) {
            if (!order.isOver(last.by.cta(), last.by.thread(), last.clock)) {
                return last.by;
            }
        }
        return null;
    }
}
