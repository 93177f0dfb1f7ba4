package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Locations by keys that are spread over all longs, and not 0: each stands where the upper bits of
/// its key say, or in the next free place behind.
final class LocationTable {
    /// Room for so many at first, a power of two; at most half of it is taken.
    private static final int ROOM = 64;

    /// The most room that a later launch gets from the start, where one before needed as much.
    private static final int MOST_KEPT = 1 << 12;

    private long[] keys = new long[ROOM];
    private @Nullable Location[] all = new Location[ROOM];
    private int size;

    void clear() {
        if (keys.length > MOST_KEPT) {
            keys = new long[ROOM];
            all = new Location[ROOM];
        } else if (size > 0) {
            Arrays.fill(keys, 0);
            Arrays.fill(all, null);
        }
        size = 0;
    }

    int size() {
        return size;
    }

    @Nullable Location get(long key) {
        return all[place(key)];
    }

    /// Adds one that has a key of its own.
    void put(long key, Location location) {
        if (2 * size >= keys.length) {
            grow();
        }
        set(key, location);
        size++;
    }

    private void set(long key, Location location) {
        int at = place(key);
        keys[at] = key;
        all[at] = location;
    }

    private void grow() {
        long[] from = keys;
        @Nullable Location[] old = all;
        keys = new long[2 * from.length];
        all = new Location[keys.length];
        for (int i = 0; i < old.length; i++) {
            Location each = old[i];
            if (each != null) {
                set(from[i], each);
            }
        }
    }

    /// Where a key stands, or may stand.
    private int place(long key) {
        int at = (int) (key >>> Long.numberOfLeadingZeros(keys.length) + 1);
        while (keys[at] != key && keys[at] != 0) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }
}
