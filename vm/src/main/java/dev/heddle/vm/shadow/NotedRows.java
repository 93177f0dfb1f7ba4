package dev.heddle.vm.shadow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// What a [ReadLog] keeps of rows that machine code has noted, as it stands in memory there: mostly
/// it is forgotten before anybody asks for one of them.
final class NotedRows {
    /// Ints of a row: where each lane reads, the number of the instruction, and the lanes.
    private static final int NUMBER = Integer.SIZE;

    private static final int LANES = NUMBER + 1;
    private static final int ROW = LANES + 1;

    private static final int MOST = 64;

    // By the time at which they were taken over: where the rows end that were noted until then, the
    // warp's stamp, and what was over for it.
    private final int[] ends = new int[MOST];
    private final long[] stamps = new long[MOST];
    private final long[] limits = new long[MOST];
    private RowPlans plans = RowPlans.NONE;
    private int count;
    private int[] rows = {};

    /// Takes a row over.
    interface Visitor {
        /// A row.
        ///
        /// @param from where the places of lanes stand in a list, bytes from the start of memory
        void visit(PlannedReads plan, int[] list, int from, int lanes, long now, long limit);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// Whether there is no room for more of such instructions.
    boolean isFull(RowPlans next) {
        return count == MOST || count > 0 && !next.equals(plans);
    }

    void clear() {
        count = 0;
    }

    private int end() {
        return count == 0 ? 0 : ends[count - 1];
    }

    /// Adds rows, for which there is room. Returns whether some are of less than words.
    ///
    /// @param from where they stand
    /// @param now the stamp of lane 0 of the warp
    /// @param limit the latest stamp that is over for all lanes
    boolean add(RowPlans plans, MemorySegment from, long place, int added, long now, long limit) {
        int at = end();
        int ints = added * ROW;
        if (at + ints > rows.length) {
            rows = Arrays.copyOf(rows, 2 * (at + ints));
        }
        MemorySegment.copy(from, ValueLayout.JAVA_INT, place, rows, at, ints);
        this.plans = plans;
        ends[count] = at + ints;
        stamps[count] = now;
        limits[count] = limit;
        count++;
        return plans.haveParts() && haveParts(at);
    }

    private boolean haveParts(int from) {
        boolean found = false;
        for (int at = from; at < end(); at += ROW) {
            found |= plans.all().get(rows[at + NUMBER]).unit() < Integer.BYTES;
        }
        return found;
    }

    /// Hands over all of them.
    void forEach(Visitor visitor) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            for (; at < ends[i]; at += ROW) {
                PlannedReads plan = plans.all().get(rows[at + NUMBER]);
                visitor.visit(plan, rows, at, rows[at + LANES], stamps[i], limits[i]);
            }
        }
    }
}
