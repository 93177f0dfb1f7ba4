package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Extent;

import org.jspecify.annotations.Nullable;

/// What is between `<<<` and `>>>`, and the attributes of a launch.
///
/// @param cluster CTAs of a cluster, or null where the kernel decides
/// @param early whether it may begin before the launch in front of it has ended, as soon as that
///     says so (`cudaLaunchAttributeProgrammaticStreamSerialization`)
/// @param dynamic bytes of dynamic shared memory
/// @param stream its handle
public record LaunchConfiguration(
        Dimensions grid,
        Dimensions block,
        @Nullable Dimensions cluster,
        boolean cooperative,
        boolean early,
        long dynamic,
        long stream) {
    private static final int MOST_DEPTH = 64;
    private static final int MOST_ACROSS = 65535;
    private static final int CLUSTER_ATTRIBUTE = 4;
    private static final int COOPERATIVE_ATTRIBUTE = 2;
    private static final int EARLY_ATTRIBUTE = 6;
    private static final int ATTRIBUTE_BYTES = 72;

    /// How many, in three directions.
    public record Dimensions(int x, int y, int z) {
        /// Those at an address: three words.
        public static Dimensions at(long address) {
            return new Dimensions(
                    Host.getInt(address), Host.getInt(address + 4), Host.getInt(address + 8));
        }

        /// A `dim3` by value is two words: x and y in the first, z in the second.
        static Dimensions of(long xy, int z) {
            return new Dimensions((int) xy, (int) (xy >>> 32), z);
        }

        private boolean isPositive() {
            return x > 0 && y > 0 && z > 0;
        }

        Extent extent() {
            return new Extent(x, y, z);
        }
    }

    /// A launch in single CTAs, of which none waits for another.
    public static LaunchConfiguration plain(
            Dimensions grid, Dimensions block, long dynamic, long stream) {
        return new LaunchConfiguration(grid, block, null, false, false, dynamic, stream);
    }

    /// Of a `cudaLaunchConfig_t`.
    static LaunchConfiguration ofRuntime(long at) {
        return plain(
                        Dimensions.at(at),
                        Dimensions.at(at + 12),
                        Host.getLong(at + 24),
                        Host.getLong(at + 32))
                .with(Host.getLong(at + 40), Host.getInt(at + 48));
    }

    /// Of a `CUlaunchConfig`.
    static LaunchConfiguration ofDriver(long at) {
        return plain(
                        Dimensions.at(at),
                        Dimensions.at(at + 12),
                        Host.getInt(at + 24),
                        Host.getLong(at + 32))
                .with(Host.getLong(at + 40), Host.getInt(at + 48));
    }

    /// The same with attributes. Most are hints, or order launches that are in order here anyway.
    private LaunchConfiguration with(long attributes, int count) {
        Dimensions clusters = cluster;
        boolean together = cooperative;
        boolean soon = early;
        for (int i = 0; i < count; i++) {
            long attribute = attributes + (long) ATTRIBUTE_BYTES * i;
            switch (Host.getInt(attribute)) {
                case CLUSTER_ATTRIBUTE -> clusters = Dimensions.at(attribute + 8);
                case COOPERATIVE_ATTRIBUTE -> together = Host.getInt(attribute + 8) != 0;
                case EARLY_ATTRIBUTE -> soon = Host.getInt(attribute + 8) != 0;
                default -> {}
            }
        }
        return new LaunchConfiguration(grid, block, clusters, together, soon, dynamic, stream);
    }

    /// The same as a cooperative launch.
    public LaunchConfiguration together() {
        return new LaunchConfiguration(grid, block, cluster, true, early, dynamic, stream);
    }

    /// Refuses what the device or the kernel does not take. The codes are those that an H100
    /// answers (driver 580.159.04, CUDA 13.0, 2026-11-22).
    ///
    /// @param mostOfCluster CTAs of a cluster that the kernel may be launched in
    void requireFit(Kernel kernel, int mostOfCluster) {
        refuseIf(
                cluster != null
                        && (!cluster.isPositive() || cluster.extent().count() > mostOfCluster),
                ErrorCode.INVALID_CLUSTER_SIZE);
        refuseIf(
                !grid.isPositive()
                        || !block.isPositive()
                        || grid.y > MOST_ACROSS
                        || grid.z > MOST_ACROSS
                        || block.z > MOST_DEPTH
                        || block.extent().count() > Extent.MOST_THREADS,
                ErrorCode.INVALID_VALUE);
        try {
            kernel.requireFit(shape());
        } catch (IllegalArgumentException e) {
            System.err.println("heddle: " + e.getMessage());
            boolean inClusters = cluster != null || kernel.requiredCluster() != null;
            throw new CudaException(
                    inClusters ? ErrorCode.INVALID_CLUSTER_SIZE : ErrorCode.INVALID_VALUE);
        }
    }

    /// What of it a kernel can see.
    Launch.Shape shape() {
        return new Launch.Shape(
                grid.extent(),
                block.extent(),
                cluster == null ? null : cluster.extent(),
                (int) dynamic,
                cooperative);
    }
}
