package dev.heddle.vm.races;

import dev.heddle.vm.races.CausalityOrder.Event;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `barrier.cluster` of one execution (PTX ISA 8.9.4, 3, and 9.7.13.3): what each arrival, or a
/// fence before a relaxed one, brings along comes before the end of each wait.
final class ClusterMeetings {
    private final Shape shape;
    private final CausalityOrder order;
    private final Map<Integer, Phase> phases = new HashMap<>();

    // Threads between their arrival and the end of their wait, and those whose phase is over.
    private final Set<Integer> arrived = new HashSet<>();
    private final Set<Integer> met = new HashSet<>();

    /// The barrier of a cluster.
    private static final class Phase {
        private int count;
        private List<Integer> brought = new ArrayList<>();
        private List<Integer> before = List.of();
        private final Set<Integer> waiting = new HashSet<>();
    }

    ClusterMeetings(Shape shape, CausalityOrder order) {
        this.shape = shape;
        this.order = order;
    }

    /// Threads of a warp arrive, or wait: each does the one and the other in turn.
    void come(int line, int warp, List<Integer> threads, Operation operation) {
        int cluster = warp / shape.warps() / shape.cluster();
        Phase phase = phases.computeIfAbsent(cluster, _ -> new Phase());
        for (int thread : threads) {
            if (arrived.add(thread)) {
                arrive(line, thread, operation, phase);
            } else if (met.remove(thread)) {
                end(line, thread, operation, phase);
            } else {
                phase.waiting.add(thread);
            }
        }
        int expected = 32 * shape.warps() * shape.cluster();
        if (phase.count < expected) {
            return;
        }
        phase.count = 0;
        phase.before = phase.brought;
        phase.brought = new ArrayList<>();
        for (int thread = cluster * expected; thread < (cluster + 1) * expected; thread++) {
            if (phase.waiting.remove(thread)) {
                end(line, thread, operation, phase);
            } else {
                met.add(thread);
            }
        }
    }

    private void arrive(int line, int thread, Operation operation, Phase phase) {
        phase.count++;
        int here = order.add(CausalityOrder.plain(line, thread, operation));
        boolean isRelaxed =
                operation instanceof Operation.ClusterArrive(String order)
                        && order.equals(".relaxed");
        phase.brought.addAll(isRelaxed ? order.releasedBy(here) : List.of(here));
    }

    private void end(int line, int thread, Operation operation, Phase phase) {
        arrived.remove(thread);
        int end = order.add(CausalityOrder.plain(line, thread, operation));
        for (int each : phase.before) {
            Event event = order.events().get(each);
            String scope =
                    event.operation() instanceof Operation.Fencing fence
                            ? fence.scope()
                            : "cluster";
            if (order.areWithin(event.thread(), scope, thread, "cluster")) {
                order.precedes(each, end);
            }
        }
    }
}
