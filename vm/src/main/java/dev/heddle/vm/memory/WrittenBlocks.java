package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/// Which blocks of memory are known to be written whole: a copy to where one went before need not
/// mark every byte again, which takes as long as the copy itself.
final class WrittenBlocks {
    private static final int BLOCK = 4096;

    private static final MemorySegment ALL_WRITTEN = allWritten();

    private final BitSet whole = new BitSet();

    private static MemorySegment allWritten() {
        byte[] marks = new byte[BLOCK];
        Arrays.fill(marks, (byte) 1);
        return MemorySegment.ofArray(marks).asReadOnly();
    }

    /// Marks a range as written.
    ///
    /// @param marks one byte per byte of memory
    synchronized void mark(MemorySegment marks, long offset, long bytes) {
        int first = Math.toIntExact((offset + BLOCK - 1) / BLOCK);
        int last = Math.toIntExact((offset + bytes) / BLOCK);
        if (first >= last) {
            fill(marks, offset, offset + bytes);
            return;
        }
        fill(marks, offset, (long) first * BLOCK);
        fill(marks, (long) last * BLOCK, offset + bytes);
        int open = whole.nextClearBit(first);
        while (open < last) {
            int known = whole.nextSetBit(open);
            int end = known < 0 ? last : Math.min(known, last);
            fill(marks, (long) open * BLOCK, (long) end * BLOCK);
            open = whole.nextClearBit(end);
        }
        whole.set(first, last);
    }

    private static void fill(MemorySegment marks, long from, long to) {
        marks.asSlice(from, to - from).fill((byte) 1);
    }

    /// What of a range is not marked, null for nothing. Blocks found to be whole are known from
    /// then on: a result is often copied more than once.
    ///
    /// @return with the offset of the first
    synchronized @Nullable Unwritten unwritten(MemorySegment marks, long offset, long bytes) {
        long end = offset + bytes;
        long next;
        for (long at = offset; at < end; at = next) {
            int block = Math.toIntExact(at / BLOCK);
            next = Math.min(end, (block + 1L) * BLOCK);
            if (whole.get(block)) {
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

    /// Some marks of a range are no longer set.
    synchronized void forget(long offset, long bytes) {
        whole.clear(
                Math.toIntExact(offset / BLOCK),
                Math.toIntExact((offset + bytes + BLOCK - 1) / BLOCK));
    }
}
