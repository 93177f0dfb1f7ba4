package dev.heddle.vm.memory;

import dev.heddle.vm.ir.Addresses;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/// What global memory holds at a moment, to go back to.
public final class MemorySnapshot {
    private final Map<Buffer, Contents> contents;
    private Touched touched = Touched.ALL;
    private boolean restored;

    MemorySnapshot(Map<Buffer, Contents> contents) {
        this.contents = contents;
    }

    /// What one buffer holds.
    ///
    /// @param marks which of its bytes were written; null where the memory is not tracked
    /// @param isOnHeap whether a kernel took it by `malloc`
    record Contents(MemorySegment bytes, @Nullable MemorySegment marks, boolean isOnHeap) {}

    /// What there was.
    public Set<Buffer> buffers() {
        return Collections.unmodifiableSet(contents.keySet());
    }

    /// Only what a launch has touched is to go back: the host may have written the rest since then.
    public void limit(Touched places) {
        touched = places;
    }

    /// What was touched of a buffer holds what it held.
    void putBack(Buffer buffer, Contents before, MemorySegment memory, WrittenBlocks blocks) {
        long start = buffer.address() - Addresses.GLOBAL;
        touched.within(
                start,
                start + buffer.bytes(),
                (from, to) -> {
                    long at = from - start;
                    long bytes = to - from;
                    memory.asSlice(from, bytes).copyFrom(before.bytes.asSlice(at, bytes));
                    if (before.marks != null) {
                        blocks.restore(from, before.marks.asSlice(at, bytes));
                    }
                });
    }

    /// Memory goes back to it.
    Map<Buffer, Contents> restore() {
        restored = true;
        return contents;
    }

    /// Whether memory went back to it.
    public boolean isRestored() {
        return restored;
    }
}
