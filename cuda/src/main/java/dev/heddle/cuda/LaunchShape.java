package dev.heddle.cuda;

/// How many CTAs of how many threads a launch runs, and the dynamic shared memory of each CTA.
///
/// @param grid CTAs
/// @param block threads of a CTA
/// @param sharedBytes dynamic shared memory of a CTA in bytes
public record LaunchShape(Extent grid, Extent block, int sharedBytes) {
    /// A size along three axes, each at least 1.
    public record Extent(int x, int y, int z) {
        /// Checks the three sizes.
        public Extent {
            if (x < 1 || y < 1 || z < 1) {
                throw new IllegalArgumentException(
                        "extent (%d, %d, %d): each axis must be at least 1".formatted(x, y, z));
            }
        }
    }

    /// Checks the size of shared memory.
    public LaunchShape {
        if (sharedBytes < 0) {
            throw new IllegalArgumentException("shared memory of " + sharedBytes + " bytes");
        }
    }

    /// A row of `ctas` CTAs of `threads` threads, without dynamic shared memory.
    public static LaunchShape linear(int ctas, int threads) {
        return new LaunchShape(new Extent(ctas, 1, 1), new Extent(threads, 1, 1), 0);
    }

    /// The same launch with dynamic shared memory.
    public LaunchShape withShared(int bytes) {
        return new LaunchShape(grid, block, bytes);
    }
}
