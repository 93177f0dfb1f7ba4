package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// The places of a memory with strong operations, each by its address and its size.
public final class Locations {
    // Addresses are taken by so many pages of 2^PAGE bytes.
    private static final int PAGE = 16;

    private final Map<Long, Location> all = new HashMap<>();

    // By page, the words with such places.
    private final Map<Long, BitSet> words = new HashMap<>();

    void clear() {
        all.clear();
        words.clear();
    }

    /// How many there are.
    public int count() {
        return all.size();
    }

    /// The history of strong operations at one address, of one size.
    Location at(long address, int bytes) {
        Location found = all.get(key(address, bytes));
        if (found == null) {
            found = new Location();
            all.put(key(address, bytes), found);
            for (long word = address >> 2; word <= address + bytes - 1 >> 2; word++) {
                words.computeIfAbsent(word >> PAGE - 2, page -> new BitSet())
                        .set((int) word & (1 << PAGE - 2) - 1);
            }
        }
        return found;
    }

    private static long key(long address, int bytes) {
        return address << 5 | bytes;
    }

    @Nullable Location find(long address, int bytes) {
        return all.get(key(address, bytes));
    }

    /// Whether there are any among some words.
    boolean any(long first, long last) {
        if (words.isEmpty()) {
            return false;
        }
        for (long word = first; word <= last; word++) {
            BitSet page = words.get(word >> PAGE - 2);
            if (page != null && page.get((int) word & (1 << PAGE - 2) - 1)) {
                return true;
            }
        }
        return false;
    }

    /// A weak write of bytes: who reads it learns nothing of what strong writes before released.
    public void overwrite(long at, long end) {
        if (!any(at >> 2, end - 1 >> 2)) {
            return;
        }
        for (long address = Math.max(0, at - 7); address < end; address++) {
            for (int bytes = 1; bytes <= 8; bytes *= 2) {
                Location location = find(address, bytes);
                if (location != null && address + bytes > at) {
                    location.overwrite();
                }
            }
        }
    }
}
