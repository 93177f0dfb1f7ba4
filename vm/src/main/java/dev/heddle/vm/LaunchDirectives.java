package dev.heddle.vm;

import dev.heddle.formats.InputException;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.LaunchBounds;

/// Whether launches fit what the directives of their kernel demand.
///
/// @param kernel its name, for messages
/// @param bounds of its directives
record LaunchDirectives(String kernel, LaunchBounds bounds) {
    /// CTAs of a cluster, at most: what sm_90 takes, where 8 are portable (PTX ISA 2.2.2).
    private static final int MOST_RANKS = 16;

    private static final Extent ONE = new Extent(1, 1, 1);

    /// The clusters of a launch: what it says, else what the kernel requires, else single CTAs.
    Extent cluster(Launch.Shape shape) {
        Extent asked = shape.cluster();
        return asked != null ? asked : bounds.cluster() != null ? bounds.cluster() : ONE;
    }

    /// Whether the launch or the kernel says what a cluster is.
    boolean clustered(Launch.Shape shape) {
        return shape.cluster() != null || bounds.cluster() != null;
    }

    /// Refuses a launch that the driver would refuse.
    ///
    /// @throws InputException that names the directive and its section
    void requireFit(Launch.Shape shape) {
        requireBlock(shape.block());
        requireCluster(shape);
    }

    private void requireBlock(Extent block) {
        Extent requiredBlock = bounds.block();
        if (requiredBlock != null && !requiredBlock.equals(block)) {
            throw new InputException(
                    "kernel %s has .reqntid %s, the launch a block of %s: they must be equal (PTX ISA 11.4.3)"
                            .formatted(kernel, text(requiredBlock), text(block)));
        }
        if (block.count() > Extent.MOST_THREADS) {
            throw new InputException(
                    "a CTA of %d threads: at most %d"
                            .formatted(block.count(), Extent.MOST_THREADS));
        }
        if (block.count() > bounds.threads()) {
            throw new InputException(
                    "kernel %s has .maxntid, %d threads at most, the launch a block of %s, %d threads (PTX ISA 11.4.2)"
                            .formatted(kernel, bounds.threads(), text(block), block.count()));
        }
    }

    private void requireCluster(Launch.Shape shape) {
        Extent asked = shape.cluster();
        Extent requiredCluster = bounds.cluster();
        if (asked != null && requiredCluster != null && !asked.equals(requiredCluster)) {
            throw new InputException(
                    "kernel %s has .reqnctapercluster %s, the launch clusters of %s: they must be equal (PTX ISA 11.7.1)"
                            .formatted(kernel, text(requiredCluster), text(asked)));
        }
        if (bounds.explicitCluster() && asked == null && requiredCluster == null) {
            throw new InputException(
                    "kernel %s has .explicitcluster: the launch must say its clusters (PTX ISA 11.7.2)"
                            .formatted(kernel));
        }
        Extent cluster = cluster(shape);
        long mostRanks = Math.min(MOST_RANKS, bounds.ranks());
        if (cluster.count() > mostRanks) {
            throw new InputException(
                    "clusters of %s, %d CTAs: %s has at most %d in a cluster (PTX ISA 11.7.3)"
                            .formatted(text(cluster), cluster.count(), kernel, mostRanks));
        }
        Extent grid = shape.grid();
        if (grid.x() % cluster.x() != 0
                || grid.y() % cluster.y() != 0
                || grid.z() % cluster.z() != 0) {
            throw new InputException(
                    "a grid of %s in clusters of %s: every extent must be a multiple of the cluster's (PTX ISA 2.2.2)"
                            .formatted(text(grid), text(cluster)));
        }
    }

    private static String text(Extent extent) {
        return "%d,%d,%d".formatted(extent.x(), extent.y(), extent.z());
    }
}
