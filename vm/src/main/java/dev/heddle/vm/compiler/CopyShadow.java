package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Step;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.shadow.CopiesUnderWay;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.AsyncGroups;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// What machine code needs to know to begin copies of `cp.async` with checks, and how Java learns
/// of those that it began; for a warp that runs by itself ([CopyShadowEmitter]).
final class CopyShadow {
    /// Of a copy: where it may begin in the buffer that it met last.
    static final int BUFFER_FROM = 0;

    static final int BUFFER_LAST = 8;
    static final int BUFFER_BYTES = 16;

    /// Of a note: the addresses of the lanes in shared memory, and the number of the copy.
    static final int NOTE_NUMBER = 32 * Long.BYTES;

    static final int NOTE_BYTES = NOTE_NUMBER + Long.BYTES;
    private static final int MOST_NOTES = 16;

    /// Of one copy, less one: what begins so far before the words that were read may touch them.
    private static final int WIDEST = 15;

    private final WarpContext context;
    private final List<Step.AsyncCopy> copies;
    private final GlobalMemory memory;
    private final MemorySegment bytes;
    private final int notes;

    // Null where Java is to begin all copies.
    private final @Nullable MetBuffers met;
    private int frees;

    /// @param copies by their numbers
    CopyShadow(Frame frame, WarpContext context, List<Step.AsyncCopy> copies) {
        this.context = context;
        this.copies = copies;
        Grid grid = frame.warp.cta().grid();
        memory = grid.global();
        notes = copies.size() * BUFFER_BYTES;
        bytes = Arena.ofAuto().allocate(notes + MOST_NOTES * NOTE_BYTES, 8);
        forget();
        context.setLong(WarpContext.COPY_BUFFERS, bytes.address());
        context.setLong(WarpContext.COPY_NOTE_AT, bytes.address() + notes);
        context.setLong(WarpContext.COPY_NOTES_END, bytes.address() + bytes.byteSize());
        GlobalShadow global = grid.shadow();
        MemorySegment sectors = global == null ? null : global.sectors();
        if (global == null || sectors == null || !global.isBySectors() || !grid.checksAll()) {
            met = null;
            return;
        }
        met = new MetBuffers(memory, global);
        context.setLong(WarpContext.SECTORS, sectors.address());
        long marks = memory.written().address() - memory.segment().address();
        context.setLong(WarpContext.MARKS, marks);
    }

    /// Forgets which buffers copies met.
    private void forget() {
        frees = memory.frees();
        for (int i = 0; i < copies.size(); i++) {
            MetBuffers.forget(bytes, i * BUFFER_BYTES + BUFFER_FROM);
        }
    }

    /// The copies under way, which machine code adds to for as long as a call takes; none where
    /// Java is to begin all.
    MemorySegment know(Frame frame) {
        SharedShadow shadow = frame.shadow;
        AsyncGroups groups = frame.warp.groups();
        if (met == null || shadow == null || !groups.areEven() || !shadow.isOfWeakAccesses()) {
            return MemorySegment.NULL;
        }
        if (frees != memory.frees()) {
            forget();
        }
        long now = shadow.stamp(frame.warp.index(), 0);
        context.setLong(WarpContext.NOW, now);
        context.setLong(
                WarpContext.COPY, CopiesUnderWay.copy(groups.current(0), 0, frame.warp.thread(0)));
        int from = shadow.wholeWords().firstRecent(now);
        int to = shadow.wholeWords().endOfRecent();
        long start = context.getLong(WarpContext.SHARED) + from - WIDEST;
        context.setLong(WarpContext.READ_START, start);
        context.setLong(WarpContext.READ_SPAN, from < to ? to - from + WIDEST : 0);
        MemorySegment under = shadow.copies().segment();
        context.setLong(WarpContext.COPY_BYTES, under.byteSize() / 2);
        return under;
    }

    /// Takes over what was begun since the last time.
    void note(Frame frame) {
        int end = (int) (context.getLong(WarpContext.COPY_NOTE_AT) - bytes.address());
        context.setLong(WarpContext.COPY_NOTE_AT, bytes.address() + notes);
        long shared = context.getLong(WarpContext.SHARED);
        for (int at = notes; at < end; at += NOTE_BYTES) {
            int[] offsets = new int[32];
            for (int lane = 0; lane < offsets.length; lane++) {
                offsets[lane] = (int) (getLong(at + Long.BYTES * lane) - shared);
            }
            int number = bytes.get(ValueLayout.JAVA_INT, at + NOTE_NUMBER);
            Step.AsyncCopy copy = copies.get(number);
            frame.warp.units().copiesBegan(copy.site(), offsets, copy.bytes());
        }
    }

    /// Java has begun a copy.
    void meet(Step.AsyncCopy copy, Frame frame, int lanes) {
        int number = copies.indexOf(copy);
        if (met != null && number >= 0) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            long address = frame.value(copy.origin(), lane) + copy.originOffset();
            met.meet(bytes, number * BUFFER_BYTES + BUFFER_FROM, address, copy.bytes());
        }
    }

    private long getLong(int offset) {
        return bytes.get(ValueLayout.JAVA_LONG, offset);
    }
}
