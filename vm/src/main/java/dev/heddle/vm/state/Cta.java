package dev.heddle.vm.state;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.SharedShadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.LongSupplier;

/// A cooperative thread array: warps, shared memory, barriers. Reused for one CTA after the
/// other.
public final class Cta {
    private static final int BARRIERS = 16;

    private final IdentityHashMap<Code, ClockDependence> clocks = new IdentityHashMap<>();
    private Grid grid;
    private Worker worker;
    private final Warp[] warps;
    private final NamedBarrier[] barriers = new NamedBarrier[BARRIERS];
    private final RegisterPool registers;
    private final MemorySegment shared;
    private final @Nullable SharedShadow shadow;
    private final StringBuilder output = new StringBuilder();
    private final Cluster cluster;
    private final int rank;
    private long index;
    private int x;
    private int y;
    private int z;
    private int ended;

    /// Barriers at which somebody has arrived, as a mask.
    private int used;

    /// The warp whose turn it is, where an executor has left the CTA in the middle; else 0.
    private int turn;

    /// What the executor keeps with the CTA.
    public @Nullable Object attachment;

    private final @Nullable BarrierLog barrierLog;

    /// What a worker thread gives the CTAs that it runs.
    ///
    /// @param counters of what they execute
    /// @param tensorCores for one thread
    /// @param limits of all workers together
    /// @param clusters those of the grid that have not begun
    public record Worker(
            ExecutionCounters counters,
            TensorCores tensorCores,
            Limits limits,
            LongSupplier clusters) {}

    Cta(Grid grid, Worker worker, Cluster cluster, int rank) {
        this.cluster = cluster;
        this.rank = rank;
        this.worker = worker;
        this.grid = grid;
        shared =
                cluster.arena()
                        .allocate((grid.shared().allBytes() + 63L) & -64, 1024)
                        .asSlice(0, grid.shared().allBytes());
        GlobalShadow global = grid.shadow();
        shadow =
                global == null
                        ? null
                        : new SharedShadow(
                                grid.shared().allBytes(),
                                grid.shape().threads(),
                                grid.kernel().gaps(),
                                global.order());
        barrierLog = grid.checked() ? new BarrierLog() : null;
        warps = new Warp[grid.shape().warps()];
        for (int i = 0; i < warps.length; i++) {
            warps[i] = new Warp(this, i, grid.kernel());
        }
        for (int i = 0; i < BARRIERS; i++) {
            barriers[i] = new NamedBarrier();
        }
        int atLaunch = Objects.requireNonNull(grid.kernel().bounds()).registers();
        registers = new RegisterPool(warps.length, atLaunch);
    }

    /// Becomes one of another launch of its kernel.
    void serve(Grid other, Worker by) {
        grid = other;
        worker = by;
        attachment = null;
        GlobalShadow global = other.shadow();
        if (shadow != null && global != null) {
            shadow.order().serve(global.order());
        }
        for (Warp warp : warps) {
            warp.addresses().serve();
            warp.root.serve();
            warp.faults().serve();
            warp.watch(false);
        }
    }

    /// Becomes the CTA at this place in the grid, its threads at the kernel's entry.
    void restart(int atX, int atY, int atZ, Executor executor) {
        x = atX;
        y = atY;
        z = atZ;
        index = x + grid.shape().extent().x() * (y + (long) grid.shape().extent().y() * z);
        ended = 0;
        turn = 0;
        if (barrierLog != null) {
            barrierLog.clear();
        }
        output.setLength(0);
        shared.fill((byte) 0);
        if (shadow != null) {
            shadow.clear((int) index);
            shadow.wroteAside(grid.shared().reservedOffset(), grid.shared().reservedBytes());
        }
        for (int rest = used; rest != 0; rest &= rest - 1) {
            barriers[Integer.numberOfTrailingZeros(rest)].clear();
        }
        used = 0;
        registers.clear();
        for (Warp warp : warps) {
            warp.restart(executor);
        }
    }

    /// Takes a cluster of the grid that has not begun, so that it never will: its linear index, or
    /// -1 where all have.
    public long takeCluster() {
        return worker.clusters().getAsLong();
    }

    /// What in a function depends on clocks.
    ClockDependence clocks(Code code) {
        return clocks.computeIfAbsent(code, each -> ClockDependence.of(each, grid.program()));
    }

    /// Where its threads stand, in 64 bits.
    public long place() {
        long place = 0;
        for (Warp warp : warps) {
            place = 31 * place + (warp.isDone() ? 0 : warp.place(warp.runningAt()));
        }
        return place;
    }

    /// All that decides what its threads do next, in 64 bits.
    public long fingerprint() {
        long fingerprint = 0;
        for (Warp warp : warps) {
            if (!warp.isDone()) {
                fingerprint = 31 * fingerprint + warp.fingerprint(warp.runningAt());
            }
        }
        for (NamedBarrier barrier : barriers) {
            fingerprint = Warp.mix(fingerprint, barrier.arrived());
        }
        return Warp.mix(fingerprint, registers.free());
    }

    /// How often something was written that registers do not show.
    public long changes() {
        long changes = 0;
        for (Warp warp : warps) {
            changes += warp.changes();
        }
        return changes;
    }

    /// Whether it waits for memory that other CTAs may change.
    public boolean spinsOutside() {
        for (Warp warp : warps) {
            if (!warp.isDone() && warp.spinsOutside()) {
                return true;
            }
        }
        return false;
    }

    /// Whether some of its threads wait for memory to change.
    public boolean spins() {
        for (Warp warp : warps) {
            if (!warp.isDone() && warp.spinning() != null) {
                return true;
            }
        }
        return false;
    }

    /// Lets this warp be the next to run.
    public void leaveAt(int warp) {
        turn = warp;
    }

    /// The first warp to run: that of [#leaveAt], once.
    public int takeTurn() {
        int first = turn;
        turn = 0;
        return first;
    }

    // Barriers.

    /// Lanes arrive at a barrier; true if they may go on at once.
    ///
    /// @param threads how many the barrier is for, or 0 for the whole CTA
    public boolean arrive(NamedBarrier.Arrival arrival, int number, int threads) {
        if (shadow != null) {
            shadow.order().arrive(number, arrival.frame().warp.index(), arrival.mask());
        }
        used |= 1 << number;
        boolean waits = barriers[number].arrive(arrival, threads);
        complete(number);
        return !waits;
    }

    private void complete(int number) {
        NamedBarrier barrier = barriers[number];
        if (!barrier.isComplete(grid.shape().threads() - ended)) {
            return;
        }
        if (shadow != null) {
            int waited = 0;
            for (NamedBarrier.Arrival arrival : barrier.waiting()) {
                Warp warp = arrival.frame().warp;
                shadow.order().complete(number, warp.index(), arrival.mask());
                waited |= 1 << warp.index();
            }
            shadow.order().restart(number, waited);
        }
        barrier.release();
    }

    public void ended(Warp warp, int lanes) {
        ended += Integer.bitCount(lanes);
        cluster.barrier().ended(warp, lanes);
        for (int rest = used; rest != 0; rest &= rest - 1) {
            complete(Integer.numberOfTrailingZeros(rest));
        }
    }

    /// The `cp.async` groups of a thread's warp.
    public AsyncGroups groups(int thread) {
        return warps[thread / 32].groups();
    }

    // Parts.

    /// The cluster that it is in.
    public Cluster cluster() {
        return cluster;
    }

    /// Where it takes memory that it needs as long as it lasts, in one launch or several.
    public Arena arena() {
        return cluster.arena();
    }

    /// Its number in the cluster.
    public int rank() {
        return rank;
    }

    public Limits limits() {
        return worker.limits();
    }

    public Warp[] warps() {
        return warps;
    }

    public NamedBarrier[] barriers() {
        return barriers;
    }

    /// The registers that `setmaxnreg` hands from one warp to another.
    public RegisterPool registers() {
        return registers;
    }

    /// Threads that have not ended.
    public int alive() {
        return grid.shape().threads() - ended;
    }

    public @Nullable BarrierLog barrierLog() {
        return barrierLog;
    }

    public Grid grid() {
        return grid;
    }

    /// Whether the order of accesses to its shared memory is looked at.
    public boolean looksAtOrder() {
        return grid.looksAtOrder() && grid.memory().hasShared(rank);
    }

    public ExecutionCounters counters() {
        return worker.counters();
    }

    /// What computes matrix products, for the thread that runs the CTA.
    public TensorCores tensorCores() {
        return worker.tensorCores();
    }

    public MemorySegment shared() {
        return shared;
    }

    public @Nullable SharedShadow shadow() {
        return shadow;
    }

    public StringBuilder output() {
        return output;
    }

    public long index() {
        return index;
    }

    public int x() {
        return x;
    }

    public int y() {
        return y;
    }

    public int z() {
        return z;
    }
}
