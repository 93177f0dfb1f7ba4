package dev.heddle.vm.shadow;

import java.util.Arrays;

/// The clocks of the threads that stand for asynchronous operations of a CTA.
///
/// What mbarriers count has one sequence of clocks, whichever thread stands for it. A warp mostly
/// waits for such operations in the order in which they began: then one number says of nearly all
/// that they are over for it, as one does for what threads do.
public final class AsyncClocks {
    /// Operations whose threads are known: one that began before so many others is looked at by
    /// itself.
    private static final int KNOWN = 1 << 10;

    private final HappensBefore order;
    private final int[] last;

    // By clock, of the latest operations that mbarriers count.
    private final byte[] lanes = new byte[KNOWN];
    private int latest;

    // By warp, the clock up to which all that mbarriers count was found to be over for each lane.
    private final int[] limits;

    /// @param order of the events of the CTA
    /// @param count of the threads that stand for operations
    AsyncClocks(HappensBefore order, int warps, int count) {
        this.order = order;
        last = new int[count];
        limits = new int[warps];
    }

    void clear() {
        Arrays.fill(last, Stamp.FIRST_ASYNC);
        Arrays.fill(limits, Stamp.FIRST_ASYNC);
        latest = Stamp.FIRST_ASYNC;
    }

    /// How many threads stand for operations.
    int count() {
        return last.length;
    }

    /// The clock of the last operation that a thread stands for.
    int last(int lane) {
        return last[lane];
    }

    /// The clock of the next one.
    public int next(int lane) {
        return Math.min((AsyncOrder.isCounted(lane) ? latest : last[lane]) + 1, Stamp.LAST_ASYNC);
    }

    /// An operation begins; returns its clock.
    public int begin(int lane) {
        last[lane] = next(lane);
        if (AsyncOrder.isCounted(lane)) {
            latest = last[lane];
            lanes[latest % KNOWN] = (byte) lane;
        }
        return last[lane];
    }

    /// The latest clock such that all that mbarriers count up to it is over for each lane of a
    /// warp.
    int limit(int warp) {
        int limit = limits[warp];
        while (limit < latest && latest - limit <= KNOWN && isOver(limit + 1, warp)) {
            limit++;
        }
        limits[warp] = limit;
        return limit;
    }

    private boolean isOver(int clock, int warp) {
        return order.isOverForWarp(order.asyncThread(lanes[clock % KNOWN]), clock, warp);
    }
}
