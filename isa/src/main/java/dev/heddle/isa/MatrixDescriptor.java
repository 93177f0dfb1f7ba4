package dev.heddle.isa;

import dev.heddle.formats.InputException;

/// The 64-bit descriptor of a matrix in shared memory that wgmma reads.
///
/// All lengths are bytes and multiples of 16 up to 262,128; the descriptor stores them divided by
/// 16.
///
/// PTX ISA 9.7.15.5.1.2.2.
///
/// @param startAddress      shared-memory address of the matrix; bits 13..0
/// @param leadingByteOffset bits 29..16
/// @param strideByteOffset  bits 45..32
/// @param baseOffset        0..7, bits 51..49: 0 where the swizzle pattern starts on a multiple of
///     its size
/// @param mode              bits 63..62
public record MatrixDescriptor(
        int startAddress,
        int leadingByteOffset,
        int strideByteOffset,
        int baseOffset,
        SwizzleMode mode) {
    /// The longest offset and the highest address, in bytes.
    public static final int LONGEST = 0x3FFF0;

    private static final int FIELD = 0x3FFFF;

    /// @throws InputException if a length is no multiple of 16 in range
    public MatrixDescriptor {
        check("start address", startAddress);
        check("leading dimension byte offset", leadingByteOffset);
        check("stride dimension byte offset", strideByteOffset);
        if (baseOffset < 0 || baseOffset > 7) {
            throw new InputException("base offset " + baseOffset + ": expected 0..7");
        }
    }

    private static void check(String what, int bytes) {
        if (bytes < 0 || bytes > FIELD || bytes % 16 != 0) {
            throw new InputException(
                    what + " " + bytes + ": expected a multiple of 16 up to 262128 bytes");
        }
    }

    /// The descriptor that a register holds. Bits between the fields are ignored.
    public static MatrixDescriptor decode(long register) {
        return new MatrixDescriptor(
                field(register, 0),
                field(register, 16),
                field(register, 32),
                (int) (register >>> 49) & 7,
                SwizzleMode.ofCode((int) (register >>> 62)));
    }

    private static int field(long register, int low) {
        return (int) (register >>> low & 0x3FFF) << 4;
    }

    /// The register that holds this descriptor.
    public long encode() {
        return startAddress >> 4
                | (long) (leadingByteOffset >> 4) << 16
                | (long) (strideByteOffset >> 4) << 32
                | (long) baseOffset << 49
                | (long) mode.code() << 62;
    }
}
