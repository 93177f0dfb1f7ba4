package dev.heddle.vm.state;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.collective.Warpgroup;
import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.memory.AsyncOperation;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.sanitizer.AsyncChecks;
import dev.heddle.vm.scheduling.Deadlock;
import dev.heddle.vm.scheduling.SpinCycleDetector;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.shadow.SharedShadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/// A cooperative thread array: warps, shared memory, barriers. Reused for one CTA after the
/// other.
public final class Cta {
    private static final int BARRIERS = 16;

    /// Rounds of spinning before it is looked for circles: short waits are common.
    private static final int PATIENCE = 8;

    private final Grid grid;
    private final Executor executor;
    private final Interpreter interpreter;
    private final ExecutionCounters counters;
    private final Limits limits;
    private final LongSupplier clusters;
    private final Warp[] warps;
    private final Warpgroup[] warpgroups;
    private final NamedBarrier[] barriers = new NamedBarrier[BARRIERS];
    private final MemorySegment shared;
    private final @Nullable SharedShadow shadow;
    private final TensorCores tensorCores;
    private final StringBuilder output = new StringBuilder();
    private final Cluster cluster;
    private final int rank;
    private long index;
    private int x;
    private int y;
    private int z;
    private int ended;
    private final SpinCycleDetector stall = new SpinCycleDetector();
    private boolean stalledBefore;
    private int patience;
    private final @Nullable BarrierLog barrierLog;
    private final @Nullable AsyncChecks async;

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

    Cta(Grid grid, Executor executor, Worker worker, Cluster cluster, int rank) {
        this.cluster = cluster;
        this.rank = rank;
        limits = worker.limits();
        clusters = worker.clusters();
        this.grid = grid;
        this.executor = executor;
        interpreter = executor instanceof Interpreter own ? own : new Interpreter();
        counters = worker.counters();
        tensorCores = worker.tensorCores();
        shared = Arena.ofAuto().allocate(grid.allSharedBytes(), 1024);
        shadow = grid.checked() ? new SharedShadow(grid.allSharedBytes(), grid.threads()) : null;
        barrierLog = grid.checked() ? new BarrierLog() : null;
        async = shadow == null ? null : new AsyncChecks(this, shadow);
        warps = new Warp[grid.warps()];
        for (int i = 0; i < warps.length; i++) {
            warps[i] = new Warp(this, i, grid.kernel());
        }
        for (int i = 0; i < BARRIERS; i++) {
            barriers[i] = new NamedBarrier();
        }
        warpgroups = new Warpgroup[Math.ceilDiv(warps.length, Warpgroup.WARPS)];
        for (int i = 0; i < warpgroups.length; i++) {
            warpgroups[i] = new Warpgroup(this, i * Warpgroup.WARPS);
        }
    }

    /// Becomes the CTA at this place in the grid, its threads at the kernel's entry.
    void restart(int atX, int atY, int atZ) {
        x = atX;
        y = atY;
        z = atZ;
        index = x + grid.extent().x() * (y + (long) grid.extent().y() * z);
        ended = 0;
        stall.clear();
        stalledBefore = false;
        patience = PATIENCE;
        if (barrierLog != null) {
            barrierLog.clear();
        }
        if (async != null) {
            async.clear();
        }
        output.setLength(0);
        shared.fill((byte) 0);
        if (shadow != null) {
            shadow.clear();
            shadow.wroteAside(grid.reservedOffset(), grid.reservedBytes());
        }
        for (NamedBarrier barrier : barriers) {
            barrier.clear();
        }
        for (Warpgroup warpgroup : warpgroups) {
            warpgroup.clear();
        }
        for (Warp warp : warps) {
            warp.restart(executor);
        }
    }

    /// Takes a cluster of the grid that has not begun, so that it never will: its linear index, or
    /// -1 where all have.
    public long takeCluster() {
        return clusters.getAsLong();
    }

    /// Runs every warp as far as it gets, until all are done or all that are left only spin.
    public State run(int rounds) {
        int spun = 0;
        boolean moved = false;
        while (spun < rounds) {
            boolean progress = false;
            boolean done = true;
            boolean spins = false;
            for (Warp warp : warps) {
                if (!warp.isDone()) {
                    progress |= warp.run(executor, interpreter);
                    done &= warp.isDone();
                    spins |= warp.hasSpun();
                }
            }
            if (done) {
                return State.DONE;
            }
            if (!progress && cluster.size() > 1) {
                return moved ? State.RUNNING : State.WAITING;
            }
            moved |= progress;
            if (!progress && !settleStragglers()) {
                throw Deadlock.waiting(this);
            }
            spun += spins ? 1 : 0;
            if (spins && isStalled()) {
                if (!spinsOutside() && cluster.size() == 1) {
                    throw Deadlock.spinning(this);
                }
                // It may have done a lot before: only the second time is it sure that nothing
                // happened since the first.
                boolean again = stalledBefore && stall.isSameAsBefore();
                stalledBefore = true;
                stall.remember();
                return again ? State.STALLED : State.RUNNING;
            }
        }
        return State.RUNNING;
    }

    /// How far a CTA has come.
    public enum State {
        DONE,
        RUNNING,
        /// It runs in a circle until memory outside of it changes.
        STALLED,
        /// All its threads wait for those of other CTAs of the cluster.
        WAITING
    }

    private boolean isStalled() {
        if (patience > 0) {
            patience--;
            return false;
        }
        long fingerprint = 0;
        long changes = 0;
        for (Warp warp : warps) {
            changes += warp.changes();
            if (!warp.isDone()) {
                fingerprint = 31 * fingerprint + warp.fingerprint();
            }
        }
        for (NamedBarrier barrier : barriers) {
            fingerprint = Warp.mix(fingerprint, barrier.arrived());
        }
        return stall.isCircle(fingerprint, changes);
    }

    boolean spinsOutside() {
        for (Warp warp : warps) {
            if (!warp.isDone() && warp.spinsOutside()) {
                return true;
            }
        }
        return false;
    }

    boolean spins() {
        for (Warp warp : warps) {
            if (!warp.isDone() && warp.spinning() != null) {
                return true;
            }
        }
        return false;
    }

    /// What the CTA, which runs in a circle, waits for.
    public Finding stalled() {
        return Deadlock.spinning(this).finding();
    }

    /// Lanes that wait for lanes of their warp that wait elsewhere: undefined, or resolved as
    /// hardware does.
    boolean settleStragglers() {
        boolean settled = false;
        for (Warp warp : warps) {
            settled |= warp.meetings().settle();
        }
        return settled;
    }

    // Barriers.

    /// Lanes arrive at a barrier; true if they may go on at once.
    public boolean arrive(
            Frame frame,
            Site site,
            Collective.Barrier joint,
            int mask,
            int next,
            int number,
            int threads) {
        if (shadow != null) {
            shadow.order().arrive(number, frame.warp.index(), mask);
        }
        boolean waits =
                barriers[number].arrive(
                        new NamedBarrier.Arrival(frame, site, joint, mask, next), threads);
        complete(number);
        return !waits;
    }

    private void complete(int number) {
        NamedBarrier barrier = barriers[number];
        if (!barrier.isComplete(grid.threads() - ended)) {
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
        for (int number = 0; number < BARRIERS; number++) {
            complete(number);
        }
    }

    /// Whether a thread has waited for one of its `cp.async` groups.
    public boolean isRetired(int thread, int group) {
        return warps[thread / 32].groups().isRetired(thread % 32, group);
    }

    /// The clock of a thread's warp when it had waited for one of its `cp.async` groups.
    public int retiredAt(int thread, int group) {
        return warps[thread / 32].groups().retiredAt(thread % 32, group);
    }

    /// Which of a thread's `cp.async` groups it has waited for, in words.
    public String retired(int thread) {
        return warps[thread / 32].groups().describe(thread % 32);
    }

    /// All threads of the cluster have met.
    void synchronize() {
        if (shadow != null) {
            shadow.order().synchronizeAll();
        }
    }

    /// Whether undefined values are followed until they decide something.
    boolean followsValues() {
        return grid.checks(RuleGroup.DEFINEDNESS) && interpreter.followsValues();
    }

    // Parts.

    /// The cluster that it is in.
    public Cluster cluster() {
        return cluster;
    }

    /// Its number in the cluster.
    public int rank() {
        return rank;
    }

    public Limits limits() {
        return limits;
    }

    public Warp[] warps() {
        return warps;
    }

    public NamedBarrier[] barriers() {
        return barriers;
    }

    public Warpgroup[] warpgroups() {
        return warpgroups;
    }

    Warpgroup warpgroup(int number) {
        return warpgroups[number];
    }

    /// Who follows its asynchronous operations.
    public AsyncOperation.Listener asyncListener() {
        return async == null ? AsyncOperation.Listener.NONE : async;
    }

    /// Threads that have not ended.
    public int alive() {
        return grid.threads() - ended;
    }

    public @Nullable BarrierLog barrierLog() {
        return barrierLog;
    }

    public Grid grid() {
        return grid;
    }

    public ExecutionCounters counters() {
        return counters;
    }

    /// What computes matrix products, for the thread that runs the CTA.
    public TensorCores tensorCores() {
        return tensorCores;
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
