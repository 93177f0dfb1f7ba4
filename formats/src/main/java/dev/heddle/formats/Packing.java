package dev.heddle.formats;

/// Where elements are in a register: side by side, each in a container that may be wider than its
/// code.
///
/// Element `i` of a register occupies the container in bits `i * containerBits` and up; its code
/// starts `offset` bits above. Bits of the container that the code does not cover are padding.
///
/// @param elementBits width of a code
/// @param containerBits width of a container, a power of two up to 64
/// @param offset position of the code's lowest bit in its container
public record Packing(int elementBits, int containerBits, int offset) {

    /// @throws IllegalArgumentException if the code does not fit in the container
    public Packing {
        if (Integer.bitCount(containerBits) != 1 || containerBits > Long.SIZE) {
            throw new IllegalArgumentException(
                    "container of %d bits: expected 1, 2, 4, 8, 16, 32 or 64"
                            .formatted(containerBits));
        }
        if (elementBits < 1 || offset < 0 || offset + elementBits > containerBits) {
            throw new IllegalArgumentException(
                    "%d bits at bit %d do not fit in a container of %d bits"
                            .formatted(elementBits, offset, containerBits));
        }
    }

    /// Codes side by side, without padding where the width is a power of two: two e2m1 in a byte,
    /// the first in the low nibble. Six-bit codes are in the low bits of a byte each (PTX ISA
    /// 5.2.3).
    public static Packing dense(Format format) {
        int width = format.bits();
        return new Packing(width, Math.max(Integer.highestOneBit(width * 2 - 1), 1), 0);
    }

    /// One element a byte, as `.kind::f8f6f4` and `.kind::mxf8f6f4` of `mma` read them: e2m1 in
    /// bits 5 to 2, e3m2 and e2m3 in the low six bits, eight-bit formats in all of it.
    ///
    /// PTX ISA 9.7.14.5.
    /// @throws IllegalArgumentException if the code is wider than a byte
    public static Packing padded(Format format) {
        return new Packing(format.bits(), Byte.SIZE, format == FloatFormat.E2M1 ? 2 : 0);
    }

    /// Elements in a register of that many bits.
    public int perRegister(int registerBits) {
        return registerBits / containerBits;
    }

    /// Position in the register of the lowest bit of an element's code.
    public int lowBit(int element) {
        return element * containerBits + offset;
    }

    /// Position in the register of the highest bit of an element's code.
    public int highBit(int element) {
        return lowBit(element) + elementBits - 1;
    }

    /// The code of one element of a register.
    public long extract(long register, int element) {
        return (register >>> lowBit(element)) & elementMask();
    }

    /// The register with one element's container replaced: its code set, its padding zero.
    public long insert(long register, int element, long code) {
        long container = (-1L >>> (Long.SIZE - containerBits)) << (element * containerBits);
        return (register & ~container) | ((code & elementMask()) << lowBit(element));
    }

    private long elementMask() {
        return -1L >>> (Long.SIZE - elementBits);
    }
}
