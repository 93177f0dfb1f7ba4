package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Up to which of its clocks each thread of a CTA is over, and each of other CTAs. Immutable, so
/// that threads that have synchronized share one.
///
/// Threads of a warp mostly are equally far: then one number stands for all 32.
final class VectorClock implements Past {
    private static final long[] NONE = new long[Stamp.WARPS];

    /// Nothing is over yet.
    static VectorClock none(int warps) {
        return new VectorClock(new int[warps], new int[warps][], GridClock.NONE);
    }

    // The least of each warp, and its lanes where they differ.
    private final int[] least;
    private final int[] @Nullable [] lanes;
    private final GridClock others;

    // What [#overs] gives.
    private long @Nullable [] overs;

    // What [#seen] gave last: threads of a warp ask for the same, one after the other.
    private int seenFrom = -1;
    private int seenTo = -1;
    private @Nullable VectorClock seen;

    private VectorClock(int[] least, int[] @Nullable [] lanes, GridClock others) {
        this.least = least;
        this.lanes = lanes;
        this.others = others;
    }

    /// What is over of all CTAs.
    ///
    /// @param home whose clock this is
    GridClock everywhere(int home) {
        return others.join(GridClock.of(home, alone()));
    }

    /// The same for threads of a CTA.
    static VectorClock of(GridClock everywhere, int cta, VectorClock nothing) {
        VectorClock own = everywhere.of(cta);
        VectorClock rows = own == null ? nothing : own;
        return new VectorClock(rows.least, rows.lanes, everywhere.without(cta));
    }

    /// What is over of other CTAs.
    GridClock others() {
        return others;
    }

    /// The same of this CTA alone.
    VectorClock alone() {
        return others == GridClock.NONE ? this : new VectorClock(least, lanes, GridClock.NONE);
    }

    /// The same for a thread of another CTA.
    ///
    /// @param from whose clock this is
    /// @param to for whose threads it is to be
    VectorClock seen(int from, int to) {
        if (from == to) {
            return this;
        }
        if (seen == null || seenFrom != from || seenTo != to) {
            seen = of(everywhere(from), to, none(least.length));
            seenFrom = from;
            seenTo = to;
        }
        return seen;
    }

    @Override
    public int of(int home, int cta, int thread) {
        VectorClock rows = home == cta ? this : others.of(cta);
        return rows == null ? 0 : rows.of(thread / 32, thread % 32);
    }

    int of(int warp, int lane) {
        int[] row = lanes[warp];
        return row == null ? least[warp] : row[lane];
    }

    /// The least of all threads of these warps.
    int least(int warps) {
        int found = Integer.MAX_VALUE;
        for (int warp = 0; warp < warps; warp++) {
            found = Math.min(found, least[warp]);
        }
        return found;
    }

    /// By warp, the latest stamp that is over; all 0 where that is the same for all of these warps.
    long[] overs(int warps) {
        if (overs == null) {
            overs = areAlike(warps) ? NONE : lastOfEach(warps);
        }
        return overs;
    }

    private boolean areAlike(int warps) {
        for (int warp = 1; warp < warps; warp++) {
            if (least[warp] != least[0]) {
                return false;
            }
        }
        return true;
    }

    private long[] lastOfEach(int warps) {
        long[] last = new long[Stamp.WARPS];
        for (int warp = 0; warp < warps; warp++) {
            last[warp] = Stamp.last(least[warp]);
        }
        return last;
    }

    /// Whether these lanes of a warp are over up to a clock.
    boolean covers(int warp, int mask, int clock) {
        int[] row = lanes[warp];
        if (row == null || clock <= least[warp]) {
            return clock <= least[warp];
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            if (row[Integer.numberOfTrailingZeros(rest)] < clock) {
                return false;
            }
        }
        return true;
    }

    /// The later of both for each thread; one of them, this one first, where it says all.
    VectorClock join(VectorClock other) {
        if (this == other || other.isCoveredBy(this)) {
            return this;
        }
        if (isCoveredBy(other)) {
            return other;
        }
        int[] joined = new int[least.length];
        int[][] rows = new int[least.length][];
        for (int warp = 0; warp < joined.length; warp++) {
            int[] row = lanes[warp];
            int[] otherRow = other.lanes[warp];
            joined[warp] = Math.max(least[warp], other.least[warp]);
            if (row != null || otherRow != null) {
                int[] both = new int[32];
                for (int lane = 0; lane < 32; lane++) {
                    both[lane] = Math.max(of(warp, lane), other.of(warp, lane));
                }
                joined[warp] = settle(rows, warp, both);
            }
        }
        return new VectorClock(joined, rows, others.join(other.others));
    }

    private boolean isCoveredBy(VectorClock other) {
        if (other.others.join(others) != other.others) {
            return false;
        }
        for (int warp = 0; warp < least.length; warp++) {
            int[] row = lanes[warp];
            if (row == null ? !other.covers(warp, -1, least[warp]) : !isCovered(row, other, warp)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCovered(int[] row, VectorClock other, int warp) {
        for (int lane = 0; lane < 32; lane++) {
            if (row[lane] > other.of(warp, lane)) {
                return false;
            }
        }
        return true;
    }

    /// The same, with a lane of a warp over up to a clock at least.
    VectorClock reaching(int warp, int lane, int clock) {
        return of(warp, lane) >= clock ? this : with(warp, 1 << lane, clock);
    }

    /// The same, with these lanes of a warp over up to a clock, which is no earlier than theirs.
    VectorClock with(int warp, int mask, int clock) {
        int[] changed = least.clone();
        int[][] rows = lanes.clone();
        if (mask == -1) {
            changed[warp] = clock;
            rows[warp] = null;
            return new VectorClock(changed, rows, others);
        }
        int[] row = new int[32];
        for (int lane = 0; lane < 32; lane++) {
            row[lane] = (mask >>> lane & 1) != 0 ? clock : of(warp, lane);
        }
        changed[warp] = settle(rows, warp, row);
        return new VectorClock(changed, rows, others);
    }

    /// The same, with whole warps over up to their clocks, which are no earlier than theirs.
    VectorClock with(long warps, int[] clocks) {
        int[] changed = least.clone();
        int[][] rows = lanes.clone();
        for (long rest = warps; rest != 0; rest &= rest - 1) {
            int warp = Long.numberOfTrailingZeros(rest);
            changed[warp] = clocks[warp];
            rows[warp] = null;
        }
        return new VectorClock(changed, rows, others);
    }

    /// The same, with lanes of some warps over up to their clocks at least.
    ///
    /// @param clocks by warp and lane
    VectorClock reaching(long warps, int[] @Nullable [] clocks) {
        int[] changed = least.clone();
        int[][] rows = lanes.clone();
        for (long rest = warps; rest != 0; rest &= rest - 1) {
            int warp = Long.numberOfTrailingZeros(rest);
            int[] row = clocks[warp].clone();
            for (int lane = 0; lane < 32; lane++) {
                row[lane] = Math.max(row[lane], of(warp, lane));
            }
            changed[warp] = settle(rows, warp, row);
        }
        return new VectorClock(changed, rows, others);
    }

    /// Of how many warps it tells.
    int warps() {
        return least.length;
    }

    /// Keeps a row only where its lanes differ; returns their least.
    private static int settle(int[] @Nullable [] rows, int warp, int[] row) {
        int found = row[0];
        boolean same = true;
        for (int each : row) {
            same &= each == row[0];
            found = Math.min(found, each);
        }
        rows[warp] = same ? null : row;
        return found;
    }

    /// Whether another says the same of this CTA.
    boolean isLike(VectorClock other) {
        if (this == other) {
            return true;
        }
        if (!Arrays.equals(least, other.least)) {
            return false;
        }
        for (int warp = 0; warp < least.length; warp++) {
            if (!Arrays.equals(lanes[warp], other.lanes[warp])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return Arrays.toString(least);
    }
}
