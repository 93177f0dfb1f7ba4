package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

/// What is over for a thread, of accesses that are asked about one after the other: mostly they are
/// those of a warp at one clock, and over or not as these all are.
final class OverFor {
    /// The bits of a stamp's clock and warp.
    private static final long ROW = -1L << Stamp.CLOCK | (1L << Stamp.THREAD_BITS) - 32;

    private static final long NO_ROW = -1;

    private final HappensBefore by;
    private int thread;
    private VectorClock known;

    // Of the last: its CTA, what is over of that, its clock and warp, and whether all of these is.
    private int cta;
    private @Nullable VectorClock over;
    private long row = NO_ROW;
    private boolean isWhole;

    // The CTA whose limit was asked last, and that limit; negative where none was.
    private int limited;
    private int limit = -1;

    /// @param by the order of the thread's CTA
    OverFor(HappensBefore by, int thread) {
        this.by = by;
        this.thread = thread;
        known = by.known(thread);
        cta = by.cta();
        over = known;
    }

    /// Asks for another thread of the CTA from here on.
    @SuppressWarnings("ReferenceEquality") // saves work only
    void turnTo(int next) {
        VectorClock more = by.known(next);
        thread = next;
        if (more != known) {
            known = more;
            cta = by.cta();
            over = more;
            row = NO_ROW;
            limit = -1;
        }
    }

    /// The latest clock such that all that threads of some CTA of the cluster did up to it is over.
    int limit(int whose) {
        if (limit < 0 || whose != limited) {
            VectorClock there = whose == by.cta() ? known : known.others().of(whose);
            limit = there == null ? 0 : there.least(by.warps);
            limited = whose;
        }
        return limit;
    }

    /// Whether an access of a thread of some CTA is over.
    boolean isOver(int whose, long stamp) {
        if (whose != cta) {
            cta = whose;
            over = whose == by.cta() ? known : known.others().of(whose);
            row = NO_ROW;
        }
        if ((stamp & ROW) != row) {
            row = stamp & ROW;
            int clock = Stamp.clock(stamp);
            isWhole = over == null ? clock == 0 : over.covers(warp(stamp), -1, clock);
        }
        return isWhole || isOverAlone(stamp);
    }

    /// Whether the only access of a place is over, or there is none; false where a stamp stands for
    /// several, or asks for a closer look.
    boolean isOnlyOver(int whose, long stamp) {
        return stamp == Stamp.NOBODY
                || stamp < Stamp.LOOK_CLOSER
                        && Stamp.kind(stamp) != Stamp.MANY
                        && isOver(whose, stamp);
    }

    private boolean isOverAlone(long stamp) {
        int doer = Stamp.thread(stamp);
        return doer == thread && cta == by.cta()
                || over != null && over.of(warp(stamp), doer % 32) >= Stamp.clock(stamp);
    }

    private static int warp(long stamp) {
        return Stamp.thread(stamp) / 32;
    }
}
