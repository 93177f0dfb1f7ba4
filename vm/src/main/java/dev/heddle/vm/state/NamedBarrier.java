package dev.heddle.vm.state;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// One of a CTA's sixteen barriers.
public final class NamedBarrier {
    private final List<Arrival> waiting = new ArrayList<>();
    private int arrived;
    private int required;
    private int population;
    private int predicates;
    private @Nullable Arrival first;

    /// Lanes that arrived; they wait unless they came by `arrive`.
    ///
    /// @param next the block they go on at
    public record Arrival(Frame frame, Site site, Collective.Barrier joint, int mask, int next) {}

    public void clear() {
        waiting.clear();
        arrived = 0;
        required = 0;
        population = 0;
        predicates = 0;
        first = null;
    }

    /// Who came first of those that the barrier has counted; null where nobody has come.
    public @Nullable Arrival first() {
        return first;
    }

    /// Counts lanes in. Returns whether they wait.
    ///
    /// @param threads how many the barrier is for, or 0 for the whole CTA
    public boolean arrive(Arrival arrival, int threads) {
        int count = Integer.bitCount(arrival.mask());
        arrived += count;
        first = first == null ? arrival : first;
        required = threads;
        Collective.Barrier joint = arrival.joint();
        if (joint.predicate() != null) {
            int holds = arrival.frame().condition(joint.predicate()) & arrival.mask();
            population += Integer.bitCount(holds);
            predicates += count;
        }
        if (joint.arrival() == Collective.Barrier.Arrival.ARRIVE) {
            return false;
        }
        waiting.add(arrival);
        return true;
    }

    public int arrived() {
        return arrived;
    }

    public int expected(int alive) {
        return required == 0 ? alive : required;
    }

    public boolean isComplete(int alive) {
        return arrived > 0 && arrived >= expected(alive);
    }

    public List<Arrival> waiting() {
        return waiting;
    }

    /// Lets all go on, with the result of a reduction.
    public void release() {
        int holds = population;
        int asked = predicates;
        for (Arrival arrival : waiting) {
            Register target = arrival.joint().target();
            if (target != null) {
                long result =
                        switch (arrival.joint().arrival()) {
                            case POPULATION -> holds;
                            case AND -> holds == asked ? 1 : 0;
                            case OR -> holds > 0 ? 1 : 0;
                            case SYNC, ARRIVE -> 0;
                        };
                for (int lane = 0; lane < 32; lane++) {
                    if ((arrival.mask() >>> lane & 1) != 0) {
                        arrival.frame().set(target, lane, result);
                    }
                }
            }
            arrival.frame().park(arrival.next(), arrival.mask());
        }
        clear();
    }
}
