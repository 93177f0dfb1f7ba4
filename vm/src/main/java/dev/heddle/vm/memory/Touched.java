package dev.heddle.vm.memory;

import java.util.BitSet;

/// Which parts of global memory a launch may have accessed.
///
/// @param parts of equal size, one after the other, that it accessed
/// @param bytes of a part
/// @param end from this offset on, it may have accessed all
public record Touched(BitSet parts, int bytes, long end) {
    /// A launch of which nothing is known.
    public static final Touched ALL = new Touched(new BitSet(), 1, 0);

    /// Gets what of a range was accessed.
    @FunctionalInterface
    interface Range {
        /// Some bytes.
        void of(long from, long to);
    }

    /// Tells what of some bytes may have been accessed.
    ///
    /// @param from offset in global memory
    void within(long from, long to, Range range) {
        long known = Math.max(from, Math.min(to, end));
        for (long at = from; at < known; ) {
            int part = parts.nextSetBit(Math.toIntExact(at / bytes));
            long first = part < 0 ? known : Math.max(at, (long) part * bytes);
            long last = part < 0 ? known : (long) parts.nextClearBit(part) * bytes;
            if (first < known) {
                range.of(first, Math.min(last, known));
            }
            at = last;
        }
        if (known < to) {
            range.of(known, to);
        }
    }
}
