package dev.heddle.cuda;

import dev.heddle.formats.InputException;

import org.jspecify.annotations.Nullable;

/// How many CTAs of how many threads a launch runs, the dynamic shared memory of each CTA, and
/// which CTAs run together.
///
/// @param grid CTAs
/// @param block threads of a CTA
/// @param sharedBytes dynamic shared memory of a CTA in bytes
/// @param cluster CTAs of a cluster, or null where the kernel says it
/// @param cooperative whether all CTAs run at once and may wait for one another
public record LaunchShape(
        Extent grid, Extent block, int sharedBytes, @Nullable Extent cluster, boolean cooperative) {
    /// CTAs of a cluster that every GPU with clusters takes.
    private static final int PORTABLE_CLUSTER = 8;

    /// A size along three axes, each at least 1.
    public record Extent(int x, int y, int z) {
        /// Checks the three sizes.
        public Extent {
            if (x < 1 || y < 1 || z < 1) {
                throw new InputException(
                        "extent (%d, %d, %d): each axis must be at least 1".formatted(x, y, z));
            }
        }
    }

    /// Checks the size of shared memory.
    public LaunchShape {
        if (sharedBytes < 0) {
            throw new InputException("shared memory of " + sharedBytes + " bytes");
        }
    }

    /// A launch without clusters that the kernel does not ask for.
    public LaunchShape(Extent grid, Extent block, int sharedBytes) {
        this(grid, block, sharedBytes, null, false);
    }

    /// Whether the launch needs attributes beside its extents.
    boolean hasAttributes() {
        return cluster != null || cooperative;
    }

    /// Whether its clusters are larger than every GPU with clusters takes.
    boolean isBeyondPortable() {
        return cluster != null && (long) cluster.x() * cluster.y() * cluster.z() > PORTABLE_CLUSTER;
    }

    /// A row of `ctas` CTAs of `threads` threads, without dynamic shared memory.
    public static LaunchShape linear(int ctas, int threads) {
        return new LaunchShape(new Extent(ctas, 1, 1), new Extent(threads, 1, 1), 0);
    }

    /// The same launch with dynamic shared memory.
    public LaunchShape withShared(int bytes) {
        return new LaunchShape(grid, block, bytes, cluster, cooperative);
    }
}
