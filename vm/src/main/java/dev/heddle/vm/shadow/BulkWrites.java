package dev.heddle.vm.shadow;

import java.util.ArrayList;
import java.util.List;

/// What bulk copies and reductions of a CTA write to global memory, until the thread that began
/// them has waited for their group: a wait with `.read` tells no more than that they have read
/// their source (PTX ISA 9.7.9.25.4.3).
public final class BulkWrites {
    /// Of more, the oldest half counts as over.
    private static final int MOST = 1 << 10;

    private final List<Write> writes = new ArrayList<>();

    // Around all of them.
    private long least = Long.MAX_VALUE;
    private long most;

    /// Bytes that an operation writes, one behind the other.
    ///
    /// @param from the offset of the first in global memory
    /// @param to the offset behind the last
    /// @param isReduction whether they are reduced, which is atomic for each element
    /// @param thread that began it
    /// @param group its bulk group
    /// @param site the number of the instruction
    public record Write(long from, long to, boolean isReduction, int thread, int group, int site) {
        private boolean overlaps(long first, long end) {
            return from < end && first < to;
        }
    }

    public boolean isEmpty() {
        return writes.isEmpty();
    }

    void clear() {
        writes.clear();
        bound();
    }

    public void add(Write write) {
        if (writes.size() == MOST) {
            writes.subList(0, MOST / 2).clear();
            bound();
        }
        writes.add(write);
        include(write);
    }

    /// A thread has waited until the writes of a group, and of those before it, were made.
    public void waited(int thread, int group) {
        if (writes.removeIf(write -> write.thread == thread && write.group <= group)) {
            bound();
        }
    }

    private void bound() {
        least = Long.MAX_VALUE;
        most = 0;
        writes.forEach(this::include);
    }

    private void include(Write write) {
        least = Math.min(least, write.from);
        most = Math.max(most, write.to);
    }

    /// Those that write some of these bytes.
    public List<Write> of(long from, long to) {
        return from < most && to > least
                ? writes.stream().filter(write -> write.overlaps(from, to)).toList()
                : List.of();
    }
}
