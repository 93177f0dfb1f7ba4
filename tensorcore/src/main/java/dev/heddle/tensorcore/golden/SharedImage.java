package dev.heddle.tensorcore.golden;

import dev.heddle.formats.InputException;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.isa.SwizzleMode;

/// A matrix of a golden case as it lay in shared memory when the case was recorded.
///
/// The layout codes are those of the format: 0 and 1 K-major without swizzle, 2 and 3 K-major with
/// a swizzle of 128 and 64 bytes, 4 and 5 MN-major without swizzle.
///
/// @param bytes      the memory from the matrix's start on
/// @param descriptor its descriptor, for memory that begins at address 0
/// @param major      its major dimension
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
record SharedImage(byte[] bytes, MatrixDescriptor descriptor, Major major) {

    private static final int LINES = 8;
    private static final int CHUNK = 16;

    /// Lays out a matrix.
    ///
    /// @param matrix        its elements, row after row
    /// @param rows          rows of A, columns of B
    /// @param layout        the layout code
    /// @param leadingOffset the descriptor's leading dimension byte offset
    /// @param strideOffset  the descriptor's stride dimension byte offset
    /// @throws InputException if there is no such layout
    static SharedImage of(
            byte[] matrix, int rows, int layout, int leadingOffset, int strideOffset) {
        int rowBytes = matrix.length / rows;
        SwizzleMode swizzle =
                switch (layout) {
                    case 0, 1, 4, 5 -> SwizzleMode.NONE;
                    case 2 -> SwizzleMode.BYTES_128;
                    case 3 -> SwizzleMode.BYTES_64;
                    default ->
                            throw new InputException(
                                    "shared memory layout " + layout + ": expected 0..5");
                };
        int[] offsets = new int[matrix.length];
        int size = 0;
        for (int at = 0; at < matrix.length; at++) {
            int row = at / rowBytes;
            int b = at % rowBytes;
            offsets[at] = offset(layout, row, b, leadingOffset, strideOffset);
            size = Math.max(size, offsets[at] + 1);
        }
        byte[] bytes = new byte[Math.ceilDiv(size, CHUNK) * CHUNK];
        for (int at = 0; at < matrix.length; at++) {
            bytes[offsets[at]] = matrix[at];
        }
        return new SharedImage(
                bytes,
                new MatrixDescriptor(0, leadingOffset, strideOffset, 0, swizzle),
                layout >= 4 ? Major.MN : Major.K);
    }

    /// The offset of byte `b` of a row, as the format gives it.
    private static int offset(int layout, int row, int b, int leadingOffset, int strideOffset) {
        return switch (layout) {
            case 2 -> swizzled(row * 128 + b, 7);
            case 3 -> swizzled(row * 64 + b, 3);
            case 4, 5 ->
                    row / LINES * strideOffset
                            + b / 2 / LINES * leadingOffset
                            + b / 2 % LINES * CHUNK
                            + row % LINES * 2
                            + b % 2;
            default ->
                    row / LINES * strideOffset
                            + b / CHUNK * leadingOffset
                            + row % LINES * CHUNK
                            + b % CHUNK;
        };
    }

    private static int swizzled(int x, int mask) {
        return x ^ (x >> 7 & mask) << 4;
    }
}
