package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The places of a memory with strong operations, each by its address and its size.
///
/// A bulk reduction does the same to many elements: they are a run, and have one history, until one
/// of them is accessed otherwise.
public final class Locations {
    // Bytes of the largest element, of `.b128`.
    private static final int LARGEST = 16;

    // Addresses are taken by so many pages of 2^PAGE bytes.
    private static final int PAGE = 16;
    private static final int WORDS = 1 << PAGE - 2;

    // Odd, so that no two products are the same (Knuth, The Art of Computer Programming, 6.4).
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    // But for those of runs.
    private final LocationTable all = new LocationTable();

    // The one asked for last. An atomic operation asks twice: it reads, and writes.
    private @Nullable Location last;
    private long lastKey;

    // By their first bytes. None has bytes of another, or of a place by itself.
    private final TreeMap<Long, Run> runs = new TreeMap<>();

    // By page, the words with such places, a bit each.
    private final Map<Long, long[]> words = new HashMap<>();

    // Whether two places may share bytes.
    private boolean isMixed;

    // Around all places.
    private long from = Long.MAX_VALUE;
    private long to;

    /// Elements one behind the other, to which the same was done.
    ///
    /// @param bytes of each
    private record Run(long at, long end, int bytes, Location location) {
        boolean has(long address, int size) {
            return size == bytes && address < end && (address - at) % bytes == 0;
        }
    }

    void clear() {
        all.clear();
        last = null;
        runs.clear();
        words.clear();
        isMixed = false;
        from = Long.MAX_VALUE;
        to = 0;
    }

    /// The first byte of all places, where there are any.
    public long from() {
        return from;
    }

    /// The byte behind the last.
    public long to() {
        return to;
    }

    /// How many there are.
    public int count() {
        return all.size() + runs.size();
    }

    /// The history of strong operations at one address, of one size.
    Location at(long address, int bytes) {
        long key = key(address, bytes);
        Location before = last;
        if (before != null && lastKey == key) {
            return before;
        }
        Location found = all.get(key);
        if (found == null) {
            takeApart(address, address + bytes);
            found = all.get(key);
        }
        if (found == null) {
            found = new Location();
            all.put(key, found);
            if (any(address >> 2, address + bytes - 1 >> 2)) {
                // Of one word it may be the other half.
                forOthers(address, address + bytes, found, other -> isMixed = true);
            }
            mark(address, address + bytes);
        }
        last = found;
        lastKey = key;
        return found;
    }

    private void mark(long address, long end) {
        from = Math.min(from, address);
        to = Math.max(to, end);
        for (long word = address >> 2; word <= end - 1 >> 2; word++) {
            long[] page = words.computeIfAbsent(word >> PAGE - 2, _ -> new long[WORDS / Long.SIZE]);
            int bit = (int) word & WORDS - 1;
            page[bit / Long.SIZE] |= 1L << bit;
        }
    }

    /// The one history of elements of a reduction; null where they have several, or may.
    ///
    /// @param bytes of each
    @Nullable Location ofAll(long at, long end, int bytes) {
        if (end - at <= bytes) {
            return null;
        }
        Run run = runs.get(at);
        if (run != null && run.end == end && run.bytes == bytes) {
            return run.location;
        }
        if (any(at >> 2, end - 1 >> 2)) {
            return null;
        }
        Run begun = new Run(at, end, bytes, new Location());
        runs.put(at, begun);
        mark(at, end);
        return begun.location;
    }

    /// From here on, the elements of runs with bytes of some are places by themselves.
    private void takeApart(long at, long end) {
        while (!runs.isEmpty()) {
            Map.Entry<Long, Run> last = runs.lowerEntry(end);
            if (last == null || last.getValue().end <= at) {
                return;
            }
            Run run = last.getValue();
            runs.remove(run.at);
            for (long each = run.at; each < run.end; each += run.bytes) {
                all.put(key(each, run.bytes), run.location.copy());
            }
        }
    }

    /// Different ones for all places, and spread: addresses have few low bits, by which many would
    /// want one place in a table.
    private static long key(long address, int bytes) {
        return (address << 5 | bytes) * SPREAD;
    }

    @Nullable Location find(long address, int bytes) {
        Location alone = all.get(key(address, bytes));
        Map.Entry<Long, Run> run =
                alone != null || runs.isEmpty() ? null : runs.floorEntry(address);
        return run != null && run.getValue().has(address, bytes) ? run.getValue().location : alone;
    }

    /// Whether there are any among some words.
    boolean any(long first, long last) {
        if (last << 2 < from - 3 || first << 2 >= to) {
            return false;
        }
        for (long word = first, end; word <= last; word = end) {
            end = Math.min(last + 1, (word | WORDS - 1) + 1);
            long[] page = words.get(word >> PAGE - 2);
            if (page != null && any(page, (int) word & WORDS - 1, (int) (end - 1) & WORDS - 1)) {
                return true;
            }
        }
        return false;
    }

    /// Whether one of some bits is set. (To look for the next takes as long as the way to it.)
    private static boolean any(long[] bits, int first, int last) {
        for (int i = first / Long.SIZE; i <= last / Long.SIZE; i++) {
            long asked = i == first / Long.SIZE ? -1L << first : -1L;
            asked &= i == last / Long.SIZE ? -1L >>> Long.SIZE - 1 - last % Long.SIZE : -1L;
            if ((bits[i] & asked) != 0) {
                return true;
            }
        }
        return false;
    }

    /// A weak write of bytes: who reads it learns nothing of what strong writes before released.
    public void overwrite(long at, long end) {
        if (any(at >> 2, end - 1 >> 2)) {
            overwrite(at, end, null);
        }
    }

    /// A strong write: who reads some of its bytes as a place of another size learns nothing
    /// either, for the two are not morally strong (PTX ISA 8.7).
    void overwriteOthers(long at, int bytes) {
        if (isMixed) {
            overwrite(at, at + bytes, at(at, bytes));
        }
    }

    private void overwrite(long at, long end, @Nullable Location written) {
        takeApart(at, end);
        forOthers(at, end, written, Location::overwrite);
    }

    /// The locations, but for one, that have some of these bytes.
    private void forOthers(long at, long end, @Nullable Location one, Consumer<Location> each) {
        for (long address = Math.max(0, at - LARGEST + 1); address < end; address++) {
            for (int bytes = 1; bytes <= LARGEST; bytes *= 2) {
                Location location = all.get(key(address, bytes));
                if (location != null && location != one && address + bytes > at) {
                    each.accept(location);
                }
            }
        }
    }
}
