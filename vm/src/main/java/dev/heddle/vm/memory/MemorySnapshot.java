package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Map;

/// What global memory holds at a moment, to go back to.
public final class MemorySnapshot {
    private final Map<Buffer, Contents> contents;
    private boolean restored;

    MemorySnapshot(Map<Buffer, Contents> contents) {
        this.contents = contents;
    }

    /// What one buffer holds.
    ///
    /// @param marks which of its bytes were written; null where the memory is not tracked
    /// @param isOnHeap whether a kernel took it by `malloc`
    record Contents(MemorySegment bytes, @Nullable MemorySegment marks, boolean isOnHeap) {}

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
