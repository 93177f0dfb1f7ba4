package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// What each thread of a CTA knows to be over. Threads of a warp mostly know the same: then one
/// clock stands for all 32, and a barrier gives it to all of them at once. Or they have learnt in
/// turn of each other.
final class KnownClocks {
    // By warp, null where its threads differ; those that have learnt in turn; and by thread, of the
    // other warps.
    private final @Nullable VectorClock[] ofWarps;
    private final @Nullable LanesInTurn[] inTurn;
    private final VectorClock[] ofThreads;

    /// @param nothing what all know at first
    KnownClocks(int warps, VectorClock nothing) {
        ofWarps = new VectorClock[warps];
        inTurn = new LanesInTurn[warps];
        ofThreads = new VectorClock[32 * warps];
        Arrays.fill(ofThreads, nothing);
        setAll(nothing);
    }

    void setAll(VectorClock clock) {
        Arrays.fill(ofWarps, clock);
        Arrays.fill(inTurn, null);
    }

    /// Some lanes of a warp have learnt in turn, behind the first.
    void set(int warp, int lanes, LanesInTurn all) {
        if ((lanes | 1) == -1) {
            ofWarps[warp] = null;
            inTurn[warp] = all;
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            set(32 * warp + lane, all.of(lane));
        }
    }

    VectorClock of(int thread) {
        VectorClock all = ofWarps[thread / 32];
        if (all != null) {
            return all;
        }
        LanesInTurn lanes = inTurn[thread / 32];
        return lanes == null ? ofThreads[thread] : lanes.of(thread % 32);
    }

    /// What any of some lanes of a warp knows.
    @SuppressWarnings("ReferenceEquality") // saves work only
    VectorClock by(int warp, int mask, VectorClock nothing) {
        VectorClock all = mask == 0 ? nothing : ofWarp(warp);
        if (all != null) {
            return all;
        }
        LanesInTurn lanes = inTurn[warp];
        if (lanes != null) {
            return lanes.of(31 - Integer.numberOfLeadingZeros(mask));
        }
        VectorClock last = null;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            VectorClock each = ofThreads[32 * warp + Integer.numberOfTrailingZeros(rest)];
            if (each != last) {
                all = all == null ? each : all.join(each);
                last = each;
            }
        }
        return all == null ? nothing : all;
    }

    /// What all threads of a warp know, or null where that is not the same.
    @SuppressWarnings("ReferenceEquality") // saves work only
    @Nullable VectorClock ofWarp(int warp) {
        if (ofWarps[warp] == null && inTurn[warp] == null) {
            VectorClock first = ofThreads[32 * warp];
            for (int thread = 32 * warp; thread < 32 * warp + 32; thread++) {
                if (ofThreads[thread] != first) {
                    return null;
                }
            }
            ofWarps[warp] = first;
        }
        return ofWarps[warp];
    }

    @SuppressWarnings("ReferenceEquality") // saves work only
    void set(int thread, VectorClock clock) {
        VectorClock all = ofWarps[thread / 32];
        if (all == clock) {
            return;
        }
        if (all != null) {
            int first = thread & -32;
            Arrays.fill(ofThreads, first, first + 32, all);
            ofWarps[thread / 32] = null;
        }
        LanesInTurn lanes = inTurn[thread / 32];
        for (int lane = 0; lanes != null && lane < 32; lane++) {
            ofThreads[(thread & -32) + lane] = lanes.of(lane);
        }
        inTurn[thread / 32] = null;
        ofThreads[thread] = clock;
    }

    /// Some lanes of a warp know the same.
    void set(int warp, int lanes, VectorClock clock) {
        if (lanes == -1) {
            ofWarps[warp] = clock;
            inTurn[warp] = null;
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            set(32 * warp + Integer.numberOfTrailingZeros(rest), clock);
        }
    }

    /// The least clock that any thread of a warp knows of the threads of the first warps.
    @SuppressWarnings("ReferenceEquality") // saves work only
    int least(int warp, int warps) {
        LanesInTurn lanes = inTurn[warp];
        if (lanes != null) {
            return lanes.first().least(warps);
        }
        VectorClock last = of(32 * warp);
        int least = last.least(warps);
        for (int lane = 1; lane < 32 && ofWarps[warp] == null; lane++) {
            VectorClock each = of(32 * warp + lane);
            if (each != last) {
                last = each;
                least = Math.min(least, each.least(warps));
            }
        }
        return least;
    }

    /// Whether what a thread did at a clock is over for each of some others.
    ///
    /// @param from the first of them
    /// @param to behind the last
    boolean cover(int thread, int clock, int from, int to) {
        for (int each = from, next; each < to; each = next) {
            next = ofWarps[each / 32] == null ? each + 1 : (each | 31) + 1;
            if (of(each).of(thread / 32, thread % 32) < clock) {
                return false;
            }
        }
        return true;
    }

    /// Whether what some lanes of a warp did at a clock is over for each lane of a warp.
    boolean coverLanes(int doer, int mask, int clock, int warp) {
        boolean isOne = ofWarp(warp) != null;
        for (int thread = 32 * warp; thread < 32 * warp + (isOne ? 1 : 32); thread++) {
            if (!of(thread).covers(doer, mask, clock)) {
                return false;
            }
        }
        return true;
    }

    /// Some threads learn that what another did is over, up to a clock.
    ///
    /// @param from the first of them
    /// @param to behind the last
    @SuppressWarnings("ReferenceEquality") // saves work only
    void reach(int from, int to, int other, int clock) {
        VectorClock before = of(from);
        VectorClock after = before.reaching(other / 32, other % 32, clock);
        for (int thread = from, next; thread < to; thread = next) {
            VectorClock each = of(thread);
            if (each != before) {
                before = each;
                after = before.reaching(other / 32, other % 32, clock);
            }
            boolean isWhole = thread % 32 == 0 && thread + 32 <= to;
            next = thread + (isWhole && ofWarp(thread / 32) != null ? 32 : 1);
            set(thread / 32, next == thread + 1 ? 1 << thread : -1, after);
        }
    }
}
