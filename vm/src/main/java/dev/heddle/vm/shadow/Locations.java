package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The places of a memory with strong operations, each by its address and its size.
public final class Locations {
    // Addresses are taken by so many pages of 2^PAGE bytes.
    private static final int PAGE = 16;
    private static final int WORDS = 1 << PAGE - 2;

    /// Room for so many places at first, a power of two; at most half of it is taken.
    private static final int ROOM = 64;

    /// The most room that a later launch gets from the start, where one before needed as much.
    private static final int MOST_KEPT = 1 << 12;

    // Odd, so that no two products are the same (Knuth, The Art of Computer Programming, 6.4).
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    // By key: from where its upper bits say on, the next that is free; no key is 0.
    private long[] keys = new long[ROOM];
    private @Nullable Location[] all = new Location[ROOM];
    private int count;

    // By page, the words with such places, a bit each.
    private final Map<Long, long[]> words = new HashMap<>();

    // Whether two places may share bytes.
    private boolean isMixed;

    // Around all places.
    private long from = Long.MAX_VALUE;
    private long to;

    void clear() {
        if (keys.length > MOST_KEPT) {
            keys = new long[ROOM];
            all = new Location[ROOM];
        } else if (count > 0) {
            Arrays.fill(keys, 0);
            Arrays.fill(all, null);
        }
        count = 0;
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
        return count;
    }

    /// The history of strong operations at one address, of one size.
    Location at(long address, int bytes) {
        long key = key(address, bytes);
        int place = place(key);
        Location found = all[place];
        if (found == null) {
            found = new Location();
            add(key, place, found);
            from = Math.min(from, address);
            to = Math.max(to, address + bytes);
            for (long word = address >> 2; word <= address + bytes - 1 >> 2; word++) {
                long[] page =
                        words.computeIfAbsent(word >> PAGE - 2, _ -> new long[WORDS / Long.SIZE]);
                int bit = (int) word & WORDS - 1;
                isMixed |= any(page, bit, bit);
                page[bit / Long.SIZE] |= 1L << bit;
            }
        }
        return found;
    }

    /// Where a key is, or the free place for it.
    private int place(long key) {
        int at = (int) (key >>> Long.numberOfLeadingZeros(keys.length) + 1);
        while (keys[at] != key && keys[at] != 0) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    private void add(long key, int place, Location location) {
        keys[place] = key;
        all[place] = location;
        if (2 * ++count > keys.length) {
            long[] oldKeys = keys;
            @Nullable Location[] old = all;
            keys = new long[2 * oldKeys.length];
            all = new Location[keys.length];
            for (int i = 0; i < old.length; i++) {
                if (old[i] != null) {
                    int to = place(oldKeys[i]);
                    keys[to] = oldKeys[i];
                    all[to] = old[i];
                }
            }
        }
    }

    /// Different ones for all places, and spread: addresses have few low bits, by which many would
    /// want one place.
    private static long key(long address, int bytes) {
        return (address << 5 | bytes) * SPREAD;
    }

    @Nullable Location find(long address, int bytes) {
        return all[place(key(address, bytes))];
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
        for (long address = Math.max(0, at - 7); address < end; address++) {
            for (int bytes = 1; bytes <= 8; bytes *= 2) {
                Location location = find(address, bytes);
                if (location != null && location != written && address + bytes > at) {
                    location.overwrite();
                }
            }
        }
    }
}
