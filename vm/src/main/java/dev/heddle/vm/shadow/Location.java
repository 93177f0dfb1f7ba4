package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The strong operations on one place, in the order in which they were made.
///
/// Its message is what the last write releases to who reads it; an atomic operation passes on what
/// it read (PTX ISA 8.9.2).
final class Location {
    /// Operations kept; of a place with more, every write counts as observed.
    private static final int MOST = 1 << 16;

    private static final int READ = 0;
    private static final int START = 1;
    private static final int UPDATE = 2;

    private @Nullable VectorClock message;
    private @Nullable VectorClock phase;
    private @Nullable Map<Integer, VectorClock> released;
    private @Nullable Map<Integer, VectorClock> seen;

    // Thread in the upper half; clock and kind in the lower.
    private long[] operations = new long[4];

    // What their threads knew then.
    private VectorClock[] knew = new VectorClock[4];
    private int count;
    private boolean isFull;

    @Nullable VectorClock message() {
        return message;
    }

    /// What the thread's own earlier operations here released.
    @Nullable VectorClock releasedBy(int thread) {
        return released == null ? null : released.get(thread);
    }

    void releases(int thread, VectorClock what) {
        if (released == null) {
            released = new HashMap<>();
        }
        released.put(thread, what);
    }

    /// What the thread's earlier reads here observed without acquiring it.
    @Nullable VectorClock seenBy(int thread) {
        return seen == null ? null : seen.get(thread);
    }

    void sees(int thread, VectorClock what) {
        if (seen == null) {
            seen = new HashMap<>();
        }
        seen.merge(thread, what, VectorClock::join);
    }

    void write(@Nullable VectorClock releases) {
        message = releases;
    }

    /// An arrival at the mbarrier object that is here.
    void arrive(@Nullable VectorClock releases, boolean completes) {
        if (releases != null) {
            message = message == null ? releases : message.join(releases);
        }
        if (completes) {
            phase = message;
        }
    }

    /// What the arrivals of the phases that are over have released.
    @Nullable VectorClock phase() {
        return phase;
    }

    // Who observed what.

    void read(int thread, int clock, VectorClock known) {
        long operation = operation(thread, clock, READ);
        for (int i = count - 1; i >= 0 && (operations[i] & 3) == READ; i--) {
            if (operations[i] == operation) {
                return;
            }
        }
        add(operation, known);
    }

    /// A write that observes nothing.
    void start(int thread, int clock, VectorClock known) {
        add(operation(thread, clock, START), known);
    }

    void update(int thread, int clock, VectorClock known) {
        add(operation(thread, clock, UPDATE), known);
    }

    private static long operation(int thread, int clock, int kind) {
        return (long) thread << 32 | (long) clock << 2 | kind;
    }

    private void add(long operation, VectorClock known) {
        if (count == MOST) {
            isFull = true;
            return;
        }
        if (count == operations.length) {
            operations = Arrays.copyOf(operations, 2 * count);
            knew = Arrays.copyOf(knew, 2 * count);
        }
        knew[count] = known;
        operations[count++] = operation;
    }

    /// Whether something that is over for a thread has observed a write, or a later one that the
    /// access happened before: operations on one place are in one order (PTX ISA 8.10.1, 8.10.5).
    ///
    /// @param by whose the access is, the last of its kind at this clock
    boolean isObserved(boolean read, int by, int clock, int thread, HappensBefore order) {
        if (isFull) {
            return true;
        }
        int start = last(read, by, clock);
        boolean isCarried = false;
        for (int i = 0; start >= 0 && i < count; i++) {
            int kind = kind(i);
            if (kind != START && isCarried && order.isOver(thread(i), clock(i), thread)) {
                return true;
            }
            isCarried = kind != READ && isBehind(i, start) || isCarried && kind != START;
        }
        return false;
    }

    /// Whether an operation is another, or that happened before it.
    private boolean isBehind(int i, int other) {
        int by = thread(other);
        return thread(i) == by ? i >= other : knew[i].of(by / 32, by % 32) >= clock(other);
    }

    private int kind(int i) {
        return (int) operations[i] & 3;
    }

    private int clock(int i) {
        return (int) operations[i] >>> 2;
    }

    private int thread(int i) {
        return (int) (operations[i] >>> 32);
    }

    private int last(boolean read, int by, int clock) {
        for (int i = count - 1; i >= 0; i--) {
            if (thread(i) == by && clock(i) == clock && (kind(i) == READ) == read) {
                return i;
            }
        }
        return -1;
    }
}
