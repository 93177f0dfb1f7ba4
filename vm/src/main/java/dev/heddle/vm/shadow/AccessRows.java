package dev.heddle.vm.shadow;

import java.util.Arrays;

/// The last reads, or writes, of a page of global memory that its places have no room for: each a
/// row of some lanes of a warp, with as many consecutive bytes a lane. The oldest are forgotten.
final class AccessRows {
    private static final int FIRST = 4;
    private static final int MOST = 36;

    /// How many rows an access is sought among, to join it.
    private static final int LATEST = 4;

    // By row: the stamp of lane 0; where lane 0's bytes would begin; and the lanes.
    private long[] stamps = new long[FIRST];
    private long[] bases = new long[FIRST];
    private int[] lanes = new int[FIRST];

    // All of them access the same.
    private boolean[] together = new boolean[FIRST];
    private int count;
    private int next;

    int count() {
        return count;
    }

    long stamp(int row) {
        return stamps[row];
    }

    /// Lanes accessed consecutive bytes.
    ///
    /// @param stamp of lane 0, with the bytes of a lane
    /// @param at where the bytes of the lowest lane begin
    void add(long stamp, long at, int mask) {
        int lowest = Integer.numberOfTrailingZeros(mask);
        long base = at - ((long) lowest << GlobalStamp.unit(stamp));
        int last = recent(stamp);
        if (last >= 0) {
            if (!together[last] && bases[last] == base) {
                lanes[last] |= mask;
                return;
            }
            if ((mask & mask - 1) == 0 && joins(last, stamp, at)) {
                lanes[last] |= mask;
                return;
            }
        }
        put(stamp, base, mask, false);
    }

    /// The latest row of such accesses, or -1. Lanes that are looked at one by one leave rows of
    /// what they do and of what was there before in turns.
    private int recent(long stamp) {
        for (int back = 1; back <= Math.min(count, LATEST); back++) {
            int row = next < back ? next - back + MOST : next - back;
            if (stamps[row] == stamp) {
                return row;
            }
        }
        return -1;
    }

    /// Whether a lane accessed what another did, and the row can say so.
    private boolean joins(int row, long stamp, long at) {
        int lowest = Integer.numberOfTrailingZeros(lanes[row]);
        if (!together[row]
                && (lanes[row] & lanes[row] - 1) == 0
                && bases[row] + ((long) lowest << GlobalStamp.unit(stamp)) == at) {
            together[row] = true;
            bases[row] = at;
        }
        return together[row] && bases[row] == at;
    }

    /// Lanes accessed the same bytes.
    void addTogether(long stamp, long at, int mask) {
        int last = recent(stamp);
        if (last < 0
                || !together[last]
                || bases[last] != at
                || (lanes[last] | mask) != lanes[last]) {
            put(stamp, at, mask, true);
        }
    }

    private void put(long stamp, long base, int mask, boolean all) {
        if (next == stamps.length && next < MOST) {
            int more = Math.min(MOST, 3 * next);
            stamps = Arrays.copyOf(stamps, more);
            bases = Arrays.copyOf(bases, more);
            lanes = Arrays.copyOf(lanes, more);
            together = Arrays.copyOf(together, more);
        }
        int row = next == MOST ? 0 : next;
        stamps[row] = stamp;
        bases[row] = base;
        lanes[row] = mask;
        together[row] = all;
        next = row + 1;
        count = Math.max(count, next);
    }

    /// The lanes of a row that accessed some of these bytes.
    int lanes(int row, long from, long to) {
        int unit = GlobalStamp.unit(stamps[row]);
        if (together[row]) {
            return from < bases[row] + (1L << unit) && to > bases[row] ? lanes[row] : 0;
        }
        long first = from - bases[row] >> unit;
        long last = to - 1 - bases[row] >> unit;
        if (last < 0 || first > 31) {
            return 0;
        }
        int low = (int) Math.max(0, first);
        int high = (int) Math.min(31, last);
        return lanes[row] & -1 << low & -1 >>> 31 - high;
    }

    /// The stamp of a lane that accessed some of these bytes, or nobody's; rows may be forgotten.
    long touching(long from, long to) {
        for (int row = 0; row < count; row++) {
            int mask = lanes(row, from, to);
            if (mask != 0) {
                return stamps[row] + Integer.numberOfTrailingZeros(mask) * GlobalStamp.ONE_LANE;
            }
        }
        return GlobalStamp.NOBODY;
    }

    /// Where a lane's bytes begin.
    long at(int row, int lane) {
        return together[row]
                ? bases[row]
                : bases[row] + ((long) lane << GlobalStamp.unit(stamps[row]));
    }
}
