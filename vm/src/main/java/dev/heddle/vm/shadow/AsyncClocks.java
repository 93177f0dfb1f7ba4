package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The clocks of the threads that stand for asynchronous operations of a CTA: some for all bulk
/// operations and products ([AsyncOrder]), and where threads hand copies of `cp.async` to mbarriers
/// one for the copies of each thread.
///
/// What mbarriers count has one sequence of clocks, whichever thread stands for it. A warp mostly
/// waits for such operations in the order in which they began: then one number says of nearly all
/// that they are over for it, as one does for what threads do.
public final class AsyncClocks {
    /// Operations whose threads are known: one that began before so many others is looked at by
    /// itself.
    private static final int KNOWN = 1 << 10;

    /// As many as all but the copies have.
    private static final int BULK = 32;

    private final HappensBefore order;
    private final int[] last;

    // The first warp that stands for copies, among all; and behind the last.
    private final int copiers;
    private final int end;

    // By clock, of the latest operations that mbarriers count: the warp that stands for them, and
    // its lanes.
    private final byte[] warps = new byte[KNOWN];
    private final int[] lanes = new int[KNOWN];
    private int latest;

    // By warp, the clock up to which all that mbarriers count was found to be over for each lane.
    private final int[] limits;

    private @Nullable CopiedSources sources;

    /// @param order of the events of the CTA
    /// @param warps of the CTA
    AsyncClocks(HappensBefore order, int warps, GridOrder grid) {
        this.order = order;
        copiers = warps + (grid.hasAsides() ? 2 : 1);
        end = grid.handsCopies() ? Math.min(copiers + warps, Stamp.WARPS) : copiers;
        last = new int[BULK * (copiers - warps)];
        limits = new int[warps];
    }

    void clear() {
        Arrays.fill(last, Stamp.FIRST_ASYNC);
        Arrays.fill(limits, Stamp.FIRST_ASYNC);
        latest = Stamp.FIRST_ASYNC;
        sources = null;
    }

    /// The warps of the CTA, and behind these those that stand for operations.
    int warps() {
        return end;
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
            count(order.asyncThread(0) / 32, 1 << lane, last[lane]);
        }
        return last[lane];
    }

    private void count(int warp, int mask, int clock) {
        latest = clock;
        warps[clock % KNOWN] = (byte) warp;
        lanes[clock % KNOWN] = mask;
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
        int place = clock % KNOWN;
        return order.areOverForWarp(warps[place], lanes[place], clock, warp);
    }

    // Copies of `cp.async`.

    /// Whether threads hand theirs to mbarriers. Then they are over for whoever has waited for the
    /// phase, and nothing else that their thread did is (PTX ISA 8.9.1.1); for their own thread,
    /// too, only once it has waited.
    public boolean standForCopies() {
        return end > copiers;
    }

    /// The warp that stands for the copies of a warp. There are not enough numbers of threads for
    /// the largest CTAs, whose last warps share one.
    int ofCopies(int warp) {
        return Math.min(copiers + warp, end - 1);
    }

    /// Lanes of a warp have waited for their copies, or handed them over. Returns the clock up to
    /// which they are complete from then on.
    public int complete(int warp, int mask) {
        int clock = Math.min(latest + 1, Stamp.LAST_ASYNC);
        count(ofCopies(warp), mask, clock);
        return clock;
    }

    /// Those copies arrive at an mbarrier.
    public void arrive(long object, int warp, int mask, int clock) {
        order.strong().phases().arriveAside(object, ofCopies(warp), mask, clock);
    }

    /// A thread has waited for its copies up to a clock.
    public void learn(int thread, int clock) {
        int copier = 32 * ofCopies(thread / 32) + thread % 32;
        order.learnAsync(thread, 1, copier - order.asyncThread(0), clock);
    }

    /// Until when copies read their sources.
    public CopiedSources sources() {
        if (sources == null) {
            sources = new CopiedSources(order);
            order.grid().keep(sources);
        }
        return sources;
    }

    /// The same of any CTA; null where nothing is known of it.
    @Nullable CopiedSources sources(int cta) {
        return cta == order.cta() ? sources() : order.grid().sources(cta);
    }

    /// The stamp of a copy that was waited for, or handed over.
    ///
    /// @param write its stamp as it began
    /// @param clock of its warp, or of what stands for its copies; 0 where that does not matter
    long copied(long write, int clock) {
        if (clock < Stamp.FIRST_ASYNC) {
            return Stamp.withClock(write, Math.max(Stamp.clock(write), clock));
        }
        int warp = Stamp.thread(write) / 32;
        return Stamp.withClock(write, clock) + 32L * (ofCopies(warp) - warp);
    }
}
