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

    // The last of them: mostly the next one is of the same.
    private int actor;
    private @Nullable Begun last;

    // By thread.
    private final Map<Integer, Arrival> arrivals = new HashMap<>();

    /// The last asynchronous operation of those that one thread stands for.
    private static final class Begun {
        private Accessor by;
        private Aside aside;

        Begun(Accessor by, Aside aside) {
            this.by = by;
            this.aside = aside;
        }
    }

    private record Arrival(Accessor by, int clock) {}

    /// Tells whether what a thread of some CTA did is over.
    interface Order {
        boolean isOver(int cta, int thread, int clock);
    }

    void clear() {
        begun.clear();
        last = null;
        arrivals.clear();
    }

    void begun(Accessor by, Aside aside) {
        int standIn = Location.actor(aside.cta(), aside.thread());
        if (last == null || actor != standIn) {
            actor = standIn;
            last = begun.computeIfAbsent(standIn, _ -> new Begun(by, aside));
        }
        last.by = by;
        last.aside = aside;
    }

    void arrived(Accessor by, int clock) {
        arrivals.put(Location.actor(by.cta(), by.thread()), new Arrival(by, clock));
    }

    /// Who began one that is not over, or null.
    @Nullable Accessor late(Order order) {
        for (Begun each : begun.values()) {
            Aside aside = each.aside;
            if (!order.isOver(aside.cta(), aside.thread(), aside.clock())) {
                return each.by;
            }
        }
        for (Arrival each : arrivals.values()) {
            if (!order.isOver(each.by.cta(), each.by.thread(), each.clock)) {
                return each.by;
            }
        }
        return null;
    }
}
