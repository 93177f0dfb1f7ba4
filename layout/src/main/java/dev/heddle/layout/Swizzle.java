package dev.heddle.layout;

/// An exclusive-or of address bits: bits `[base + shift + bits - 1 .. base + shift]` are folded
/// onto bits `[base + bits - 1 .. base]`.
///
/// `Swizzle(3, 4, 3)` is the 128-byte mode of wgmma: bits 9..7 of the byte address onto bits 6..4.
/// It is its own inverse.
///
/// @param bits  how many bits take part; 0 leaves every address as it is
/// @param base  the lowest bit that is changed
/// @param shift how far above it the bits come from
public record Swizzle(int bits, int base, int shift) {
    /// The address, in bytes, at which the byte of unswizzled `address` is.
    public int apply(int address) {
        int mask = (1 << bits) - 1 << base;
        return address ^ (address >> shift & mask);
    }
}
