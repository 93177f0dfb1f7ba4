package dev.heddle.vm.shadow;

/// How the bytes of lanes that each access as many stand to each other.
final class LaneRows {
    private LaneRows() {}

    /// The last of the lanes from the first on whose bytes stand one behind the other.
    ///
    /// @param at where those of each lane begin
    /// @param bytes of a lane
    static int last(long[] at, int bytes, int lanes) {
        int last = Integer.numberOfTrailingZeros(lanes);
        while (last < 31 && (lanes >>> last + 1 & 1) != 0 && at[last + 1] == at[last] + bytes) {
            last++;
        }
        return last;
    }

    /// The lanes that access the same bytes as the first.
    static int same(long[] at, int lanes) {
        int first = Integer.numberOfTrailingZeros(lanes);
        int same = 0;
        for (int lane = first; lane < 32; lane++) {
            same |= (lanes >>> lane & 1) != 0 && at[lane] == at[first] ? 1 << lane : 0;
        }
        return same;
    }

    /// Whether each lane's bytes stand behind those of the lane before, so that no two share any.
    static boolean areIncreasing(long[] at, int lanes) {
        long before = -1;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            long next = at[Integer.numberOfTrailingZeros(rest)];
            if (next <= before) {
                return false;
            }
            before = next;
        }
        return true;
    }
}
