package dev.heddle.tensorcore;

import dev.heddle.layout.Swizzle;

/// A matrix descriptor: where a matrix lies in shared memory (PTX ISA 9.7.15.5.1.2.2).
///
/// All offsets are in bytes and multiples of 16.
///
/// @param start              address of the first byte, below 2^18
/// @param leadingOffset      leading dimension byte offset
/// @param strideOffset       stride dimension byte offset
/// @param baseOffset         by how many 128-byte lines the swizzle pattern begins off its boundary
/// @param swizzle            the swizzling mode
public record MatrixDescriptor(
        int start, int leadingOffset, int strideOffset, int baseOffset, SwizzleMode swizzle) {

    private static final int FIELD = 0x3FFF;
    private static final int UNIT_BITS = 4;
    private static final int CHUNK_BYTES = 16;
    private static final int CHUNK_WORDS = 4;
    private static final int LINES = 8;

    /// The swizzling modes, in the order of their codes.
    public enum SwizzleMode {
        NONE(0),
        BYTES_128(3),
        BYTES_64(2),
        BYTES_32(1);

        private final Swizzle swizzle;

        SwizzleMode(int bits) {
            this.swizzle = new Swizzle(bits, 4, 3);
        }

        /// Bytes of a line of the pattern: 16, 128, 64, 32.
        public int bytes() {
            return CHUNK_BYTES << swizzle.bits();
        }
    }

    /// Decodes the 64-bit value of a register.
    public static MatrixDescriptor decode(long bits) {
        return new MatrixDescriptor(
                field(bits, 0),
                field(bits, 16),
                field(bits, 32),
                (int) (bits >>> 49) & 7,
                SwizzleMode.values()[(int) (bits >>> 62)]);
    }

    private static int field(long bits, int at) {
        return ((int) (bits >>> at) & FIELD) << UNIT_BITS;
    }

    /// The 64-bit value that a register holds.
    public long encode() {
        return encode(start)
                | encode(leadingOffset) << 16
                | encode(strideOffset) << 32
                | (long) baseOffset << 49
                | (long) swizzle.ordinal() << 62;
    }

    private static long encode(int offset) {
        return offset >> UNIT_BITS & FIELD;
    }

    /// Copies a matrix out of shared memory.
    ///
    /// K-major, the words are those of row (column of B) 0 along k, then those of row 1. MN-major,
    /// they are those of k = 0 along the rows, then those of k = 1.
    ///
    /// @param lines rows of A or columns of B
    /// @param k     elements of a line
    /// @param bytes bytes of an element; MN-major, 2
    /// @param words receives the words
    public void load(SharedMemory memory, Major major, int lines, int k, int bytes, int[] words) {
        int outer = major == Major.K ? lines : k;
        int inner = (major == Major.K ? k : lines) * bytes / CHUNK_BYTES;
        for (int line = 0; line < outer; line++) {
            for (int chunk = 0; chunk < inner; chunk++) {
                int address =
                        start + (major == Major.K ? offsetK(line, chunk) : offsetMn(line, chunk));
                memory.read(
                        swizzled(address),
                        words,
                        (line * inner + chunk) * CHUNK_WORDS,
                        CHUNK_WORDS);
            }
        }
    }

    /// Canonical layout `((8,m),(T,2k))`: of a row, the chunks of 16 bytes along k.
    private int offsetK(int row, int chunk) {
        int inLine = swizzle == SwizzleMode.NONE ? chunk * leadingOffset : chunk * CHUNK_BYTES;
        return row / LINES * strideOffset + row % LINES * swizzle.bytes() + inLine;
    }

    /// Canonical layouts `((T,1,m),(8,k))` and `((T,2..8,m),(8,k))`: of a k, the chunks along the
    /// rows.
    private int offsetMn(int k, int chunk) {
        int line = k % LINES * swizzle.bytes();
        if (swizzle == SwizzleMode.NONE) {
            return chunk * strideOffset + k / LINES * leadingOffset + line;
        }
        int chunks = swizzle.bytes() / CHUNK_BYTES;
        return chunk % chunks * CHUNK_BYTES
                + chunk / chunks * leadingOffset
                + k / LINES * strideOffset
                + line;
    }

    /// The pattern repeats from the boundary that the base offset names.
    private int swizzled(int address) {
        int shift = baseOffset << 7;
        return swizzle.swizzle.apply(address - shift) + shift;
    }
}
