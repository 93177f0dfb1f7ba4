package dev.heddle.vm.state;

import dev.heddle.formats.InputException;
import dev.heddle.vm.ir.Extent;

/// How the threads of a launch are arranged.
///
/// @param extent CTAs in each direction
/// @param block threads of a CTA in each direction
/// @param cluster CTAs of a cluster in each direction
/// @param explicitCluster whether the launch or the kernel says so, even if it is one
public record GridShape(Extent extent, Extent block, Extent cluster, boolean explicitCluster) {
    private static final int MOST_ACROSS = 65535;

    public GridShape {
        if (extent.y() > MOST_ACROSS || extent.z() > MOST_ACROSS) {
            throw new InputException(
                    "a grid of (%d,%d,%d) CTAs: at most %d along y and z"
                            .formatted(extent.x(), extent.y(), extent.z(), MOST_ACROSS));
        }
        if (block.x() > Extent.MOST_THREADS
                || block.y() > Extent.MOST_THREADS
                || block.z() > Extent.MOST_THREADS
                || block.count() > Extent.MOST_THREADS) {
            throw new InputException(
                    "a CTA of (%d,%d,%d) threads: at most %d in all"
                            .formatted(block.x(), block.y(), block.z(), Extent.MOST_THREADS));
        }
    }

    /// Clusters in each direction.
    public Extent clusters() {
        return new Extent(
                extent.x() / cluster.x(), extent.y() / cluster.y(), extent.z() / cluster.z());
    }

    /// Where a CTA is in the grid.
    public record Place(int x, int y, int z) {}

    /// The first CTA of a cluster.
    ///
    /// @param linear the cluster's number in the grid
    public Place firstOf(long linear) {
        Extent clusters = clusters();
        return new Place(
                (int) (linear % clusters.x()) * cluster.x(),
                (int) (linear / clusters.x() % clusters.y()) * cluster.y(),
                (int) (linear / clusters.x() / clusters.y()) * cluster.z());
    }

    /// Threads of a CTA.
    public int threads() {
        return Math.toIntExact(block.count());
    }

    /// Warps of a CTA, the last perhaps not full.
    public int warps() {
        return (threads() + 31) / 32;
    }
}
