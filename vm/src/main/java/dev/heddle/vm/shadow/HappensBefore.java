package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.MemoryOrder;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// What happened before what in a CTA: base causality order (PTX ISA 8.9.5) by a vector clock a
/// thread.
///
/// A warp has a clock, which ticks where something that comes later may count on what came before:
/// at a barrier, a release or a fence. An access is stamped with its thread and that clock.
/// Threads of one CTA are in each other's scopes, whatever these are.
public final class HappensBefore {
    private final int threads;
    private final int warps;
    private final int[] clocks;
    private final VectorClock nothing;
    private final VectorClock[] known;

    // For each warp, the latest clock that is over for all its lanes whoever's it is; -1 where not
    // worked out.
    private final int[] limits;

    // By number, what the threads that have arrived at a barrier bring along.
    private final @Nullable VectorClock[] barriers = new VectorClock[16];

    // By address.
    private final Map<Long, Location> locations = new HashMap<>();

    // Words with such places.
    private final BitSet located = new BitSet();

    // By thread: what strong reads have observed, for a fence to acquire; and what the last fence
    // released.
    private final @Nullable VectorClock[] observed;
    private final @Nullable VectorClock[] fenced;
    private final int[] fencedAt;
    private @Nullable VectorClock sequential;

    // Of the threads that stand for asynchronous operations: a warp behind those of the CTA.
    private final int[] async = new int[32];

    /// @param threads of the CTA
    public HappensBefore(int threads) {
        this.threads = threads;
        warps = (threads + 31) / 32;
        clocks = new int[warps];
        limits = new int[warps];
        nothing = VectorClock.none(warps + 1);
        known = new VectorClock[32 * (warps + 1)];
        observed = new VectorClock[32 * warps];
        fenced = new VectorClock[32 * warps];
        fencedAt = new int[32 * warps];
        clear();
    }

    /// Forgets everything.
    public void clear() {
        Arrays.fill(clocks, 1);
        Arrays.fill(limits, 0);
        Arrays.fill(known, nothing);
        Arrays.fill(barriers, null);
        Arrays.fill(observed, null);
        Arrays.fill(fenced, null);
        locations.clear();
        located.clear();
        sequential = null;
        Arrays.fill(async, Stamp.FIRST_ASYNC);
    }

    /// What accesses of a warp are stamped with now; from 1.
    public int clock(int warp) {
        return clocks[warp];
    }

    private void tick(int warp) {
        if (clocks[warp] < Stamp.LAST_CLOCK) {
            clocks[warp]++;
        }
    }

    private void learn(int thread, VectorClock more) {
        VectorClock joined = known[thread].join(more);
        if (joined != known[thread]) {
            known[thread] = joined;
            limits[thread / 32] = -1;
        }
    }

    /// Whether what a thread did at a clock is over for another.
    public boolean isOver(int thread, int clock, int reader) {
        return thread == reader || known[reader].of(thread / 32, thread % 32) >= clock;
    }

    /// Whether what some lanes of a warp did at a clock is over for another thread.
    boolean isOver(int warp, int mask, int clock, int reader) {
        return mask == 0 || known[reader].covers(warp, mask, clock);
    }

    /// The latest clock such that all accesses up to it, whoever's, are over for each of a warp's
    /// lanes.
    public int limit(int warp) {
        if (limits[warp] < 0) {
            VectorClock last = null;
            int least = Integer.MAX_VALUE;
            for (int thread = 32 * warp; thread < 32 * warp + 32; thread++) {
                if (known[thread] != last) {
                    last = known[thread];
                    least = Math.min(least, last.least(warps));
                }
            }
            limits[warp] = least;
        }
        return limits[warp];
    }

    /// The latest clock such that all accesses up to it are over for everybody.
    int limitOfAll() {
        int least = Integer.MAX_VALUE;
        for (int warp = 0; warp < warps; warp++) {
            least = Math.min(least, limit(warp));
        }
        return least;
    }

    /// What a thread releases: all it knows, and all it did.
    private VectorClock released(int thread, int clock) {
        return known[thread].with(thread / 32, 1 << thread % 32, clock);
    }

    // Barriers.

    /// What lanes of a warp bring along to where they synchronize.
    private VectorClock gathered(int warp, int mask) {
        int whole = mask | absent(warp);
        VectorClock all = null;
        VectorClock last = null;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            VectorClock each = known[32 * warp + Integer.numberOfTrailingZeros(rest)];
            if (each != last) {
                all = all == null ? each : all.join(each);
                last = each;
            }
        }
        return (all == null ? nothing : all).with(warp, whole, clocks[warp]);
    }

    /// Lanes that the CTA has no threads for: they do nothing that could be missed.
    private int absent(int warp) {
        int lanes = threads - 32 * warp;
        return lanes >= 32 ? 0 : -1 << lanes;
    }

    /// Lanes arrive at one of the CTA's barriers (PTX ISA 8.9.4).
    public void arrive(int barrier, int warp, int mask) {
        VectorClock before = barriers[barrier];
        VectorClock own = gathered(warp, mask);
        barriers[barrier] = before == null ? own : before.join(own);
        tick(warp);
    }

    /// A barrier is complete: the lanes of this warp that waited go on.
    public void complete(int barrier, int warp, int mask) {
        VectorClock all = barriers[barrier];
        if (all == null) {
            return;
        }
        know(warp, mask, all);
    }

    private void know(int warp, int mask, VectorClock all) {
        for (int rest = mask | absent(warp); rest != 0; rest &= rest - 1) {
            known[32 * warp + Integer.numberOfTrailingZeros(rest)] = all;
        }
        limits[warp] = -1;
    }

    /// After a barrier is complete it begins anew; those that waited go on with one clock, so that
    /// most stamps are told early or late by a single comparison.
    public void restart(int barrier, int waited) {
        barriers[barrier] = null;
        int latest = 0;
        for (int warp = 0; warp < warps; warp++) {
            latest = (waited >>> warp & 1) != 0 ? Math.max(latest, clocks[warp]) : latest;
        }
        for (int warp = 0; warp < warps; warp++) {
            clocks[warp] = (waited >>> warp & 1) != 0 ? latest : clocks[warp];
        }
    }

    /// `bar.warp.sync` of these lanes.
    public void synchronizeWarp(int warp, int mask) {
        VectorClock all = gathered(warp, mask);
        know(warp, mask, all);
        tick(warp);
    }

    // Fences.

    /// `fence`: what the thread has observed is over, what it did is there to be released. All of
    /// one order are as if of the same scope: the CTA is in each.
    public void fence(int thread, MemoryOrder order) {
        VectorClock seen = observed[thread];
        if (order.acquires() && seen != null) {
            learn(thread, seen);
        }
        if (order == MemoryOrder.SC && sequential != null) {
            learn(thread, sequential);
        }
        if (order.releases()) {
            fenced[thread] = known[thread];
            fencedAt[thread] = clocks[thread / 32];
        }
        if (order == MemoryOrder.SC) {
            VectorClock own = released(thread, clocks[thread / 32]);
            sequential = sequential == null ? own : sequential.join(own);
        }
    }

    /// Behind a fence of a warp's lanes.
    public void fenced(int warp) {
        tick(warp);
    }

    // Strong operations on one place.

    /// The history of strong operations at one address, of one size.
    private Location location(long address, int bytes) {
        located.set((int) (address >> 2), (int) (address + bytes + 3 >> 2));
        return locations.computeIfAbsent(address << 5 | bytes, key -> new Location());
    }

    /// Whether there were strong operations on some of these words.
    boolean isLocated(int first, int last) {
        int next = located.nextSetBit(first);
        return next >= 0 && next <= last;
    }

    /// A weak write of bytes: who reads it learns nothing of what strong writes before released.
    public void overwrite(int at, int end) {
        if (!isLocated(at >> 2, end - 1 >> 2)) {
            return;
        }
        for (int address = Math.max(0, at - 7); address < end; address++) {
            for (int bytes = 1; bytes <= 8; bytes *= 2) {
                Location location = locations.get((long) address << 5 | bytes);
                if (location != null && address + bytes > at) {
                    location.write(null);
                }
            }
        }
    }

    /// A strong read, before it is looked at.
    public void read(long address, int bytes, int thread, MemoryOrder order) {
        Location location = location(address, bytes);
        location.read(thread, clocks[thread / 32], known[thread]);
        acquire(location, thread, order);
    }

    private void acquire(Location location, int thread, MemoryOrder order) {
        VectorClock message = location.message();
        if (order.acquires()) {
            VectorClock seen = location.seenBy(thread);
            if (seen != null) {
                learn(thread, seen);
            }
        }
        if (message == null) {
            return;
        }
        if (order.acquires()) {
            learn(thread, message);
        } else {
            location.sees(thread, message);
            VectorClock seen = observed[thread];
            observed[thread] = seen == null ? message : seen.join(message);
        }
    }

    /// The read of a strong operation that reads and writes, before it is looked at.
    ///
    /// @param acquires whether it may be one that acquires: that of `red` is none
    public void readToUpdate(
            long address, int bytes, int thread, MemoryOrder order, boolean acquires) {
        if (acquires) {
            acquire(location(address, bytes), thread, order);
        }
    }

    /// Its write, after it was looked at: it passes on what it read.
    public void update(long address, int bytes, int thread, MemoryOrder order) {
        Location location = location(address, bytes);
        location.update(thread, clocks[thread / 32], known[thread]);
        VectorClock own = release(location, thread, order);
        VectorClock message = location.message();
        if (own != null) {
            location.write(message == null ? own : message.join(own));
        }
    }

    /// A strong write, after it was looked at.
    public void write(long address, int bytes, int thread, MemoryOrder order) {
        Location location = location(address, bytes);
        location.start(thread, clocks[thread / 32], known[thread]);
        location.write(release(location, thread, order));
    }

    /// What a strong write of a thread carries: what this operation, one of its earlier ones
    /// here, or its last fence releases (PTX ISA 8.8).
    private @Nullable VectorClock release(Location location, int thread, MemoryOrder order) {
        VectorClock own = location.releasedBy(thread);
        VectorClock fence = fenced[thread];
        if (fence != null) {
            VectorClock whole = fence.with(thread / 32, 1 << thread % 32, fencedAt[thread]);
            own = own == null ? whole : own.join(whole);
        }
        if (order.releases()) {
            VectorClock whole = released(thread, clocks[thread / 32]);
            own = own == null ? whole : own.join(whole);
            location.releases(thread, own);
            tick(thread / 32);
        }
        return own;
    }

    /// Whether a strong access was observed by something that is over for a thread (PTX ISA 8.9.5).
    boolean isObserved(long address, int bytes, boolean read, int by, int clock, int thread) {
        Location location = locations.get(address << 5 | bytes);
        return location != null && location.isObserved(read, by, clock, thread, this);
    }

    // mbarrier objects.

    /// An arrival that releases; it ends the phase, or not.
    public void arrive(long object, int thread, boolean releases, boolean completes) {
        Location location = location(object, 8);
        VectorClock own =
                release(location, thread, releases ? MemoryOrder.RELEASE : MemoryOrder.RELAXED);
        location.arrive(own, completes);
    }

    /// A wait that has seen a phase end.
    public void waited(long object, int thread, boolean acquires) {
        VectorClock phase = location(object, 8).phase();
        if (phase == null) {
            return;
        }
        if (acquires) {
            learn(thread, phase);
        } else {
            VectorClock seen = observed[thread];
            observed[thread] = seen == null ? phase : seen.join(phase);
        }
    }

    // Other CTAs of the cluster. What passes through them is not followed: all that the threads
    // here did so far counts.

    private VectorClock everything() {
        VectorClock all = nothing;
        for (int warp = 0; warp < warps; warp++) {
            all = all.join(gathered(warp, -1));
            tick(warp);
        }
        return all;
    }

    /// A thread of another CTA arrives at an mbarrier; it ends the phase, or not.
    public void arriveFromOutside(long object, boolean completes) {
        location(object, 8).arrive(everything(), completes);
    }

    /// A copy has counted its bytes on an mbarrier; that ends the phase, or not.
    public void transaction(long object, boolean completes) {
        int lane = AsyncOrder.lane(object);
        location(object, 8).arrive(nothing.with(warps, 1 << lane, async[lane]), completes);
    }

    // Asynchronous operations.

    /// The thread that stands for operations of a kind.
    public int asyncThread(int lane) {
        return 32 * warps + lane;
    }

    /// An operation begins; returns its clock.
    public int beginAsync(int lane) {
        return ++async[lane];
    }

    /// A thread has waited for an operation.
    public void learnAsync(int thread, int lane, int clock) {
        learn(thread, nothing.with(warps, 1 << lane, clock));
    }

    /// What is over for a thread.
    public VectorClock known(int thread) {
        return known[thread];
    }

    /// Whether what a thread did at a clock is over for everybody.
    boolean isOverForAll(int thread, int clock) {
        for (int each = 0; each < threads; each++) {
            if (!isOver(thread, clock, each)) {
                return false;
            }
        }
        return true;
    }

    /// All threads of the cluster have met.
    public void synchronizeAll() {
        VectorClock all = everything();
        for (int warp = 0; warp < warps; warp++) {
            know(warp, -1, all);
        }
    }
}
