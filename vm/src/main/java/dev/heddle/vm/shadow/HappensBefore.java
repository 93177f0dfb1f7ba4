package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// What happened before what in a CTA: base causality order (PTX ISA 8.9.5) by a vector clock a
/// thread.
///
/// A warp has a clock, which ticks where something that comes later may count on what came before:
/// at a barrier, a release or a fence. An access is stamped with its thread and that clock.
/// Threads of one CTA are in each other's scopes, whatever these are.
public final class HappensBefore {
    private final int threads;
    final int warps;
    private final int[] clocks;
    private final VectorClock nothing;
    private final KnownClocks known;

    private final LastJoin<VectorClock> joins = new LastJoin<>(VectorClock::join);

    // For each warp, the latest clock that is over for all its lanes whoever's it is; -1 where not
    // worked out.
    private final int[] limits;

    // By number, what the threads that have arrived at a barrier bring along.
    private final @Nullable Gathering[] barriers = new Gathering[16];

    // Of those that stand for asynchronous operations, and for what these write to global memory.
    private final AsyncClocks async;

    private final StrongAccesses strong;
    private GridOrder grid;
    private int cta;

    /// @param threads of the CTA
    /// @param grid how the CTAs of the launch are ordered
    public HappensBefore(int threads, GridOrder grid) {
        this.threads = threads;
        this.grid = grid;
        warps = (threads + 31) / 32;
        clocks = new int[warps];
        limits = new int[warps];
        async = new AsyncClocks(this, warps, grid);
        nothing = VectorClock.none(async.warps());
        known = new KnownClocks(async.warps(), nothing);
        strong = new StrongAccesses(this, 32 * warps, grid);
        clear(0);
    }

    /// Becomes that of another launch of the kernel.
    public void serve(GridOrder other) {
        grid = other;
        strong.serve(other);
    }

    /// Forgets everything, and becomes that of a CTA with this index.
    public void clear(int index) {
        cta = index;
        Arrays.fill(clocks, 1);
        Arrays.fill(limits, 0);
        known.setAll(nothing);
        for (Gathering barrier : barriers) {
            if (barrier != null) {
                barrier.clear();
            }
        }
        strong.clear(grid.isFollowed());
        async.clear();
    }

    /// What passes between threads by strong operations and fences.
    public StrongAccesses strong() {
        return strong;
    }

    /// How the CTAs of the launch are ordered.
    GridOrder grid() {
        return grid;
    }

    Reach reach() {
        return grid.reach();
    }

    /// The index of the CTA.
    public int cta() {
        return cta;
    }

    /// The number of a thread among those of the grid.
    int actor(int thread) {
        return Location.actor(cta, thread);
    }

    public int clockOf(int thread) {
        int behind = thread - asyncThread(0);
        return behind < 0 ? clocks[thread / 32] : async.last(behind);
    }

    /// What accesses of a warp are stamped with now; from 1.
    public int clock(int warp) {
        return clocks[warp];
    }

    /// What a warp does from here on comes behind what it did.
    public void tick(int warp) {
        if (clocks[warp] < Stamp.LAST_CLOCK) {
            clocks[warp]++;
        }
    }

    @SuppressWarnings("ReferenceEquality") // saves work only
    void learn(int thread, VectorClock more) {
        VectorClock before = known.of(thread);
        VectorClock joined = joins.of(before, more);
        if (joined != before) {
            known.set(thread, joined);
            limits[thread / 32] = -1;
        }
    }

    /// Lanes of a warp learn the same.
    @SuppressWarnings("ReferenceEquality") // saves work only
    void learn(int warp, int lanes, VectorClock more) {
        int all = lanes | absent(warp);
        VectorClock before = all == -1 ? known.ofWarp(warp) : null;
        if (before != null) {
            VectorClock joined = joins.of(before, more);
            if (joined != before) {
                know(warp, all, joined);
            }
            return;
        }
        for (int rest = all; rest != 0; rest &= rest - 1) {
            learn(32 * warp + Integer.numberOfTrailingZeros(rest), more);
        }
    }

    /// Whether what a thread did at a clock is over for another.
    public boolean isOver(int thread, int clock, int reader) {
        return thread == reader || known.of(reader).of(thread / 32, thread % 32) >= clock;
    }

    /// Whether the only access of a place is over for another.
    boolean isOver(long stamp, long now) {
        return isOver(cta, stamp, Stamp.thread(now));
    }

    /// Whether what a stamp of some CTA stands for is over for a thread of this one.
    boolean isOver(int other, long stamp, int thread) {
        return isOver(other, Stamp.thread(stamp), Stamp.clock(stamp), thread)
                && Stamp.kind(stamp) != Stamp.MANY
                && stamp < Stamp.LOOK_CLOSER;
    }

    /// Whether what a thread of some CTA did at a clock is over for one of this CTA.
    boolean isOver(int other, int thread, int clock, int reader) {
        return other == cta
                ? isOver(thread, clock, reader)
                : known.of(reader).of(cta, other, thread) >= clock;
    }

    /// Whether what some lanes of a warp of some CTA did is over for a thread of this one.
    boolean areOver(int other, int warp, int mask, int clock, int reader) {
        if (other == cta) {
            int others = reader / 32 == warp ? mask & ~(1 << reader % 32) : mask;
            return areOver(warp, others, clock, reader);
        }
        VectorClock clocksThere = known.of(reader).others().of(other);
        return mask == 0 || clocksThere != null && clocksThere.covers(warp, mask, clock);
    }

    /// Whether what some lanes of a warp did at a clock is over for another thread.
    boolean areOver(int warp, int mask, int clock, int reader) {
        return mask == 0 || known.of(reader).covers(warp, mask, clock);
    }

    /// Whether what some lanes of a warp did at a clock is over for each lane of another.
    boolean areOverForWarp(int doer, int mask, int clock, int warp) {
        return known.coverLanes(doer, mask, clock, warp);
    }

    /// The latest clock such that all accesses up to it, whoever's, are over for each of a warp's
    /// lanes.
    public int limit(int warp) {
        if (limits[warp] < 0) {
            limits[warp] = known.least(warp, warps);
        }
        return limits[warp];
    }

    /// By warp, the latest stamp of it that is over for each lane of another; all 0 where that says
    /// no more than [#limit].
    long[] overs(int warp) {
        VectorClock all = known.ofWarp(warp);
        return (all == null ? nothing : all).overs(warps);
    }

    /// The latest clock such that all accesses up to it are over for everybody.
    int limitOfAll() {
        if (grid.isSharedByCluster()) {
            // Other CTAs may come yet, for which nothing is.
            return 0;
        }
        int least = Integer.MAX_VALUE;
        for (int warp = 0; warp < warps; warp++) {
            least = Math.min(least, limit(warp));
        }
        return least;
    }

    /// What a thread releases: all it knows, and all it did.
    VectorClock released(int thread) {
        return known.of(thread).with(thread / 32, 1 << thread % 32, clocks[thread / 32]);
    }

    // Barriers.

    /// What lanes of a warp bring along to where they synchronize.
    VectorClock gathered(int warp, int mask) {
        return knownBy(warp, mask).with(warp, mask | absent(warp), clocks[warp]);
    }

    /// The same of the past of what they begin now.
    Past past(int warp, int mask) {
        return new LanesPast(knownBy(warp, mask), warp, mask, clocks[warp]);
    }

    /// What is over for any of some lanes of a warp.
    VectorClock knownBy(int warp, int mask) {
        return known.by(warp, mask, nothing);
    }

    /// Lanes that the CTA has no threads for: they do nothing that could be missed.
    int absent(int warp) {
        int lanes = threads - 32 * warp;
        return lanes >= 32 ? 0 : -1 << lanes;
    }

    /// Lanes arrive at one of the CTA's barriers (PTX ISA 8.9.4).
    public void arrive(int barrier, int warp, int mask) {
        Gathering gathering = barriers[barrier];
        if (gathering == null) {
            gathering = new Gathering(warps);
            barriers[barrier] = gathering;
        }
        boolean isWhole = (mask | absent(warp)) == -1 && isOneMind(warp, mask);
        if (!isWhole || !gathering.add(warp, known.of(firstOf(warp, mask)), clocks[warp])) {
            gathering.add(gathered(warp, mask));
        }
        tick(warp);
    }

    private static int firstOf(int warp, int mask) {
        return 32 * warp + Integer.numberOfTrailingZeros(mask);
    }

    /// Whether threads of a warp all know the same, and were together when they learnt it.
    @SuppressWarnings("ReferenceEquality") // saves work only
    private boolean isOneMind(int warp, int mask) {
        if (known.ofWarp(warp) != null) {
            return true;
        }
        VectorClock first = known.of(firstOf(warp, mask));
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            if (known.of(32 * warp + Integer.numberOfTrailingZeros(rest)) != first) {
                return false;
            }
        }
        return true;
    }

    /// A barrier is complete: the lanes of this warp that waited go on.
    public void complete(int barrier, int warp, int mask) {
        Gathering gathering = barriers[barrier];
        VectorClock all = gathering == null ? null : gathering.all();
        if (all != null) {
            know(warp, mask, all);
        }
    }

    /// Lanes of a warp know so much from here on, no less than before.
    void know(int warp, int mask, VectorClock all) {
        known.set(warp, mask | absent(warp), all);
        limits[warp] = -1;
    }

    /// Lanes of a warp have learnt in turn, and know no less than before.
    void know(int warp, int mask, LanesInTurn all) {
        known.set(warp, mask | absent(warp), all);
        limits[warp] = -1;
    }

    /// After a barrier is complete it begins anew; those that waited go on with one clock, so that
    /// most stamps are told early or late by a single comparison.
    public void restart(int barrier, int waited) {
        Gathering gathering = barriers[barrier];
        if (gathering != null) {
            gathering.clear();
        }
        int latest = 0;
        for (int warp = 0; warp < warps; warp++) {
            latest = (waited >>> warp & 1) != 0 ? Math.max(latest, clocks[warp]) : latest;
        }
        for (int warp = 0; warp < warps; warp++) {
            clocks[warp] = (waited >>> warp & 1) != 0 ? latest : clocks[warp];
        }
    }

    /// All threads have met at a barrier so often, and did nothing else that orders them.
    public void passed(int barrier, int times) {
        if (times == 0) {
            return;
        }
        for (int warp = 0; warp < warps; warp++) {
            clocks[warp] = Math.min(clocks[warp] + times - 1, Stamp.LAST_CLOCK);
            arrive(barrier, warp, ~absent(warp));
        }
        for (int warp = 0; warp < warps; warp++) {
            complete(barrier, warp, ~absent(warp));
        }
        restart(barrier, (int) ((1L << warps) - 1));
    }

    /// `bar.warp.sync` of these lanes.
    public void synchronizeWarp(int warp, int mask) {
        VectorClock all = gathered(warp, mask);
        know(warp, mask, all);
        tick(warp);
    }

    // Fences.

    /// `fence` of lanes of a warp.
    public void fence(int warp, int lanes, MemoryOrder kind, Scope scope) {
        strong.fences().fence(warp, lanes, kind, scope);
        tick(warp);
    }

    // Asynchronous operations.

    /// A copy has counted its bytes on an mbarrier; that ends the phase, or not.
    public void transaction(long object, boolean completes) {
        strong.phases().arrive(object, asyncThread(AsyncOrder.lane(object)), completes);
    }

    VectorClock nothing() {
        return nothing;
    }

    /// The thread that stands for operations of a kind.
    public int asyncThread(int lane) {
        return 32 * warps + lane;
    }

    /// The clocks of asynchronous operations.
    public AsyncClocks async() {
        return async;
    }

    /// Threads from one on have waited for an operation.
    public void learnAsync(int first, int count, int lane, int clock) {
        known.reach(first, first + count, asyncThread(lane), clock);
    }

    /// What is over for a thread.
    VectorClock known(int thread) {
        return known.of(thread);
    }

    /// Whether the same is over for all lanes of a warp.
    public boolean knowSame(int warp) {
        return known.ofWarp(warp) != null;
    }

    /// What is over for each lane of a warp.
    VectorClock[] knownOf(int warp) {
        VectorClock[] all = new VectorClock[32];
        Arrays.setAll(all, lane -> known.of(32 * warp + lane));
        return all;
    }

    /// Whether what an asynchronous operation did at a clock is over for all lanes of a warp.
    boolean isOverForWarp(int thread, int clock, int warp) {
        return known.cover(thread, clock, 32 * warp, Math.min(32 * warp + 32, threads));
    }

    /// Whether it is over for everybody.
    boolean isOverForAll(int thread, int clock) {
        return !grid.isSharedByCluster() && known.cover(thread, clock, 0, threads);
    }
}
