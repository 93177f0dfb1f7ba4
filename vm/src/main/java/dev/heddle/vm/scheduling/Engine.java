package dev.heddle.vm.scheduling;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.state.Cluster;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.ExecutionCounters;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.GridShape;
import dev.heddle.vm.state.Limits;
import dev.heddle.vm.state.SpareClusters;
import dev.heddle.vm.state.TimeLimit;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/// Runs the clusters of a grid on worker threads; most are single CTAs.
///
/// Each worker takes clusters in order. One that only spins is set aside and another started, so
/// that a CTA may wait for any other; the set of those set aside is bounded.
public final class Engine {
    /// Rounds of spinning after which a CTA is set aside.
    private static final int ROUNDS = 256;

    private static final int RESIDENT = 64;

    /// Into so many parts for each worker what is left of a grid is divided where whole CTAs run by
    /// themselves: the last parts are single CTAs, so that all workers end together.
    private static final long PARTS = 8;

    /// CTAs that a worker takes at once.
    private static final int MOST_AT_ONCE = 64;

    /// How long to wait before looking again at memory that others write.
    private static final long PAUSE_NANOS = 100_000;

    private final Grid grid;
    private final Executor executor;
    private final Limits limits;
    private final LongConsumer progress;
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong next = new AtomicLong();
    private final Map<Long, String> outputs = new ConcurrentSkipListMap<>();
    private final List<Cta.Worker> workers = new ArrayList<>();
    private volatile @Nullable Throwable failure;
    private volatile long stopAt = Long.MAX_VALUE;
    private LivelockDetector standstill = new LivelockDetector(1);
    private int workerCount;
    private long nanoseconds;

    /// An engine for one launch.
    ///
    /// @param steps the most thread-steps
    /// @param time the most time
    /// @param progress is told how many CTAs have ended, by the workers
    public Engine(Grid grid, Executor executor, long steps, TimeLimit time, LongConsumer progress) {
        this.progress = progress;
        this.grid = grid;
        this.executor = executor;
        limits = new Limits(steps, time, grid.global().limit());
    }

    /// Runs all CTAs; the grid's log has what they do wrong.
    public void run(int threads) {
        if (!prepare()) {
            return;
        }
        long start = System.nanoTime();
        int count = Math.clamp(grid.shape().clusters().count(), 1, Math.max(1, threads));
        workerCount = count;
        standstill = new LivelockDetector(count);
        limits.shareAmong(count);
        GlobalShadow shadow = grid.shadow();
        if (shadow != null) {
            shadow.share(count);
        }
        List<Thread> started = startWorkers(count);
        work(0, workers.getFirst());
        for (Thread thread : started) {
            join(thread);
        }
        workers.forEach(worker -> worker.tensorCores().giveBack());
        nanoseconds = System.nanoTime() - start;
        Throwable broken = failure;
        if (broken != null) {
            throw new IllegalStateException("the machine failed: " + broken, broken);
        }
    }

    /// Returns whether the host has room for it.
    private boolean prepare() {
        try {
            GridShape shape = grid.shape();
            executor.prepare(grid.kernel(), shape.extent().count() * shape.warps());
            return true;
        } catch (OutOfMemoryError e) {
            grid.findings().ends(-1, hostIsFull(e));
            return false;
        }
    }

    /// Workers, and threads for all but the first, which the caller is.
    private List<Thread> startWorkers(int count) {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int worker = i;
            Cta.Worker own =
                    new Cta.Worker(
                            new ExecutionCounters(grid.program(), limits),
                            grid.tensorCores().take(),
                            limits,
                            this::take);
            workers.add(own);
            if (i > 0) {
                started.add(
                        Thread.ofPlatform()
                                .name("heddle-worker-" + i)
                                .start(() -> work(worker, own)));
            }
        }
        return started;
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work(int worker, Cta.Worker own) {
        try {
            runClusters(worker, own);
        } catch (OutOfMemoryError e) {
            stopAt = -1;
            grid.findings().ends(-1, hostIsFull(e));
            limits.stop();
        } catch (RuntimeException | Error e) {
            failure = e;
            limits.stop();
        } finally {
            standstill.leave(worker);
        }
    }

    /// Until there are none left, or none goes on any more.
    private void runClusters(int worker, Cta.Worker own) {
        Deque<ClusterScheduler> waiting = new ArrayDeque<>();
        Deque<ClusterScheduler> idle = new ArrayDeque<>();
        Pass pass = new Pass(standstill.progress());
        while (true) {
            boolean hasRoom = waiting.size() < RESIDENT || pass.stalled >= waiting.size();
            ClusterScheduler begun = hasRoom ? start(idle, waiting.isEmpty(), own) : null;
            ClusterScheduler cluster = begun == null ? waiting.poll() : begun;
            if (cluster == null) {
                if (grid.findings().isComplete()) {
                    idle.forEach(each -> SpareClusters.giveBack(each.cluster()));
                }
                return;
            }
            if (cluster.cluster().index() > stopAt) {
                idle.push(cluster);
                continue;
            }
            switch (advance(cluster)) {
                case DONE -> {
                    idle.push(cluster);
                    pass = new Pass(standstill.advance());
                }
                case RUNNING -> {
                    waiting.add(cluster);
                    pass = new Pass(standstill.advance());
                }
                case STALLED, WAITING -> {
                    waiting.add(cluster);
                    pass.stalled++;
                    if (pass.stalled > waiting.size()) {
                        if (isOver(worker, pass, waiting)) {
                            return;
                        }
                        pass = new Pass(standstill.progress());
                    }
                }
            }
        }
    }

    /// All that a worker has waits. Returns whether nothing will ever go on: then it is said what
    /// each waits for.
    private boolean isOver(int worker, Pass pass, Deque<ClusterScheduler> waiting) {
        if (grid.global().isShared()) {
            // What they wait for may come from outside of the launch.
            LockSupport.parkNanos(PAUSE_NANOS);
            return false;
        }
        if (!standstill.isOver(worker, pass.since)) {
            return false;
        }
        waiting.forEach(
                each -> grid.findings().waits(each.cluster().cta(0).index(), each.stalled()));
        return true;
    }

    /// One look at all waiting CTAs.
    private static final class Pass {
        /// The launch's progress when it began.
        final long since;

        int stalled;

        Pass(long since) {
            this.since = since;
        }
    }

    private @Nullable ClusterScheduler start(
            Deque<ClusterScheduler> idle, boolean alone, Cta.Worker own) {
        if (next.get() >= grid.shape().clusters().count() || next.get() > stopAt) {
            return null;
        }
        if (idle.isEmpty()
                && !limits.takeMemory(grid.residentBytes() * grid.shape().cluster().count())) {
            if (!alone) {
                return null;
            }
            stopAt = -1;
            grid.findings().ends(-1, tooLarge());
            return null;
        }
        ClusterScheduler cluster =
                idle.isEmpty() ? new ClusterScheduler(grid, executor, own) : idle.pop();
        long count = grid.shape().clusters().count();
        long left = count - next.get();
        long wanted =
                cluster.runsAhead() ? Math.clamp(left / (PARTS * workerCount), 1, MOST_AT_ONCE) : 1;
        long index = next.getAndAdd(wanted);
        if (index >= count || index > stopAt) {
            idle.push(cluster);
            return null;
        }
        cluster.take(index, Math.min(wanted, count - index));
        return cluster;
    }

    /// Takes the next cluster away: whoever asked does its work.
    private long take() {
        long count = grid.shape().clusters().count();
        long index = next.getAndUpdate(at -> at < count && at <= stopAt ? at + 1 : at);
        if (index >= count || index > stopAt) {
            return -1;
        }
        progress.accept(ended.addAndGet(grid.shape().cluster().count()));
        return index;
    }

    private static Finding hostIsFull(OutOfMemoryError e) {
        return Finding.ofLaunch(
                Rule.MEMORY_LIMIT_REACHED,
                "the Java heap is full (%s): give the JVM more with -Xmx, or the launch a lower memory limit"
                        .formatted(e.getMessage()));
    }

    private Finding tooLarge() {
        return Finding.ofLaunch(
                Rule.MEMORY_LIMIT_REACHED,
                "registers, local and shared memory of one CTA take %d bytes; the memory limit is %d"
                        .formatted(grid.residentBytes(), limits.memoryBytes()));
    }

    /// Runs the clusters that a scheduler has, one after the other.
    private Progress advance(ClusterScheduler scheduler) {
        while (true) {
            Progress state = run(scheduler);
            if (state != Progress.DONE || !scheduler.advance(stopAt)) {
                return state;
            }
        }
    }

    private Progress run(ClusterScheduler scheduler) {
        Cluster cluster = scheduler.cluster();
        try {
            Progress state = scheduler.run(ROUNDS);
            if (state != Progress.DONE) {
                return state;
            }
        } catch (KernelFault fault) {
            // Those before this one still run: the finding reported does not depend on the number
            // of workers.
            synchronized (this) {
                if (grid.findings().ends(cluster.cta(0).index(), fault.finding())) {
                    stopAt = Math.min(stopAt, cluster.index());
                }
            }
        }
        for (int rank = 0; rank < cluster.size(); rank++) {
            Cta cta = cluster.cta(rank);
            if (!cta.output().isEmpty()) {
                outputs.put(cta.index(), cta.output().toString());
            }
        }
        progress.accept(ended.addAndGet(scheduler.ended()));
        return Progress.DONE;
    }

    /// What the CTAs printed, in their order.
    public String output() {
        return String.join("", outputs.values());
    }

    /// What ran. To be asked after [#run].
    public Report report() {
        return new ExecutedInstructions(grid, workers).report(nanoseconds, executor.interpreted());
    }
}
