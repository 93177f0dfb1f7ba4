package dev.heddle.vm.state;

import dev.heddle.formats.InputException;

/// How much shared memory a CTA has.
///
/// @param bytes static and dynamic
/// @param dynamicBytes the dynamic part
/// @param reservedBytes behind them, which belong to the system
public record SharedSizes(int bytes, int dynamicBytes, int reservedBytes) {
    /// The most shared memory of a CTA: what the largest GPUs have.
    private static final int MOST = 227 << 10;

    public SharedSizes {
        if (bytes < 0 || bytes > MOST) {
            throw new InputException(
                    "%d bytes of shared memory: a CTA has at most %d"
                            .formatted(bytes & 0xffff_ffffL, MOST));
        }
    }

    /// All of it.
    public int allBytes() {
        return reservedOffset() + reservedBytes;
    }

    /// Where the system's shared memory begins.
    public int reservedOffset() {
        return reservedBytes == 0 ? bytes : (bytes + 15) & -16;
    }
}
