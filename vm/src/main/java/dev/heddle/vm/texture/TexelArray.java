package dev.heddle.vm.texture;

import dev.heddle.formats.InputException;

import java.lang.foreign.MemorySegment;

/// Texels in memory: what `cudaMalloc3DArray` allocates, or linear or pitched memory under a
/// texture.
///
/// @param format of a texel
/// @param width texels of a row
/// @param height rows of a slice; 0 for one dimension
/// @param depth slices, or layers, or faces of cubes; 0 for neither
/// @param layering what the slices are
/// @param bytes the memory, from the first texel on
/// @param rowPitch bytes from one row to the next
public record TexelArray(
        TexelFormat format,
        int width,
        int height,
        int depth,
        Layering layering,
        MemorySegment bytes,
        long rowPitch) {

    /// What is behind one another.
    public enum Layering {
        /// Slices of one image.
        NONE,
        /// Images of their own.
        LAYERED,
        /// The faces of a cube: +x -x +y -y +z -z.
        CUBEMAP,
        /// Those of several cubes.
        CUBEMAP_LAYERED
    }

    public TexelArray {
        boolean cube = layering == Layering.CUBEMAP || layering == Layering.CUBEMAP_LAYERED;
        if (width < 1 || height < 0 || depth < 0) {
            throw new InputException(
                    "an array of %d x %d x %d texels".formatted(width, height, depth));
        }
        if (cube && (width != height || depth == 0 || depth % 6 != 0)) {
            throw new InputException(
                    "a cubemap of %d x %d x %d texels: faces are square, and six a cube"
                            .formatted(width, height, depth));
        }
        long slices = Math.max(1, depth);
        long rows = slices * Math.max(1, height);
        if (rowPitch < (long) width * format.bytes()
                || bytes.byteSize() < (rows - 1) * rowPitch + (long) width * format.bytes()) {
            throw new InputException(
                    "%d bytes for %d rows of %d texels, %d bytes apart"
                            .formatted(bytes.byteSize(), rows, width, rowPitch));
        }
    }

    /// An array without gaps between its rows.
    public static TexelArray packed(
            TexelFormat format,
            int width,
            int height,
            int depth,
            Layering layering,
            MemorySegment bytes) {
        long row = (long) width * format.bytes();
        return new TexelArray(format, width, height, depth, layering, bytes, row);
    }

    /// Bytes from one slice, layer or face to the next.
    public long slicePitch() {
        return rowPitch * Math.max(1, height);
    }

    /// Layers, or cubes; 0 where there are none.
    public int layers() {
        return switch (layering) {
            case NONE, CUBEMAP -> 0;
            case LAYERED -> Math.max(1, depth);
            case CUBEMAP_LAYERED -> depth / 6;
        };
    }

    /// Slices of a three-dimensional image; 0 for one that has not three.
    public int slices() {
        return layering == Layering.NONE ? depth : 0;
    }

    /// Where a texel is in the memory.
    long place(int x, int y, int z) {
        return z * slicePitch() + y * rowPitch + (long) x * format.bytes();
    }
}
