package dev.heddle.vm;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.Signature;
import dev.heddle.vm.ir.Extent;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What a kernel's directives demand of its launches (PTX ISA 11.4, 11.7).
///
/// @param kernel its name, for messages
/// @param requiredBlock of `.reqntid`: the extents of every CTA
/// @param mostThreads of `.maxntid`: the product of its extents
/// @param requiredCluster of `.reqnctapercluster`: the extents of every cluster
/// @param mostRanks of `.maxclusterrank`: CTAs of a cluster
/// @param explicitCluster whether `.explicitcluster` asks for a cluster
record LaunchDirectives(
        String kernel,
        @Nullable Extent requiredBlock,
        long mostThreads,
        @Nullable Extent requiredCluster,
        long mostRanks,
        boolean explicitCluster) {
    /// CTAs of a cluster, at most: what sm_90 takes, where 8 are portable (PTX ISA 2.2.2).
    private static final int MOST_RANKS = 16;

    private static final Extent ONE = new Extent(1, 1, 1);

    /// Those of a kernel of a module.
    static LaunchDirectives of(Module module, String kernel) {
        for (ModuleItem item : module.items()) {
            if (item instanceof Function function
                    && function.isEntry()
                    && function.name().equals(kernel)) {
                return of(kernel, function.signature().directives());
            }
        }
        return of(kernel, List.of());
    }

    private static LaunchDirectives of(String kernel, List<Signature.Directive> directives) {
        Extent block = null;
        Extent cluster = null;
        long threads = Launch.MOST_THREADS;
        long ranks = MOST_RANKS;
        boolean explicit = false;
        for (Signature.Directive directive : directives) {
            switch (directive.name()) {
                case "reqntid" -> block = extent(directive.values());
                case "maxntid" -> threads = Math.min(threads, product(directive.values()));
                case "reqnctapercluster" -> cluster = extent(directive.values());
                case "maxclusterrank" -> ranks = Math.min(ranks, product(directive.values()));
                case "explicitcluster" -> explicit = true;
                default -> {}
            }
        }
        return new LaunchDirectives(kernel, block, threads, cluster, ranks, explicit);
    }

    private static long product(List<Long> values) {
        long product = 1;
        for (long value : values) {
            // Larger than any launch, and never so large that it overflows.
            product = Math.min(product * Math.min(Math.max(value, 0), 1 << 20), 1 << 20);
        }
        return product;
    }

    private static @Nullable Extent extent(List<Long> values) {
        int[] extents = {1, 1, 1};
        for (int i = 0; i < Math.min(3, values.size()); i++) {
            long value = values.get(i);
            if (value < 1 || value > Integer.MAX_VALUE) {
                return null;
            }
            extents[i] = (int) value;
        }
        return new Extent(extents[0], extents[1], extents[2]);
    }

    /// The clusters of a launch: what it says, else what the kernel requires, else single CTAs.
    Extent cluster(Launch.Shape shape) {
        Extent asked = shape.cluster();
        return asked != null ? asked : requiredCluster != null ? requiredCluster : ONE;
    }

    /// Whether the launch or the kernel says what a cluster is.
    boolean clustered(Launch.Shape shape) {
        return shape.cluster() != null || requiredCluster != null;
    }

    /// Refuses a launch that the driver would refuse.
    ///
    /// @throws IllegalArgumentException that names the directive and its section
    void requireFit(Launch.Shape shape) {
        requireBlock(shape.block());
        requireCluster(shape);
    }

    private void requireBlock(Extent block) {
        if (requiredBlock != null && !requiredBlock.equals(block)) {
            throw new IllegalArgumentException(
                    "kernel %s has .reqntid %s, the launch a block of %s: they must be equal (PTX ISA 11.4.3)"
                            .formatted(kernel, text(requiredBlock), text(block)));
        }
        if (block.count() > Launch.MOST_THREADS) {
            throw new IllegalArgumentException(
                    "a CTA of %d threads: at most %d"
                            .formatted(block.count(), Launch.MOST_THREADS));
        }
        if (block.count() > mostThreads) {
            throw new IllegalArgumentException(
                    "kernel %s has .maxntid, %d threads at most, the launch a block of %s, %d threads (PTX ISA 11.4.2)"
                            .formatted(kernel, mostThreads, text(block), block.count()));
        }
    }

    private void requireCluster(Launch.Shape shape) {
        Extent asked = shape.cluster();
        if (asked != null && requiredCluster != null && !asked.equals(requiredCluster)) {
            throw new IllegalArgumentException(
                    "kernel %s has .reqnctapercluster %s, the launch clusters of %s: they must be equal (PTX ISA 11.7.1)"
                            .formatted(kernel, text(requiredCluster), text(asked)));
        }
        if (explicitCluster && asked == null && requiredCluster == null) {
            throw new IllegalArgumentException(
                    "kernel %s has .explicitcluster: the launch must say its clusters (PTX ISA 11.7.2)"
                            .formatted(kernel));
        }
        Extent cluster = cluster(shape);
        if (cluster.count() > mostRanks) {
            throw new IllegalArgumentException(
                    "clusters of %s, %d CTAs: %s has at most %d in a cluster (PTX ISA 11.7.3)"
                            .formatted(text(cluster), cluster.count(), kernel, mostRanks));
        }
        Extent grid = shape.grid();
        if (grid.x() % cluster.x() != 0
                || grid.y() % cluster.y() != 0
                || grid.z() % cluster.z() != 0) {
            throw new IllegalArgumentException(
                    "a grid of %s in clusters of %s: every extent must be a multiple of the cluster's (PTX ISA 2.2.2)"
                            .formatted(text(grid), text(cluster)));
        }
    }

    private static String text(Extent extent) {
        return "%d,%d,%d".formatted(extent.x(), extent.y(), extent.z());
    }
}
