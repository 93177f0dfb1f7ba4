package dev.heddle.vm.compiler;

import dev.heddle.vm.shadow.Locations;
import dev.heddle.vm.shadow.PlannedReads;
import dev.heddle.vm.shadow.RowPlans;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Frame;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// What the notes stand for that the machine code of a warp takes of its reads of shared memory.
///
/// @param plans by their numbers
/// @param rows by their numbers: what each of some lanes has read, or each row of a matrix
record ReadNotes(List<PlannedReads> plans, RowPlans rows) {
    /// Of one access, less one: what begins so far before the words that were read may touch them.
    private static final int WIDEST = 15;

    boolean isEmpty() {
        return plans.isEmpty() && rows.all().isEmpty();
    }

    /// Says up to which stamp all is over for the warp, and what was read since then. There are no
    /// notes then.
    ///
    /// @param writes whether shared memory is written, too
    static void know(Frame frame, WarpContext context, boolean writes) {
        long start = context.bytes.address();
        context.setLong(WarpContext.NOTE_AT, start + WarpContext.NOTES);
        context.setLong(WarpContext.ROW_NOTE_AT, start + WarpContext.ROW_NOTES);
        SharedShadow shadow = frame.shadow;
        if (shadow == null) {
            return;
        }
        int warp = frame.warp.index();
        long now = shadow.stamp(warp, 0);
        long over = shadow.wholeWords().limit(now);
        context.setLong(WarpContext.OVER, over);
        context.setLong(WarpContext.TURNED_OVER, over - Stamp.ASYNC);
        context.setLong(WarpContext.ASYNC_OVER, shadow.wholeWords().asyncLimit(now));
        context.tellOvers(shadow.wholeWords().overs(now));
        context.setLong(WarpContext.NOW, now);
        if (writes) {
            context.setLong(WarpContext.NEXT_PLACE, shadow.bytes().reserve());
            context.setLong(WarpContext.PLACES_END, shadow.bytes().endOfRoom());
            context.setLong(WarpContext.STORES, shadow.isOfWeakAccesses(warp) ? 1 : 0);
            int from = shadow.wholeWords().firstRecent(now);
            int to = shadow.wholeWords().endOfRecent();
            long shared = context.getLong(WarpContext.SHARED);
            context.setLong(WarpContext.READ_START, shared + from - WIDEST);
            context.setLong(WarpContext.READ_SPAN, from < to ? to - from + WIDEST : 0);
            Locations strong = shadow.order().strong().shared();
            boolean isAny = strong.count() > 0;
            context.setLong(WarpContext.STRONG_START, isAny ? shared + strong.from() - WIDEST : 0);
            context.setLong(
                    WarpContext.STRONG_SPAN, isAny ? strong.to() - strong.from() + WIDEST : 0);
        }
    }

    /// Tells the shadow what was read since the last time.
    ///
    /// @param writes whether shared memory is written, too
    void take(Frame frame, WarpContext context, boolean writes) {
        SharedShadow shadow = frame.shadow;
        if (shadow != null) {
            if (writes) {
                shadow.bytes().took((int) context.getLong(WarpContext.NEXT_PLACE));
            }
            long now = shadow.stamp(frame.warp.index(), 0);
            takeRows(shadow, now, context);
            takePlans(shadow, now, context);
        }
    }

    /// Whether at least half of the room for notes is free.
    static boolean haveRoom(WarpContext context) {
        long start = context.bytes.address();
        long plans = context.getLong(WarpContext.NOTE_AT) - start - WarpContext.NOTES;
        long rows = context.getLong(WarpContext.ROW_NOTE_AT) - start - WarpContext.ROW_NOTES;
        return 2 * plans <= WarpContext.MOST_NOTES * WarpContext.NOTE_BYTES
                && 2 * rows <= WarpContext.MOST_ROW_NOTES * WarpContext.ROW_NOTE_BYTES;
    }

    private void takePlans(SharedShadow shadow, long now, WarpContext context) {
        int end = (int) (context.getLong(WarpContext.NOTE_AT) - context.bytes.address());
        long base = context.getLong(WarpContext.SHARED);
        for (int at = WarpContext.NOTES; at < end; at += WarpContext.NOTE_BYTES) {
            PlannedReads plan = plans.get(context.getInt(at + 20));
            int stride = context.getInt(at + 16) == AddressPlan.both(AddressPlan.UNIFORM) ? 0 : 1;
            int low = (int) (context.getLong(at) - base) >> 2;
            int high = (int) (context.getLong(at + 8) - base) >> 2;
            if (high - low == 16 * stride) {
                shadow.wholeWords().noteRead(plan, low, stride, -1, now);
            } else {
                shadow.wholeWords().noteRead(plan, low, stride, 0xffff, now);
                shadow.wholeWords().noteRead(plan, high, stride, 0xffff_0000, now);
            }
        }
    }

    private void takeRows(SharedShadow shadow, long now, WarpContext context) {
        int end = (int) (context.getLong(WarpContext.ROW_NOTE_AT) - context.bytes.address());
        int count = (end - WarpContext.ROW_NOTES) / WarpContext.ROW_NOTE_BYTES;
        if (count > 0) {
            MemorySegment from = context.bytes;
            int first = context.firstOfRows();
            int last = context.lastOfRows();
            shadow.wholeWords()
                    .noteRows(rows, from, WarpContext.ROW_NOTES, count, first, last, now);
        }
    }
}
