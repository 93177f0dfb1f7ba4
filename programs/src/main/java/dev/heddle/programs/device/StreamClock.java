package dev.heddle.programs.device;

import java.util.HashMap;
import java.util.Map;

/// How much of each stream's work is done for certain: a vector clock. What is not named is not
/// known.
///
/// @param counts how many operations of a stream are done, at least
record StreamClock(Map<Stream, Long> counts) {
    /// Nothing is known.
    static final StreamClock NOTHING = new StreamClock(Map.of());

    /// How many operations of a stream are done.
    long of(Stream stream) {
        return counts.getOrDefault(stream, 0L);
    }

    /// The same, and so many operations of a stream.
    StreamClock with(Stream stream, long count) {
        if (counts.isEmpty() || counts.size() == 1 && counts.containsKey(stream)) {
            // as of most programs, which have one stream
            return new StreamClock(Map.of(stream, count));
        }
        Map<Stream, Long> more = new HashMap<>(counts);
        more.put(stream, count);
        return new StreamClock(more);
    }

    /// What either knows.
    StreamClock join(StreamClock other) {
        if (other.counts.isEmpty() || counts.equals(other.counts)) {
            return this;
        }
        if (counts.isEmpty()) {
            return other;
        }
        if (other.counts.size() == 1) {
            Map.Entry<Stream, Long> only = other.counts.entrySet().iterator().next();
            return of(only.getKey()) >= only.getValue()
                    ? this
                    : with(only.getKey(), only.getValue());
        }
        Map<Stream, Long> both = new HashMap<>(counts);
        other.counts.forEach((stream, count) -> both.merge(stream, count, Long::max));
        return new StreamClock(both);
    }
}
