package dev.heddle.cuda;

/// How a matrix of `wgmma` lies in shared memory, by the container's layout codes.
///
/// A "row" is a row of A or a column of B; its elements along K are adjacent in the logical
/// matrix. PTX ISA 9.7.15.5.1.
public enum SharedLayout {
    /// K innermost, no swizzle, the core matrices of a row of core matrices adjacent.
    K_MAJOR_ALONG_K,
    /// K innermost, no swizzle, the core matrices of a column of core matrices adjacent.
    K_MAJOR_ALONG_ROWS,
    /// K innermost in rows of 128 bytes, swizzled.
    SWIZZLE_128,
    /// K innermost in rows of 64 bytes, swizzled.
    SWIZZLE_64,
    /// M or N innermost, no swizzle, core matrices adjacent along M or N.
    TRANSPOSED_ALONG_ROWS,
    /// M or N innermost, no swizzle, core matrices adjacent along K.
    TRANSPOSED_ALONG_K;

    private static final int CORE_ROWS = 8;
    private static final int CORE_ROW_BYTES = 16;
    private static final int CORE_BYTES = CORE_ROWS * CORE_ROW_BYTES;

    /// Bytes a swizzled descriptor has in its unused leading offset.
    private static final int UNUSED_OFFSET = 16;

    /// The number in the container.
    public int code() {
        return ordinal();
    }

    /// Whether M or N is innermost; then imm-trans is 1.
    public boolean transposed() {
        return this == TRANSPOSED_ALONG_ROWS || this == TRANSPOSED_ALONG_K;
    }

    /// The leading-dimension byte offset of the descriptor.
    ///
    /// @param rows rows of the matrix
    public int leadingOffset(int rows) {
        return switch (this) {
            case K_MAJOR_ALONG_K, TRANSPOSED_ALONG_K -> CORE_BYTES;
            case K_MAJOR_ALONG_ROWS, TRANSPOSED_ALONG_ROWS -> rows / CORE_ROWS * CORE_BYTES;
            case SWIZZLE_128, SWIZZLE_64 -> UNUSED_OFFSET;
        };
    }

    /// The stride-dimension byte offset of the descriptor.
    ///
    /// @param rowBytes bytes of a row
    public int strideOffset(int rowBytes) {
        return switch (this) {
            case K_MAJOR_ALONG_K -> rowBytes / CORE_ROW_BYTES * CORE_BYTES;
            case TRANSPOSED_ALONG_K -> rowBytes / 2 / CORE_ROWS * CORE_BYTES;
            case K_MAJOR_ALONG_ROWS, TRANSPOSED_ALONG_ROWS -> CORE_BYTES;
            case SWIZZLE_128 -> CORE_ROWS * 128;
            case SWIZZLE_64 -> CORE_ROWS * 64;
        };
    }

    /// Where byte `b` of row `r` is.
    public int offset(int r, int b, int rows, int rowBytes) {
        int leading = leadingOffset(rows);
        int stride = strideOffset(rowBytes);
        return switch (this) {
            case K_MAJOR_ALONG_K, K_MAJOR_ALONG_ROWS ->
                    r / CORE_ROWS * stride
                            + b / CORE_ROW_BYTES * leading
                            + r % CORE_ROWS * CORE_ROW_BYTES
                            + b % CORE_ROW_BYTES;
            case SWIZZLE_128 -> swizzled(r * 128 + b, 7);
            case SWIZZLE_64 -> swizzled(r * 64 + b, 3);
            case TRANSPOSED_ALONG_ROWS, TRANSPOSED_ALONG_K -> {
                int k = b / 2;
                yield r / CORE_ROWS * stride
                        + k / CORE_ROWS * leading
                        + k % CORE_ROWS * CORE_ROW_BYTES
                        + r % CORE_ROWS * 2
                        + b % 2;
            }
        };
    }

    private static int swizzled(int address, int mask) {
        return address ^ (address >> 7 & mask) << 4;
    }

    /// Bytes of shared memory from the first row to the last.
    public int size(int rows, int rowBytes) {
        return switch (this) {
            case SWIZZLE_128 -> rows * 128;
            case SWIZZLE_64 -> rows * 64;
            case K_MAJOR_ALONG_K, K_MAJOR_ALONG_ROWS, TRANSPOSED_ALONG_ROWS, TRANSPOSED_ALONG_K ->
                    rows * rowBytes;
        };
    }

    /// The descriptor of a matrix that begins `start` bytes into the image.
    public long descriptor(int start, int rows, int rowBytes) {
        long mode =
                switch (this) {
                    case SWIZZLE_128 -> 1;
                    case SWIZZLE_64 -> 2;
                    case K_MAJOR_ALONG_K,
                            K_MAJOR_ALONG_ROWS,
                            TRANSPOSED_ALONG_ROWS,
                            TRANSPOSED_ALONG_K ->
                            0;
                };
        return start >> 4
                | (long) (leadingOffset(rows) >> 4) << 16
                | (long) (strideOffset(rowBytes) >> 4) << 32
                | mode << 62;
    }
}
