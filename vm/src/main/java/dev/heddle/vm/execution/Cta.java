package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Joint;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A cooperative thread array: warps, shared memory, barriers. Reused for one CTA after the
/// other.
public final class Cta {
    private static final int BARRIERS = 16;

    private final Grid grid;
    private final Executor executor;
    private final Interpreter interpreter;
    private final Counters counters;
    private final Warp[] warps;
    private final NamedBarrier[] barriers = new NamedBarrier[BARRIERS];
    private final MemorySegment shared;
    private final @Nullable SharedShadow shadow;
    private final IdentityHashMap<Site, MatrixUnit.Multiplier> multipliers = new IdentityHashMap<>();
    private final StringBuilder output = new StringBuilder();
    private long index;
    private int x;
    private int y;
    private int z;
    private int ended;

    Cta(Grid grid, Executor executor, Counters counters) {
        this.grid = grid;
        this.executor = executor;
        interpreter = executor instanceof Interpreter own ? own : new Interpreter();
        this.counters = counters;
        shared = Arena.ofAuto().allocate(grid.sharedBytes(), 1024);
        shadow = grid.checked() ? new SharedShadow(grid) : null;
        warps = new Warp[grid.warps()];
        for (int i = 0; i < warps.length; i++) {
            warps[i] = new Warp(this, i, grid.kernel());
        }
        for (int i = 0; i < BARRIERS; i++) {
            barriers[i] = new NamedBarrier();
        }
    }

    /// Becomes the CTA with this linear index, its threads at the kernel's entry.
    void restart(long linear) {
        index = linear;
        x = (int) (linear % grid.extent().x());
        y = (int) (linear / grid.extent().x() % grid.extent().y());
        z = (int) (linear / grid.extent().x() / grid.extent().y());
        ended = 0;
        output.setLength(0);
        shared.fill((byte) 0);
        if (shadow != null) {
            shadow.clear();
        }
        for (NamedBarrier barrier : barriers) {
            barrier.clear();
        }
        for (Warp warp : warps) {
            warp.restart(executor);
        }
    }

    /// Runs every warp as far as it gets, until all are done or all that are left only spin.
    /// Returns whether it is done.
    boolean run(int rounds) {
        int spun = 0;
        while (spun < rounds) {
            boolean progress = false;
            boolean done = true;
            boolean spins = false;
            for (Warp warp : warps) {
                if (!warp.isDone()) {
                    progress |= warp.run(executor, interpreter);
                    done &= warp.isDone();
                    spins |= warp.shouldYield();
                }
            }
            if (done) {
                return true;
            }
            if (!progress && !settleStragglers()) {
                throw deadlock();
            }
            spun += spins ? 1 : 0;
        }
        return false;
    }

    /// Lanes that wait for lanes of their warp that wait elsewhere: undefined, or resolved as
    /// hardware does.
    private boolean settleStragglers() {
        boolean settled = false;
        for (Warp warp : warps) {
            settled |= warp.meetings().settle();
        }
        return settled;
    }

    // Barriers.

    /// Lanes arrive at a barrier; true if they may go on at once.
    boolean arrive(
            Frame frame,
            Site site,
            Joint.Barrier joint,
            int mask,
            int next,
            int number,
            int threads) {
        NamedBarrier barrier = barriers[number];
        boolean waits =
                barrier.arrive(new NamedBarrier.Arrival(frame, site, joint, mask, next), threads);
        complete(barrier);
        return !waits;
    }

    private void complete(NamedBarrier barrier) {
        if (!barrier.isComplete(grid.threads() - ended)) {
            return;
        }
        if (shadow != null) {
            shadow.order().joinAll(barrier.warps());
        }
        barrier.release();
    }

    void ended(int lanes) {
        ended += lanes;
        for (NamedBarrier barrier : barriers) {
            complete(barrier);
        }
    }

    private dev.heddle.vm.report.KernelFault deadlock() {
        List<Finding.Note> notes = new ArrayList<>();
        Site first = null;
        Warp waiting = warps[0];
        for (int i = 0; i < BARRIERS; i++) {
            for (NamedBarrier.Arrival arrival : barriers[i].waiting()) {
                if (first == null) {
                    first = arrival.site();
                    waiting = arrival.frame().warp;
                }
                notes.add(
                        new Finding.Note(
                                arrival.site(),
                                "%s wait at barrier %d, where %d of %d threads have arrived"
                                        .formatted(
                                                describe(arrival.frame().warp, arrival.mask()),
                                                i,
                                                barriers[i].arrived(),
                                                barriers[i].expected(grid.threads() - ended))));
            }
        }
        for (Warp warp : warps) {
            for (Warp.Waiter waiter : warp.waiters()) {
                if (first == null) {
                    first = waiter.site;
                    waiting = warp;
                }
                notes.add(
                        new Finding.Note(
                                waiter.site,
                                describe(warp, waiter.mask) + " wait for lanes of their warp"));
            }
        }
        if (ended > 0) {
            notes.add(new Finding.Note(null, ended + " threads of the CTA have ended"));
        }
        return waiting.faults()
                .fault(
                        Verdict.DEADLOCK,
                        "barrier-complete",
                        "9.7.13.1",
                        first,
                        waiting.live(),
                        "every thread that is left waits for others",
                        notes.toArray(Finding.Note[]::new));
    }

    private static String describe(Warp warp, int mask) {
        return "warp %d, %s".formatted(warp.index(), dev.heddle.vm.report.Lanes.describe(mask));
    }

    /// Whether a thread has waited for one of its `cp.async` groups.
    boolean isRetired(int thread, int group) {
        return warps[thread / 32].groups().isRetired(thread % 32, group);
    }

    /// The product that an instruction computes, made at its first use.
    MatrixUnit.Multiplier multiplier(Site site, Supplier<MatrixUnit.Multiplier> resolve) {
        return multipliers.computeIfAbsent(site, s -> resolve.get());
    }

    // Parts.

    Grid grid() {
        return grid;
    }

    Counters counters() {
        return counters;
    }

    MemorySegment shared() {
        return shared;
    }

    @Nullable SharedShadow shadow() {
        return shadow;
    }

    StringBuilder output() {
        return output;
    }

    long index() {
        return index;
    }

    int x() {
        return x;
    }

    int y() {
        return y;
    }

    int z() {
        return z;
    }
}
