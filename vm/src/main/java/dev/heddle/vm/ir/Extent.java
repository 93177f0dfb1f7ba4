package dev.heddle.vm.ir;

import dev.heddle.formats.InputException;

/// A size in three directions: of a grid in CTAs, of a CTA in threads.
///
/// @param x along the first axis
/// @param y along the second
/// @param z along the third
public record Extent(int x, int y, int z) {
    /// Threads of a CTA, at most, on every GPU so far (CUDA C++ Programming Guide, "Compute
    /// Capabilities").
    public static final int MOST_THREADS = 1024;

    public Extent {
        if (x < 1 || y < 1 || z < 1) {
            throw new InputException(
                    "extent (%d,%d,%d): every axis must be at least 1".formatted(x, y, z));
        }
    }

    /// The number of points.
    public long count() {
        return (long) x * y * z;
    }
}
