package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Until when copies of `cp.async` of a CTA read their sources in global memory: until their thread
/// has waited for them, or the phase is over that they were handed to. To write there before is
/// undefined (PTX ISA 9.7.9.25.1).
///
/// What copies read is stamped with the clock at which they began. Here stands what became of the
/// latest that began at a clock.
public final class CopiedSources {
    /// Of so many a warp, one after the other; those before count as over when they began.
    private static final int MOST = 16;

    private final HappensBefore order;
    private final int cta;

    private final List<OfWarp> warps = new ArrayList<>();

    /// Says when parts of a lane's copies were over.
    public interface Ends {
        /// The clock at which a lane had waited for a part, or handed it over; -1 as long as it has
        /// not.
        int overAt(int lane, int part);
    }

    /// What an instruction's copies of one part read from a clock on.
    private static final class Reads {
        private final int clock;
        private final int site;
        private final int part;
        private int lanes;

        // The lanes whose copies are over; and when that was: of all, or of each.
        private int over;
        private int end;
        private int @Nullable [] ends;

        Reads(int clock, int site, int part) {
            this.clock = clock;
            this.site = site;
            this.part = part;
        }

        void end(Ends told, boolean even) {
            if (even && over == 0) {
                end = told.overAt(0, part);
                over = end < 0 ? 0 : lanes;
                return;
            }
            int[] each = ends == null ? new int[Integer.SIZE] : ends;
            ends = each;
            for (int rest = lanes & ~over; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                each[lane] = told.overAt(lane, part);
                over |= each[lane] < 0 ? 0 : 1 << lane;
            }
        }

        /// When that of a lane was over, or -1.
        int endOf(int lane) {
            boolean isOver = (over >>> lane & 1) != 0;
            return !isOver ? -1 : ends == null ? end : ends[lane];
        }
    }

    /// What copies of a warp read.
    private static final class OfWarp {
        private final Deque<Reads> latest = new ArrayDeque<>();

        // The clock up to which something was forgotten: the first of it may be missing.
        private int forgotten;

        /// Of a lane's copies by one instruction at one clock the first stand for all.
        void began(int clock, int site, int part, int lanes) {
            int rest = clock <= forgotten ? 0 : lanes;
            Reads joined = null;
            for (Reads reads : latest) {
                if (reads.clock == clock && reads.site == site) {
                    rest &= ~reads.lanes;
                    joined = reads.part == part && reads.over == 0 ? reads : joined;
                }
            }
            if (rest == 0) {
                return;
            }
            if (joined == null) {
                joined = new Reads(clock, site, part);
                latest.addLast(joined);
            }
            joined.lanes |= rest;
            if (latest.size() > MOST) {
                forgotten = latest.removeFirst().clock;
            }
        }
    }

    CopiedSources(HappensBefore order) {
        this.order = order;
        cta = order.cta();
    }

    /// The index of the CTA.
    int cta() {
        return cta;
    }

    private OfWarp of(int warp) {
        while (warps.size() <= warp) {
            warps.add(new OfWarp());
        }
        return warps.get(warp);
    }

    /// Copies of lanes have begun, now.
    ///
    /// @param part of each lane's copies
    public void began(int warp, int site, int part, int lanes) {
        of(warp).began(order.clock(warp), site, part, lanes);
    }

    /// Lanes of a warp have waited for copies, or handed them over.
    ///
    /// @param even whether all lanes have done the same
    public void ended(int warp, Ends ends, boolean even) {
        for (Reads reads : of(warp).latest) {
            if (reads.over != reads.lanes) {
                reads.end(ends, even);
            }
        }
    }

    /// Whether what some lanes of a warp copied is read by now, and that is over for a thread.
    ///
    /// @param clock at which the copies began
    /// @param by the order of the thread's CTA
    boolean areOver(int warp, int mask, int clock, int site, HappensBefore by, int thread) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int end = end(warp, lane, clock, site);
            int reader = end < Stamp.FIRST_ASYNC ? warp : order.async().ofCopies(warp);
            if (end < 0 || !by.areOver(cta, reader, 1 << lane, end, thread)) {
                return false;
            }
        }
        return true;
    }

    /// When a lane's copies were over, or -1 as long as they are not; when they began where that is
    /// not known any more.
    private int end(int warp, int lane, int clock, int site) {
        for (Reads reads : of(warp).latest) {
            if (reads.clock == clock && reads.site == site && (reads.lanes >>> lane & 1) != 0) {
                return reads.endOf(lane);
            }
        }
        return clock;
    }
}
