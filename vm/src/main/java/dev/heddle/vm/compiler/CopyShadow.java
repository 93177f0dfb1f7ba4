package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Step;
import dev.heddle.vm.state.Frame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// What machine code needs to know to begin copies of `cp.async` with checks, and how Java learns
/// of those that it began; for a warp that runs by itself ([CopyShadowEmitter]).
final class CopyShadow {
    /// Of a note: the offsets of the lanes in shared memory, and the number of the copy.
    static final int NOTE_NUMBER = 32 * Integer.BYTES;

    /// Instead of the number where the lanes have committed their copies.
    static final int COMMIT = -1;

    // What machine code may do: begin copies, or not before Java knows that some were committed.
    private static final int BEGINS = 1;
    static final int HAS_COMMITTED = 2;

    static final int NOTE_BYTES = NOTE_NUMBER + Long.BYTES;
    private static final int MOST_NOTES = 16;

    /// Of each lane, behind the notes: the stamps that a copy replaces, for as long as it is looked
    /// at.
    private static final int REPLACED_BYTES = 32 * 64;

    private final WarpContext context;
    private final List<Step.AsyncCopy> copies;
    private final MemorySegment bytes;

    /// @param copies by their numbers
    /// @param arena of the launch
    CopyShadow(WarpContext context, List<Step.AsyncCopy> copies, Arena arena) {
        this.context = context;
        bytes = arena.allocate(MOST_NOTES * NOTE_BYTES + REPLACED_BYTES, 64);
        this.copies = copies;
        context.setLong(WarpContext.COPY_NOTE_AT, bytes.address());
        context.setLong(WarpContext.COPY_NOTES_END, bytes.address() + MOST_NOTES * NOTE_BYTES);
    }

    /// Says whether machine code may begin copies, or Java is to begin all.
    void know(Frame frame) {
        boolean begins =
                frame.shadow != null
                        && frame.warp.groups().areEven()
                        && context.getLong(WarpContext.LANE_STAMPS) != 0
                        && context.getLong(WarpContext.STORES) != 0;
        context.setLong(WarpContext.COPIES, begins ? BEGINS : 0);
    }

    /// Takes over what was begun since the last time.
    void note(Frame frame) {
        int end = (int) (context.getLong(WarpContext.COPY_NOTE_AT) - bytes.address());
        context.setLong(WarpContext.COPY_NOTE_AT, bytes.address());
        for (int at = 0; at < end; at += NOTE_BYTES) {
            int number = bytes.get(ValueLayout.JAVA_INT, at + NOTE_NUMBER);
            if (number == COMMIT) {
                frame.warp.units().copiesCommitted();
                continue;
            }
            Step.AsyncCopy copy = copies.get(number);
            frame.warp.units().copiesBegan(copy.site(), bytes, at, copy.bytes());
        }
    }
}
