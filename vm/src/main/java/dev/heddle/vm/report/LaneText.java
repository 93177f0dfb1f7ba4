package dev.heddle.vm.report;

import java.util.BitSet;

/// Sets of lanes and of warps in words.
public final class LaneText {
    private static final int EVEN = 0x5555_5555;

    private LaneText() {}

    /// `lane 3`, `lanes 0-7,9`, `the even lanes`.
    public static String describe(int mask) {
        if (mask == EVEN || mask == ~EVEN) {
            return mask == EVEN ? "the even lanes" : "the odd lanes";
        }
        return numbers("lane", BitSet.valueOf(new long[] {Integer.toUnsignedLong(mask)}));
    }

    /// The same lanes of some warps: `warp 3, lane 0`, `warps 0-2,5, lanes 0-31`.
    public static String describe(BitSet warps, int mask) {
        return warps(warps) + ", " + describe(mask);
    }

    /// `warp 3`, `warps 0-2,5`.
    public static String warps(BitSet warps) {
        return numbers("warp", warps);
    }

    private static String numbers(String what, BitSet set) {
        StringBuilder text = new StringBuilder(what).append(set.cardinality() == 1 ? " " : "s ");
        for (int from = set.nextSetBit(0), end; from >= 0; from = set.nextSetBit(end)) {
            end = set.nextClearBit(from);
            text.append(from);
            if (end - from > 1) {
                text.append('-').append(end - 1);
            }
            if (end < set.length()) {
                text.append(',');
            }
        }
        return text.toString();
    }
}
