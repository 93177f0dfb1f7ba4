package dev.heddle.vm.shadow;

import java.util.Arrays;

/// The last reads, or writes, of a page of global memory that its places have no room for: each a
/// row of some lanes of a warp, with as many consecutive bytes a lane, or any sectors of one lane,
/// as copies access them. The oldest are forgotten.
final class AccessRows {
    private static final int FIRST = 4;
    private static final int MOST = 36;
    private static final int SECTORS = ShadowPage.BYTES / ShadowPage.SECTOR;

    // What the bytes of a row are: consecutive ones of consecutive lanes; the same of all lanes;
    // sectors of the first half of the page, or of the second.
    private static final byte CONSECUTIVE = 0;
    private static final byte TOGETHER = 1;
    private static final byte LOWER = 2;
    private static final byte UPPER = 3;

    /// How many rows an access is sought among, to join it.
    private static final int LATEST = 4;

    /// The binary logarithm of the bytes that are asked for together: a word for each lane.
    private static final int WINDOW = 7;

    private static final long NOWHERE = -1;

    // By row: the stamp of lane 0; where lane 0's bytes would begin, or which sectors; the lanes;
    // and what the bytes are.
    private long[] stamps = new long[FIRST];
    private long[] bases = new long[FIRST];
    private int[] lanes = new int[FIRST];
    private byte[] kinds = new byte[FIRST];
    private int count;
    private int next;

    // Whether some are, or were, of copies that read.
    private boolean copies;

    // The window that was asked for last, and the rows that touch it.
    private long window = NOWHERE;
    private long inWindow;

    boolean hasCopies() {
        return copies;
    }

    int count() {
        return count;
    }

    /// Rows that may touch a place, a bit each. An access asks for places one behind the other,
    /// which few of the rows touch.
    long near(long at) {
        long asked = at >> WINDOW;
        if (window != asked) {
            window = asked;
            inWindow = 0;
            for (int row = 0; row < count; row++) {
                boolean isIn = lanes(row, asked << WINDOW, asked + 1 << WINDOW) != 0;
                inWindow |= isIn ? 1L << row : 0;
            }
        }
        return inWindow;
    }

    long stamp(int row) {
        return stamps[row];
    }

    /// Lanes accessed consecutive bytes.
    ///
    /// @param stamp of lane 0, with the bytes of a lane
    /// @param at where the bytes of the lowest lane begin
    void add(long stamp, long at, int mask) {
        window = NOWHERE;
        int lowest = Integer.numberOfTrailingZeros(mask);
        long base = at - ((long) lowest << GlobalStamp.unit(stamp));
        int last = recent(stamp);
        if (last >= 0) {
            if (kinds[last] == CONSECUTIVE && bases[last] == base) {
                lanes[last] |= mask;
                return;
            }
            if ((mask & mask - 1) == 0 && joins(last, stamp, at)) {
                lanes[last] |= mask;
                return;
            }
        }
        put(stamp, base, mask, CONSECUTIVE);
    }

    /// A lane accessed sectors, one behind the other.
    ///
    /// @param stamp of lane 0
    /// @param bytes of all, or fewer than a sector has
    void addSectors(long stamp, long at, int bytes, int lane) {
        window = NOWHERE;
        int end = sector(at) + Math.ceilDiv(bytes, ShadowPage.SECTOR);
        for (int first = sector(at), next; first < end; first = next) {
            next = Math.min(end, (first | Long.SIZE - 1) + 1);
            byte half = first < Long.SIZE ? LOWER : UPPER;
            int row = recent(stamp);
            if (row < 0 || kinds[row] != half || lanes[row] != lane) {
                row = put(stamp, 0, lane, half);
            }
            bases[row] |= -1L << first & -1L >>> -next;
        }
    }

    /// What a place, or sectors one behind the other, have one stamp of.
    ///
    /// @param aside whether that is of an asynchronous operation
    void addPlace(long stamp, long at, int size, boolean aside) {
        int unit = GlobalStamp.unit(stamp);
        int lane = GlobalStamp.thread(stamp) & 31;
        long own = GlobalStamp.withState(stamp, GlobalStamp.EMPTY) - lane * GlobalStamp.ONE_LANE;
        if (aside && 1 << unit == ShadowPage.SECTOR) {
            addSectors(own, at, size, 1 << lane);
        } else {
            int count = Math.max(1, size >> unit);
            add(own, at & -(1L << unit), -1 >>> 32 - count << lane);
        }
    }

    private static int sector(long at) {
        return (int) at / ShadowPage.SECTOR & SECTORS - 1;
    }

    private boolean hasSectors(int row, long from, long to) {
        byte kind = kinds[row];
        for (int sector = sector(from); sector <= sector(to - 1); sector++) {
            boolean isHere = sector < Long.SIZE ? kind == LOWER : kind == UPPER;
            if (isHere && (bases[row] >>> sector & 1) != 0) {
                return true;
            }
        }
        return false;
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
        if (kinds[row] == CONSECUTIVE
                && (lanes[row] & lanes[row] - 1) == 0
                && bases[row] + ((long) lowest << GlobalStamp.unit(stamp)) == at) {
            kinds[row] = TOGETHER;
            bases[row] = at;
        }
        return kinds[row] == TOGETHER && bases[row] == at;
    }

    /// Lanes accessed the same bytes.
    void addTogether(long stamp, long at, int mask) {
        window = NOWHERE;
        int last = recent(stamp);
        if (last >= 0 && joins(last, stamp, at)) {
            lanes[last] |= mask;
        } else {
            put(stamp, at, mask, TOGETHER);
        }
    }

    private int put(long stamp, long base, int mask, byte kind) {
        if (next == stamps.length && next < MOST) {
            int more = Math.min(MOST, 3 * next);
            stamps = Arrays.copyOf(stamps, more);
            bases = Arrays.copyOf(bases, more);
            lanes = Arrays.copyOf(lanes, more);
            kinds = Arrays.copyOf(kinds, more);
        }
        int row = next == MOST ? 0 : next;
        stamps[row] = stamp;
        bases[row] = base;
        lanes[row] = mask;
        kinds[row] = kind;
        copies |= GlobalStamp.isCopied(stamp);
        next = row + 1;
        count = Math.max(count, next);
        return row;
    }

    /// The lanes of a row that accessed some of these bytes.
    int lanes(int row, long from, long to) {
        int unit = GlobalStamp.unit(stamps[row]);
        if (kinds[row] == LOWER || kinds[row] == UPPER) {
            return hasSectors(row, from, to) ? lanes[row] : 0;
        }
        if (kinds[row] == TOGETHER) {
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

    /// Tells of each lane that accessed some of these bytes; rows may be forgotten.
    void forEach(long from, long to, ShadowPage.Writes visitor) {
        for (int row = 0; row < count; row++) {
            for (int rest = lanes(row, from, to); rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                visitor.write(stamps[row] + lane * GlobalStamp.ONE_LANE, at(row, lane));
            }
        }
    }

    /// Where a lane's bytes begin, in a row that is not of sectors.
    long at(int row, int lane) {
        return kinds[row] == TOGETHER
                ? bases[row]
                : bases[row] + ((long) lane << GlobalStamp.unit(stamps[row]));
    }
}
