package dev.heddle.vm.memory;

import dev.heddle.formats.InputException;

/// How the units of a box are exchanged in shared memory (PTX ISA 5.5.7). The first seven are in
/// the order of `CUtensorMapSwizzle`; the last only `tensormap.replace` can name.
///
/// Bits of the address that count lines of 128 bytes are added, without carry, to those that count
/// the units within a line.
public enum TensorSwizzle {
    NONE(0, 0, 0, 0, 0),
    BYTES_32(1, 0, 32, 3, 0x10),
    BYTES_64(2, 0, 64, 3, 0x30),
    BYTES_128(3, 0, 128, 3, 0x70),
    /// 32 bytes stay together.
    BYTES_128_ATOM_32(3, 1, 128, 2, 0x60),
    /// As before, and in every second line the halves of each 16 bytes change places. Which lines
    /// these are, the manual shows in a figure alone: the odd ones are ASSUMED.
    BYTES_128_ATOM_32_FLIP_8(3, 2, 128, 2, 0x60),
    /// 64 bytes stay together.
    BYTES_128_ATOM_64(3, 3, 128, 1, 0x40),
    /// The units change places as with 32 bytes. That a row takes 96 bytes is ASSUMED: the manual
    /// shows it in a figure alone.
    BYTES_96(4, 0, 96, 3, 0x10);

    private static final int FLIPPED = 8;
    private static final int LINE_TO_FLIPPED = 4;

    private final int mode;
    private final int atomicity;
    private final int span;
    private final int shift;
    private final int mask;

    TensorSwizzle(int mode, int atomicity, int span, int shift, int mask) {
        this.mode = mode;
        this.atomicity = atomicity;
        this.span = span;
        this.shift = shift;
        this.mask = mask;
    }

    /// Its number as a `.swizzle_mode` (PTX ISA 9.7.9.28, table 33).
    int mode() {
        return mode;
    }

    /// Its number as a `.swizzle_atomicity`.
    int atomicity() {
        return atomicity;
    }

    /// The one of these numbers; the atomicity counts where there are 128 bytes.
    ///
    /// @throws IllegalArgumentException where there is none
    static TensorSwizzle of(int mode, int atomicity) {
        for (TensorSwizzle swizzle : values()) {
            if (swizzle.mode == mode
                    && (mode != BYTES_128.mode || swizzle.atomicity == atomicity)) {
                return swizzle;
            }
        }
        throw new IllegalArgumentException(
                "the tensor map there has swizzle mode %d, atomicity %d"
                        .formatted(mode, atomicity));
    }

    /// Bytes that a row of the box takes in shared memory; 0 for as many as it has.
    public int span() {
        return span;
    }

    /// Bytes that stay together wherever they begin at a multiple of them.
    public int unit() {
        return this == BYTES_128_ATOM_32_FLIP_8 ? FLIPPED : 2 * FLIPPED;
    }

    /// Where a byte is that would be at this address without the swizzle.
    public long place(long address) {
        long moved = address ^ (address >> shift & mask);
        return this == BYTES_128_ATOM_32_FLIP_8
                ? moved ^ (address >> LINE_TO_FLIPPED & FLIPPED)
                : moved;
    }

    /// The one of 16-byte units in lines of so many bytes.
    ///
    /// @param bytes 0, 32, 64 or 128
    public static TensorSwizzle of(int bytes) {
        return switch (bytes) {
            case 0 -> NONE;
            case 32 -> BYTES_32;
            case 64 -> BYTES_64;
            case 128 -> BYTES_128;
            default -> throw new InputException(bytes + " bytes: 0, 32, 64 or 128");
        };
    }
}
