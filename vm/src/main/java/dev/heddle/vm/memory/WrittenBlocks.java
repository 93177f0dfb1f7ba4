package dev.heddle.vm.memory;

import static dev.heddle.vm.memory.Storage.BLOCK;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The marks of what was written, and which blocks of memory are known to be written whole: a copy
/// to where one went before need not mark every byte again, which takes as long as the copy itself.
///
/// @param storage that has the marks, and what is known of blocks
/// @param tracked whether there are marks but those that are assumed
record WrittenBlocks(Storage storage, boolean tracked) {
    private static final MemorySegment SET = bytesOf(1);
    private static final MemorySegment CLEAR = bytesOf(0);

    private static MemorySegment bytesOf(int value) {
        byte[] bytes = new byte[2048];
        Arrays.fill(bytes, (byte) value);
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    /// The first place of a range that holds another byte than all of `same`; its end where none
    /// does.
    private static long mismatch(MemorySegment memory, long from, long to, MemorySegment same) {
        for (long at = from; at < to; at += same.byteSize()) {
            long end = Math.min(to, at + same.byteSize());
            long differs = MemorySegment.mismatch(memory, at, end, same, 0, end - at);
            if (differs >= 0) {
                return at + differs;
            }
        }
        return to;
    }

    /// Marks a range as written.
    void mark(long offset, long bytes) {
        if (tracked) {
            set(offset, bytes);
        }
    }

    private synchronized void set(long offset, long bytes) {
        long first = Storage.blocks(offset);
        long last = (offset + bytes) / BLOCK;
        if (first >= last) {
            fill(offset, offset + bytes);
            return;
        }
        fill(offset, first * BLOCK);
        fill(last * BLOCK, offset + bytes);
        MemorySegment whole = storage.wholeBlocks();
        long open = mismatch(whole, first, last, SET);
        while (open < last) {
            long end = mismatch(whole, open, last, CLEAR);
            fill(open * BLOCK, end * BLOCK);
            setWhole(open, end);
            open = mismatch(whole, end, last, SET);
        }
    }

    /// Takes a range for written where nothing is marked.
    synchronized void assume(long offset, long bytes) {
        if (!tracked) {
            setWhole(Storage.blocks(offset), (offset + bytes) / BLOCK);
            set(offset, bytes);
        }
    }

    private void setWhole(long first, long last) {
        storage.wholeBlocks().asSlice(first, Math.max(0, last - first)).fill((byte) 1);
    }

    private void fill(long from, long to) {
        storage.marks().asSlice(from, to - from).fill((byte) 1);
    }

    /// What of a range is not marked, null for nothing. Blocks found to be whole are known from
    /// then on: a result is often copied more than once.
    ///
    /// @return with the offset of the first
    synchronized @Nullable Unwritten unwritten(long offset, long bytes) {
        MemorySegment marks = storage.marks();
        MemorySegment whole = storage.wholeBlocks();
        long end = tracked ? offset + bytes : offset;
        long last = Storage.blocks(end);
        for (long at = offset; at < end; ) {
            long open = mismatch(whole, at / BLOCK, last, SET);
            long from = Math.max(at, open * BLOCK);
            long to = Math.min(end, mismatch(whole, open, last, CLEAR) * BLOCK);
            long differs = mismatch(marks, from, Math.max(from, to), SET);
            if (differs < to) {
                return new Unwritten(differs, countUnwritten(marks, differs, end));
            }
            setWhole(Storage.blocks(from), to / BLOCK);
            at = Math.max(from, to);
        }
        return null;
    }

    private static long countUnwritten(MemorySegment marks, long from, long end) {
        long count = 0;
        for (long at = from; at < end; at++) {
            count += marks.get(ValueLayout.JAVA_BYTE, at) == 0 ? 1 : 0;
        }
        return count;
    }

    /// Nobody wrote a range.
    void erase(long offset, long bytes) {
        if (tracked) {
            forget(offset, bytes);
            storage.marks().asSlice(offset, bytes).fill((byte) 0);
        }
    }

    /// Gives a range the marks of another one.
    void copy(long from, long to, long bytes) {
        forget(to, bytes);
        MemorySegment.copy(storage.marks(), from, storage.marks(), to, bytes);
    }

    /// Gives a range these marks.
    void restore(long offset, MemorySegment marks) {
        forget(offset, marks.byteSize());
        MemorySegment.copy(marks, 0, storage.marks(), offset, marks.byteSize());
    }

    /// Some marks of a range are no longer set.
    synchronized void forget(long offset, long bytes) {
        long first = offset / BLOCK;
        long last = Storage.blocks(offset + bytes);
        storage.wholeBlocks().asSlice(first, last - first).fill((byte) 0);
    }
}
