package dev.heddle.programs.device;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.Collection;

/// A piece of a stream's work, and what is certainly done before it: what came before in its
/// stream, what that waited for, and what the host knew when it gave the work. The nodes of a graph
/// are parts of one operation, each behind those that it depends on.
final class Operation {
    private static final ThreadLocal<@Nullable Operation> CURRENT = new ThreadLocal<>();

    /// Never changed.
    private static final BitSet NOTHING = new BitSet();

    private final Stream stream;
    private final long number;
    private final StreamClock behind;
    private final long awaited;
    private final int allocations;
    private boolean isEarly;

    // Of a part: what it is in, its number there, which parts are done before it, and which are in
    // it.
    private final Operation whole;
    private final Operation around;
    private final int part;
    private final BitSet before;
    private @Nullable BitSet contents;
    private int parts;

    /// @param number in its stream, from 1
    /// @param behind what is done before it
    /// @param awaited how many of its stream the host had waited for when it gave the work
    /// @param allocations how many the program had made then
    Operation(Stream stream, long number, StreamClock behind, long awaited, int allocations) {
        this.stream = stream;
        this.number = number;
        this.behind = behind;
        this.awaited = awaited;
        this.allocations = allocations;
        whole = this;
        around = this;
        part = 0;
        before = NOTHING;
    }

    private Operation(Operation around, BitSet before) {
        whole = around.whole;
        stream = whole.stream;
        number = whole.number;
        behind = whole.behind;
        awaited = whole.awaited;
        allocations = whole.allocations;
        this.around = around;
        whole.parts++;
        part = whole.parts;
        this.before = before;
    }

    /// The one that this thread does; one in no order where it does none.
    static Operation current() {
        Operation current = CURRENT.get();
        return current != null
                ? current
                : new Operation(new Stream(0, 0, 0, 0), 1, StreamClock.NOTHING, 0, 0);
    }

    Stream stream() {
        return stream;
    }

    long number() {
        return number;
    }

    /// What is done once it is.
    StreamClock after() {
        return behind.with(stream, number);
    }

    int allocations() {
        return allocations;
    }

    /// Does it on this thread.
    void run(Runnable work) {
        Operation outer = CURRENT.get();
        CURRENT.set(this);
        try {
            work.run();
        } finally {
            CURRENT.set(outer);
        }
        if (around != this) {
            around.contents().or(contents());
        }
    }

    /// Made when asked for: most operations are no graphs.
    private BitSet contents() {
        BitSet all = contents;
        if (all == null) {
            all = new BitSet();
            all.set(part);
            contents = all;
        }
        return all;
    }

    /// A part of it that nothing else is done before but what was before it up to now, and the
    /// given parts with all that was before them.
    Operation part(BitSet upToNow, Collection<Operation> dependencies) {
        BitSet all = (BitSet) upToNow.clone();
        for (Operation each : dependencies) {
            all.or(each.upToNow());
        }
        return new Operation(this, all);
    }

    /// What is done before its next part, whatever that depends on.
    BitSet upToNow() {
        BitSet all = (BitSet) before.clone();
        all.or(contents());
        return all;
    }

    /// Whether another is done before this begins.
    boolean isBehind(Operation other) {
        return whole == other.whole
                ? before.get(other.part)
                : stream == other.stream
                        ? number > other.number
                        : behind.of(other.stream) >= other.number;
    }

    /// It may begin before the one in front of it has ended, where that says so.
    void beginEarly() {
        isEarly = true;
    }

    /// Whether another is the one in front of it, and may still run when it begins.
    boolean mayOverlap(Operation other) {
        return isEarly
                && whole == this
                && other.whole == other
                && stream == other.stream
                && number == other.number + 1
                && awaited < other.number;
    }

    /// Whether nothing says which of them comes first.
    boolean isUnorderedWith(Operation other) {
        return this != other && !isBehind(other) && !other.isBehind(this);
    }
}
