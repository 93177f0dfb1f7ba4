package dev.heddle.sparse;

import java.util.Arrays;

/// Which units of a chunk are stored: those whose value is not zero, and, where that leaves room,
/// what the library at hand stores beside them.
///
/// Units whose code is not zero although their value is (-0) come before any other, so that no bit
/// is lost where there is room for it.
final class Fill {
    /// Kept units of a chunk, by those that are not zero: the first ones fill up.
    static final Fill FIRST = new Fill(4, 0b0011, 0b0011, 0b0011, 0b0101, 0b1001);

    /// As PyTorch's `sparse_semi_structured_from_dense_cutlass` fills up.
    static final Fill PYTORCH = new Fill(4, 0b1100, 0b0101, 0b0110, 0b1100, 0b1100);

    /// As CUTLASS's structured sparse compressor fills up: with the last unit, and the last one
    /// with the first.
    static final Fill CUTLASS = new Fill(4, 0b0011, 0b1001, 0b1010, 0b1100, 0b1001);

    /// As cuSPARSELt 0.8.0 fills up: with the last units. Measured on an H100.
    static final Fill LAST = new Fill(4, 0b1100, 0b1001, 0b1010, 0b1100, 0b1100);

    /// One of two: an empty chunk stores the first.
    static final Fill ONE_OF_TWO = new Fill(2, 0b01, 0b01, 0b10);

    /// One of two: an empty chunk stores the second.
    static final Fill ONE_OF_TWO_LAST = new Fill(2, 0b10, 0b01, 0b10);

    /// A chunk that has too much other than zero.
    static final int REFUSED = -1;

    private final int units;
    private final int stored;
    private final byte[] keep;

    /// @param units units of a chunk
    /// @param kept  what an empty chunk stores, then what one stores where only unit 0, 1, …
    ///     is not zero
    private Fill(int units, int... kept) {
        this.units = units;
        this.stored = units / 2;
        this.keep = new byte[1 << 2 * units];
        for (int index = 0; index < keep.length; index++) {
            keep[index] = (byte) keep(index & mask(), index >> units, kept);
        }
    }

    private int mask() {
        return (1 << units) - 1;
    }

    private int keep(int nonzero, int coded, int[] kept) {
        if (Integer.bitCount(nonzero) > stored) {
            return REFUSED;
        }
        int chosen = nonzero;
        for (int unit = 0; unit < units && Integer.bitCount(chosen) < stored; unit++) {
            chosen |= coded & 1 << unit;
        }
        if (Integer.bitCount(chosen) == stored) {
            return chosen;
        }
        return kept[chosen == 0 ? 0 : 1 + Integer.numberOfTrailingZeros(chosen)];
    }

    /// Of each `nonzero | coded << units`, the units to store, or [#REFUSED].
    byte[] table() {
        return Arrays.copyOf(keep, keep.length);
    }
}
