package dev.heddle.vm.state;

import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.scheduling.Deadlock;

/// The CTAs of a cluster, which run at the same time and reach each other's shared memory (PTX ISA
/// 2.2.2): what a worker schedules. Most have one CTA. Reused for one cluster after the other.
public final class Cluster {
    private final Grid grid;
    private final Cta[] ctas;
    private final ClusterBarrier barrier = new ClusterBarrier(this);
    private long index;

    public Cluster(Grid grid, Executor executor, Cta.Worker worker) {
        this.grid = grid;
        ctas = new Cta[Math.toIntExact(grid.cluster().count())];
        for (int rank = 0; rank < ctas.length; rank++) {
            ctas[rank] = new Cta(grid, executor, worker, this, rank);
        }
    }

    /// Becomes the cluster with this linear index, its threads at the kernel's entry.
    public void restart(long linear) {
        index = linear;
        barrier.clear();
        Extent size = grid.cluster();
        Grid.Place first = grid.firstOf(linear);
        for (Cta cta : ctas) {
            int rank = cta.rank();
            cta.restart(
                    first.x() + rank % size.x(),
                    first.y() + rank / size.x() % size.y(),
                    first.z() + rank / size.x() / size.y());
        }
    }

    /// Runs every CTA as far as it gets, in turn.
    ///
    /// @param rounds of spinning after which it gives way
    public Cta.State run(int rounds) {
        if (ctas.length == 1) {
            return ctas[0].run(rounds);
        }
        int spun = 0;
        int idle = 0;
        while (spun < rounds) {
            boolean done = true;
            boolean moved = false;
            for (Cta cta : ctas) {
                if (cta.alive() > 0) {
                    Cta.State state = cta.run(1);
                    moved |= state == Cta.State.DONE || state == Cta.State.RUNNING;
                    done &= state == Cta.State.DONE;
                }
            }
            if (done) {
                return Cta.State.DONE;
            }
            spun++;
            // Each must have been looked at since the last of the others did something.
            idle = moved ? 0 : idle + 1;
            if (idle > 1 && !settle()) {
                requireWayOn();
                return Cta.State.STALLED;
            }
        }
        return Cta.State.RUNNING;
    }

    private boolean settle() {
        boolean settled = false;
        for (Cta cta : ctas) {
            settled |= cta.settleStragglers();
        }
        return settled;
    }

    /// No CTA goes on by itself: one at least must wait for memory that others may change.
    private void requireWayOn() {
        Cta spinning = null;
        Cta waiting = null;
        for (Cta cta : ctas) {
            if (cta.alive() > 0) {
                if (cta.spinsOutside()) {
                    return;
                }
                spinning = spinning == null && cta.spins() ? cta : spinning;
                waiting = waiting == null ? cta : waiting;
            }
        }
        if (spinning != null) {
            throw Deadlock.spinning(spinning);
        }
        if (waiting != null) {
            throw Deadlock.waiting(waiting);
        }
    }

    /// What a cluster waits for that runs in a circle.
    public Finding stalled() {
        for (Cta cta : ctas) {
            if (cta.alive() > 0 && cta.spins()) {
                return cta.stalled();
            }
        }
        return ctas[0].stalled();
    }

    /// All threads have met: what they did before is over for all of them.
    void synchronize() {
        for (Cta cta : ctas) {
            cta.synchronize();
        }
    }

    /// Threads that have not ended.
    public int alive() {
        int alive = 0;
        for (Cta cta : ctas) {
            alive += cta.alive();
        }
        return alive;
    }

    /// How many CTAs it has.
    public int size() {
        return ctas.length;
    }

    /// The CTA of this rank.
    public Cta cta(int rank) {
        return ctas[rank];
    }

    /// Its number in the grid.
    public long index() {
        return index;
    }

    /// Where all its threads meet.
    public ClusterBarrier barrier() {
        return barrier;
    }
}
