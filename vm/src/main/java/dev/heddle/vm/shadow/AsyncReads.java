package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// The shared memory that asynchronous operations read, until that is over for everybody.
public final class AsyncReads {
    /// Of more, the oldest count as over.
    private static final int MOST = 256;

    private final HappensBefore order;
    private final List<Entry> entries = new ArrayList<>();
    private int least = Integer.MAX_VALUE;
    private int most;

    /// Bytes that an operation reads.
    ///
    /// @param thread that stands for the operation
    /// @param clock of the operation
    /// @param site the instruction's number
    public record Entry(int from, int to, int thread, int clock, int site) {}

    AsyncReads(HappensBefore order) {
        this.order = order;
    }

    void clear() {
        entries.clear();
        least = Integer.MAX_VALUE;
        most = 0;
    }

    public void add(Entry entry) {
        if (entries.size() >= MOST) {
            prune();
        }
        entries.add(entry);
        least = Math.min(least, entry.from);
        most = Math.max(most, entry.to);
    }

    private void prune() {
        Iterator<Entry> each = entries.iterator();
        while (each.hasNext()) {
            Entry entry = each.next();
            if (order.isOverForAll(entry.thread, entry.clock)) {
                each.remove();
            }
        }
        if (entries.size() >= MOST) {
            entries.subList(0, MOST / 2).clear();
        }
    }

    /// Whether some of these bytes may be read now.
    boolean mayTouch(int from, int to) {
        return from < most && to > least;
    }

    /// What reads some of these bytes and is not over for a thread, or null.
    public @Nullable Entry racing(int from, int to, int thread) {
        if (!mayTouch(from, to)) {
            return null;
        }
        for (Entry entry : entries) {
            if (from < entry.to
                    && to > entry.from
                    && !order.isOver(entry.thread, entry.clock, thread)) {
                return entry;
            }
        }
        return null;
    }
}
