package dev.heddle.vm.state;

import dev.heddle.vm.ir.Extent;

import java.lang.foreign.Arena;

/// The CTAs of a cluster, which run at the same time and reach each other's shared memory (PTX ISA
/// 2.2.2). Most have one CTA. Reused for one cluster after the other.
public final class Cluster {
    private Grid grid;
    private final Arena arena;
    private final Cta[] ctas;
    private final ClusterBarrier barrier = new ClusterBarrier(this);
    private long index;

    /// A cluster of a grid, which is at no place in it yet.
    public Cluster(Grid grid, Cta.Worker worker) {
        this.grid = grid;
        arena = SpareClusters.keeps(grid) ? Arena.ofAuto() : grid.arena();
        ctas = new Cta[Math.toIntExact(grid.shape().cluster().count())];
        for (int rank = 0; rank < ctas.length; rank++) {
            ctas[rank] = new Cta(grid, worker, this, rank);
        }
    }

    /// Becomes one of another launch, at no place in it yet.
    void serve(Grid other, Cta.Worker worker) {
        grid = other;
        for (Cta cta : ctas) {
            cta.serve(other, worker);
        }
    }

    /// The launch that it is of.
    Grid grid() {
        return grid;
    }

    /// Where it takes memory that it needs as long as it lasts.
    Arena arena() {
        return arena;
    }

    /// Becomes the cluster with this linear index, its threads at the kernel's entry.
    ///
    /// @param executor makes the registers ready
    public void restart(long linear, Executor executor) {
        index = linear;
        barrier.clear();
        Extent size = grid.shape().cluster();
        GridShape.Place first = grid.shape().firstOf(linear);
        for (Cta cta : ctas) {
            int rank = cta.rank();
            cta.restart(
                    first.x() + rank % size.x(),
                    first.y() + rank / size.x() % size.y(),
                    first.z() + rank / size.x() / size.y(),
                    executor);
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
