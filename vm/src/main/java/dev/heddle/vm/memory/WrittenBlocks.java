package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/// The marks of what was written, and which blocks of memory are known to be written whole: a copy
/// to where one went before need not mark every byte again, which takes as long as the copy itself.
final class WrittenBlocks {
    private static final int BLOCK = 2048;

    private static final MemorySegment ALL_WRITTEN = allWritten();

    private final Storage storage;
    private final BitSet whole = new BitSet();

    /// @param storage that has the marks, one byte per byte of memory
    WrittenBlocks(Storage storage) {
        this.storage = storage;
    }

    private static MemorySegment allWritten() {
        byte[] marks = new byte[BLOCK];
        Arrays.fill(marks, (byte) 1);
        return MemorySegment.ofArray(marks).asReadOnly();
    }

    /// Marks a range as written.
    synchronized void mark(long offset, long bytes) {
        int first = Math.toIntExact((offset + BLOCK - 1) / BLOCK);
        int last = Math.toIntExact((offset + bytes) / BLOCK);
        if (first >= last) {
            fill(offset, offset + bytes);
            return;
        }
        fill(offset, (long) first * BLOCK);
        fill((long) last * BLOCK, offset + bytes);
        int open = whole.nextClearBit(first);
        while (open < last) {
            int known = whole.nextSetBit(open);
            int end = known < 0 ? last : Math.min(known, last);
            fill((long) open * BLOCK, (long) end * BLOCK);
            whole.set(open, end);
            open = whole.nextClearBit(end);
        }
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
        long end = offset + bytes;
        long next;
        for (long at = offset; at < end; at = next) {
            int block = Math.toIntExact(at / BLOCK);
            int open = whole.nextClearBit(block);
            next = Math.min(end, Math.max(open, block + 1L) * BLOCK);
            if (open > block) {
                continue;
            }
            long differs = MemorySegment.mismatch(marks, at, next, ALL_WRITTEN, 0, next - at);
            if (differs >= 0) {
                return new Unwritten(at + differs, countUnwritten(marks, at + differs, end));
            }
            if (next - at == BLOCK) {
                whole.set(block);
            }
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
        forget(offset, bytes);
        storage.marks().asSlice(offset, bytes).fill((byte) 0);
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
        whole.clear(
                Math.toIntExact(offset / BLOCK),
                Math.toIntExact((offset + bytes + BLOCK - 1) / BLOCK));
    }
}
