package dev.heddle.vm.state;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.UndefinedBits;

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
    // Of the predicates those that are not defined, and of these those that happen to hold.
    private int undefined;
    private int undefinedHolding;
    private UndefinedBits.@Nullable Origin origin;
    private @Nullable Arrival first;

    /// Lanes that arrived; they wait unless they came by `arrive`.
    ///
    /// @param exit the barrier
    /// @param junk where undefined predicates of them come from, or null where all are defined
    public record Arrival(
            Frame frame, Exit.Synchronize exit, int mask, UndefinedBits.@Nullable Origin junk) {
        public Site site() {
            return exit.site();
        }

        public Collective.Barrier joint() {
            return (Collective.Barrier) exit.joint();
        }
    }

    public void clear() {
        waiting.clear();
        arrived = 0;
        required = 0;
        population = 0;
        predicates = 0;
        undefined = 0;
        undefinedHolding = 0;
        origin = null;
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
            if (arrival.junk() != null) {
                int open = arrival.frame().undefinedBits().lanes(joint.predicate(), arrival.mask());
                undefined += Integer.bitCount(open);
                undefinedHolding += Integer.bitCount(open & holds);
                origin = arrival.junk().computed();
            }
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
        for (Arrival arrival : waiting) {
            Register target = arrival.joint().target();
            if (target != null) {
                give(arrival, target);
            }
            arrival.frame().park(arrival.exit().next(), arrival.mask());
        }
        clear();
    }

    private void give(Arrival arrival, Register target) {
        arrival.frame().setWhere(arrival.mask(), target, result(arrival, population));
        UndefinedBits bits = arrival.frame().undefined;
        if (bits == null) {
            return;
        }
        bits.define(target, arrival.mask());
        int least = population - undefinedHolding;
        long open =
                UndefinedBits.between(result(arrival, least), result(arrival, least + undefined));
        if (open == 0 || origin == null) {
            return;
        }
        bits.comesFrom(target, origin);
        for (int rest = arrival.mask(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            bits.set(target, lane, open);
        }
    }

    /// What a lane gets where so many predicates hold.
    private long result(Arrival arrival, int holding) {
        return switch (arrival.joint().arrival()) {
            case POPULATION -> holding;
            case AND -> holding == predicates ? 1 : 0;
            case OR -> holding > 0 ? 1 : 0;
            case SYNC, ARRIVE -> 0;
        };
    }
}
