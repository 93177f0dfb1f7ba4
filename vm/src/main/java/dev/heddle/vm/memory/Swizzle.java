package dev.heddle.vm.memory;

import dev.heddle.formats.InputException;

/// How the units of a box are exchanged in shared memory (PTX ISA 5.5.7), in the order of
/// `CUtensorMapSwizzle`.
///
/// Bits of the address that count lines of 128 bytes are added, without carry, to those that count
/// the units within a line.
public enum Swizzle {
    NONE(0, 0, 0),
    BYTES_32(32, 3, 0x10),
    BYTES_64(64, 3, 0x30),
    BYTES_128(128, 3, 0x70),
    /// 32 bytes stay together.
    BYTES_128_ATOM_32(128, 2, 0x60),
    /// As before, and in every second line the halves of each 16 bytes change places. Which lines
    /// these are, the manual shows in a figure alone: the odd ones are ASSUMED.
    BYTES_128_ATOM_32_FLIP_8(128, 2, 0x60),
    /// 64 bytes stay together.
    BYTES_128_ATOM_64(128, 1, 0x40);

    private static final int FLIPPED = 8;
    private static final int LINE_TO_FLIPPED = 4;

    private final int span;
    private final int shift;
    private final int mask;

    Swizzle(int span, int shift, int mask) {
        this.span = span;
        this.shift = shift;
        this.mask = mask;
    }

    /// Bytes that a row of the box takes in shared memory; 0 for as many as it has.
    public int span() {
        return span;
    }

    /// Bytes that stay together wherever they begin at a multiple of them.
    public int unit() {
        return this == BYTES_128_ATOM_32_FLIP_8 ? FLIPPED : 2 * FLIPPED;
    }

    /// Where a byte stands that would be at this address without the swizzle.
    public long place(long address) {
        long moved = address ^ (address >> shift & mask);
        return this == BYTES_128_ATOM_32_FLIP_8
                ? moved ^ (address >> LINE_TO_FLIPPED & FLIPPED)
                : moved;
    }

    /// The one of 16-byte units in lines of so many bytes.
    ///
    /// @param bytes 0, 32, 64 or 128
    public static Swizzle of(int bytes) {
        return switch (bytes) {
            case 0 -> NONE;
            case 32 -> BYTES_32;
            case 64 -> BYTES_64;
            case 128 -> BYTES_128;
            default -> throw new InputException(bytes + " bytes: 0, 32, 64 or 128");
        };
    }
}
