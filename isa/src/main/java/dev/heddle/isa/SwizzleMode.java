package dev.heddle.isa;

import dev.heddle.layout.Swizzle;

/// How 16-byte units of a matrix are spread over the banks of shared memory.
///
/// PTX ISA 9.7.15.5.1.2, tables 38 and 39.
public enum SwizzleMode {
    /// No swizzle: core matrices of eight 16-byte rows.
    NONE(0, 16, 0),
    /// Rows of 128 bytes, patterns of 1024.
    BYTES_128(1, 128, 3),
    /// Rows of 64 bytes, patterns of 512.
    BYTES_64(2, 64, 2),
    /// Rows of 32 bytes, patterns of 256.
    BYTES_32(3, 32, 1);

    private final int code;
    private final int rowBytes;
    private final int bits;

    SwizzleMode(int code, int rowBytes, int bits) {
        this.code = code;
        this.rowBytes = rowBytes;
        this.bits = bits;
    }

    /// Bits 63..62 of a descriptor.
    public int code() {
        return code;
    }

    /// Bytes along the leading dimension that are together.
    public int rowBytes() {
        return rowBytes;
    }

    /// Where the repeating pattern starts: a multiple of 1024, 512 or 256 bytes.
    public int patternBytes() {
        return 8 * rowBytes;
    }

    /// The exclusive-or of address bits.
    public Swizzle swizzle() {
        return new Swizzle(bits, 4, 3);
    }

    static SwizzleMode ofCode(int code) {
        return values()[code];
    }

    @Override
    public String toString() {
        return this == NONE ? "no swizzle" : rowBytes + "-byte swizzle";
    }
}
