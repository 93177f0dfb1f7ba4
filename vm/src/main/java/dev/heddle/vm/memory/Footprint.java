package dev.heddle.vm.memory;

import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What a launch, a copy or a fill accessed of global memory: runs of bytes that do not overlap, in
/// the order of their addresses.
///
/// @param runs each with how it was accessed
public record Footprint(List<Run> runs) {
    /// Ways to access memory, as bits: weak ones, and those that are strong for the whole device.
    public static final int WEAK_READS = 1;
    public static final int STRONG_READS = 2;
    public static final int WEAK_WRITES = 4;
    public static final int STRONG_WRITES = 8;

    private static final int WEAK = WEAK_READS | WEAK_WRITES;

    /// Runs that are kept of one launch; what it accessed behind them is not known.
    private static final int MOST = 1 << 18;

    public Footprint {
        runs = List.copyOf(runs);
    }

    /// One that accessed a range in one way.
    public static Footprint of(long from, long bytes, int ways) {
        return new Footprint(List.of(new Run(from, from + bytes, ways, null)));
    }

    /// Bytes that were accessed alike.
    ///
    /// @param from the first address
    /// @param to the address behind the last
    /// @param ways the bits of all ways in which they were accessed
    /// @param site an instruction that did it, or null
    public record Run(long from, long to, int ways, @Nullable Site site) {
        /// Whether some of it was written.
        public boolean isWritten() {
            return (ways & (WEAK_WRITES | STRONG_WRITES)) != 0;
        }

        private boolean conflictsWith(Run other) {
            return (ways & WEAK_WRITES) != 0 && (other.ways & WEAK) != 0
                    || (other.ways & WEAK_WRITES) != 0 && (ways & WEAK) != 0;
        }

        /// Whether one may wait here for what the other writes.
        private boolean signals(Run other) {
            return (ways & STRONG_READS) != 0 && other.isWritten()
                    || (other.ways & STRONG_READS) != 0 && isWritten()
                    || (ways & other.ways & STRONG_WRITES) != 0;
        }
    }

    /// Bytes that two footprints have in common.
    ///
    /// @param own of this one
    /// @param other of the other
    public record Common(Run own, Run other) {
        /// The first address.
        public long from() {
            return Math.max(own.from, other.from);
        }

        /// How many.
        public long bytes() {
            return Math.min(own.to, other.to) - from();
        }
    }

    /// Whether both access a place by strong operations, or one does what the other writes: by that
    /// they may order themselves.
    public boolean signals(Footprint other) {
        return !common(other, Run::signals).isEmpty();
    }

    /// Where one writes, the other accesses, and neither access is strong.
    public List<Common> conflicts(Footprint other) {
        return common(other, Run::conflictsWith);
    }

    @FunctionalInterface
    private interface Relation {
        boolean holds(Run one, Run other);
    }

    private List<Common> common(Footprint other, Relation relation) {
        List<Common> found = new ArrayList<>();
        int theirs = 0;
        for (Run run : runs) {
            while (theirs < other.runs.size() && other.runs.get(theirs).to <= run.from) {
                theirs++;
            }
            for (int i = theirs; i < other.runs.size() && other.runs.get(i).from < run.to; i++) {
                if (relation.holds(run, other.runs.get(i))) {
                    found.add(new Common(run, other.runs.get(i)));
                }
            }
        }
        return found;
    }

    /// Puts runs together, the lowest addresses first.
    public static final class Builder {
        private final List<Run> runs = new ArrayList<>();
        private @Nullable Run last;

        /// The next bytes.
        public void add(long from, long to, int ways, @Nullable Site site) {
            Run before = last;
            if (before != null
                    && before.to == from
                    && before.ways == ways
                    && Objects.equals(before.site, site)) {
                last = new Run(before.from, to, ways, site);
                return;
            }
            close();
            last = new Run(from, to, ways, site);
        }

        private void close() {
            if (last != null && runs.size() < MOST) {
                runs.add(last);
            }
        }

        /// All of them.
        public Footprint build() {
            close();
            last = null;
            return new Footprint(runs);
        }
    }
}
