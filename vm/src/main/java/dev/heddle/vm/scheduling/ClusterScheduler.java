package dev.heddle.vm.scheduling;

import dev.heddle.vm.report.Finding;
import dev.heddle.vm.state.Cluster;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.SpareClusters;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/// Runs the CTAs of a cluster in turn, and notices when they only wait. It is what a worker has
/// several of.
final class ClusterScheduler {
    private final Cluster cluster;
    private final Executor executor;
    private final CtaScheduler[] ctas;
    private long end;
    private long behind;
    private long counted;
    private boolean fresh;

    ClusterScheduler(Grid grid, Executor executor, Cta.Worker worker) {
        this.executor = executor;
        cluster = SpareClusters.take(grid, worker);
        ctas = new CtaScheduler[cluster.size()];
        for (int rank = 0; rank < ctas.length; rank++) {
            ctas[rank] = new CtaScheduler(cluster.cta(rank), executor);
        }
    }

    /// Lets it be these clusters, one after the other.
    ///
    /// @param first linear index
    /// @param count how many
    void take(long first, long count) {
        counted = first;
        end = first + count;
        begin(first);
    }

    private void begin(long linear) {
        cluster.restart(linear, executor);
        for (CtaScheduler cta : ctas) {
            cta.restart();
        }
        behind = linear + 1;
        fresh = true;
    }

    /// The first of its clusters that has not begun.
    private long behind() {
        return Math.max(behind, cluster.index() + 1);
    }

    /// Becomes the next of its clusters, its threads at the kernel's entry.
    ///
    /// @param last linear index that may begin
    /// @return whether there is one
    boolean advance(long last) {
        long next = behind();
        if (next >= end || next > last) {
            return false;
        }
        begin(next);
        return true;
    }

    /// How many CTAs have ended since this was asked last.
    long ended() {
        long ended = behind() - counted;
        counted += ended;
        return ended * cluster.size();
    }

    /// Whether the executor runs whole CTAs by itself: then it should take several at once.
    boolean runsAhead() {
        return ctas.length == 1 && executor.runsCtas(cluster.cta(0));
    }

    /// Lets the executor run whole CTAs by itself. Returns whether all have ended.
    private boolean runAhead() {
        boolean begins = fresh;
        fresh = false;
        if (!begins || !runsAhead()) {
            return false;
        }
        long first = cluster.index();
        if (executor.runCtas(cluster.cta(0), first, end - first) < end - first) {
            return false;
        }
        behind = end;
        return true;
    }

    /// Whose CTAs it runs.
    Cluster cluster() {
        return cluster;
    }

    /// Runs every CTA as far as it gets, in turn.
    ///
    /// @param rounds of spinning after which it gives way
    Progress run(int rounds) {
        if (ctas.length == 1) {
            return runAhead() ? Progress.DONE : ctas[0].run(rounds);
        }
        int spun = 0;
        int idle = 0;
        while (spun < rounds) {
            boolean done = true;
            boolean moved = false;
            for (CtaScheduler cta : ctas) {
                if (cta.cta().alive() > 0) {
                    Progress state = cta.run(1);
                    moved |= state == Progress.DONE || state == Progress.RUNNING;
                    done &= state == Progress.DONE;
                }
            }
            if (done) {
                return Progress.DONE;
            }
            spun++;
            // Each must have been looked at since the last of the others did something.
            idle = moved ? 0 : idle + 1;
            if (idle > 1 && !settle()) {
                requireWayOn();
                return Progress.STALLED;
            }
        }
        return Progress.RUNNING;
    }

    private boolean settle() {
        boolean settled = false;
        for (CtaScheduler cta : ctas) {
            settled |= cta.settleStragglers();
        }
        return settled;
    }

    /// No CTA goes on by itself: one at least must wait for memory that others may change.
    private void requireWayOn() {
        for (CtaScheduler each : ctas) {
            if (each.cta().alive() > 0 && each.cta().spinsOutside()) {
                return;
            }
        }
        CtaScheduler blamed = blamed();
        throw blamed.cta().spins()
                ? Deadlock.spinning(blamed.cta(), blamed.warpgroups())
                : Deadlock.waiting(blamed.cta(), blamed.warpgroups());
    }

    /// The CTA that the others most likely wait for: one that lacks registers, else one that spins,
    /// else any with threads left.
    private CtaScheduler blamed() {
        return first(cta -> !cta.registers().waiting().isEmpty())
                .or(() -> first(Cta::spins))
                .or(() -> first(_ -> true))
                .orElse(ctas[0]);
    }

    private Optional<CtaScheduler> first(Predicate<Cta> holds) {
        return Arrays.stream(ctas)
                .filter(each -> each.cta().alive() > 0 && holds.test(each.cta()))
                .findFirst();
    }

    /// What the cluster, which runs in a circle, waits for.
    Finding stalled() {
        CtaScheduler stalled = blamed();
        return Deadlock.spinning(stalled.cta(), stalled.warpgroups()).finding();
    }
}
