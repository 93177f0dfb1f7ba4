package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

/// What is over for a thread, of accesses that are asked about one after the other: mostly they are
/// those of a warp at one clock, and over or not as these all are.
final class OverFor {
    /// The bits of a stamp's clock and warp.
    private static final long ROW = -1L << Stamp.CLOCK | (1L << Stamp.THREAD_BITS) - 32;

    private final HappensBefore by;
    private final int thread;
    private final VectorClock known;

    // Of the last: its CTA, what is over of that, its clock and warp, and whether all of these is.
    private int cta;
    private @Nullable VectorClock over;
    private long row;
    private boolean isWhole;

    /// @param by the order of the thread's CTA
    OverFor(HappensBefore by, int thread) {
        this.by = by;
        this.thread = thread;
        known = by.known(thread);
        cta = by.cta();
        over = known;
    }

    /// Whether an access of a thread of some CTA is over.
    boolean isOver(int whose, long stamp) {
        if (whose != cta) {
            cta = whose;
            over = whose == by.cta() ? known : known.others().of(whose);
            row = Stamp.NOBODY;
        }
        if ((stamp & ROW) != row) {
            row = stamp & ROW;
            isWhole = over != null && over.covers(warp(stamp), -1, Stamp.clock(stamp));
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
