package dev.heddle.vm.state;

import dev.heddle.formats.InputException;

/// How much shared memory a CTA has.
///
/// @param bytes static and dynamic
/// @param dynamicBytes the dynamic part
/// @param reservedBytes behind them, which belong to the system
/// @param gapBytes between variables, which are nobody's
public record SharedSizes(int bytes, int dynamicBytes, int reservedBytes, int gapBytes) {
    /// The most shared memory of a CTA: what the largest GPUs have.
    private static final int MOST = 227 << 10;

    public SharedSizes {
        if (bytes < 0 || bytes > MOST) {
            throw new InputException(
                    "%d bytes of shared memory: a CTA has at most %d"
                            .formatted(bytes & 0xffff_ffffL, MOST));
        }
    }

    /// Where the last variable ends.
    public int end() {
        return bytes + gapBytes;
    }

    /// All of it.
    public int allBytes() {
        return reservedOffset() + reservedBytes;
    }

    /// Where the system's shared memory begins.
    public int reservedOffset() {
        return reservedBytes == 0 ? end() : (end() + 15) & -16;
    }
}
