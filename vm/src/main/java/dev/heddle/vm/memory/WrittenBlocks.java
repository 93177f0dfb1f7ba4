package dev.heddle.vm.memory;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/// Which blocks of memory are known to be written whole: a copy to where one went before need not
/// mark every byte again, which takes as long as the copy itself.
final class WrittenBlocks {
    private static final int BLOCK = 4096;

    private final BitSet whole = new BitSet();

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

    /// Some marks of a range are no longer set.
    synchronized void forget(long offset, long bytes) {
        whole.clear(
                Math.toIntExact(offset / BLOCK),
                Math.toIntExact((offset + bytes + BLOCK - 1) / BLOCK));
    }
}
