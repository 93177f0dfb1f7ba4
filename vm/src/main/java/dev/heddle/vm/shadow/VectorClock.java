package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Up to which of its clocks each thread of a CTA is over. Immutable, so that threads that have
/// synchronized share one.
///
/// Threads of a warp mostly are equally far: then one number stands for all 32.
final class VectorClock {
    /// Nothing is over yet.
    static VectorClock none(int warps) {
        return new VectorClock(new int[warps], new int[warps][]);
    }

    // The least of each warp, and its lanes where they differ.
    private final int[] least;
    private final int[] @Nullable [] lanes;

    private VectorClock(int[] least, int[] @Nullable [] lanes) {
        this.least = least;
        this.lanes = lanes;
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

    /// The later of both for each thread.
    VectorClock join(VectorClock other) {
        if (this == other || isCoveredBy(other)) {
            return other;
        }
        if (other.isCoveredBy(this)) {
            return this;
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
        return new VectorClock(joined, rows);
    }

    private boolean isCoveredBy(VectorClock other) {
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

    /// The same, with these lanes of a warp over up to a clock, which is no earlier than theirs.
    VectorClock with(int warp, int mask, int clock) {
        int[] changed = least.clone();
        int[][] rows = lanes.clone();
        if (mask == -1) {
            changed[warp] = clock;
            rows[warp] = null;
            return new VectorClock(changed, rows);
        }
        int[] row = new int[32];
        for (int lane = 0; lane < 32; lane++) {
            row[lane] = (mask >>> lane & 1) != 0 ? clock : of(warp, lane);
        }
        changed[warp] = settle(rows, warp, row);
        return new VectorClock(changed, rows);
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

    @Override
    public String toString() {
        return Arrays.toString(least);
    }
}
