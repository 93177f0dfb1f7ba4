package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/// The accesses of other CTAs' threads that touch the words of a CTA's shared memory: of each word,
/// in the order in which they were made.
///
/// An access is two numbers: its stamp, and its place, which says whose it was and of which bytes.
/// Most words have one at most.
final class OutsideWords {
    /// With so many of a word, those are looked for that a later one stands for.
    private static final int MANY = 64;

    /// The last of a word, among which one is looked for that a new one stands for: few threads
    /// stand for all asynchronous operations.
    private static final int RECENT = 16;

    private static final int BYTES = 1;
    private static final int AT = 6;
    private static final int CTA = 32;

    // By word: its only access, NOBODY where it has none, or several.
    private long[] stamps = {};
    private long[] places = {};
    private @Nullable Several[] several = {};
    private int count;

    // Around all words that have some.
    private int first = Integer.MAX_VALUE;
    private int behind;

    /// The accesses of a word.
    private static final class Several {
        private long[] stamps = new long[4];
        private long[] places = new long[4];
        private int count;

        // Whether all are of the same bytes and kind.
        private boolean areAlike = true;

        private record Key(long place, long byThread) {}

        void add(long stamp, long place) {
            removeLike(stamp, place);
            if (count == stamps.length) {
                if (count >= MANY) {
                    leaveLatest();
                }
                if (2 * count > stamps.length) {
                    stamps = Arrays.copyOf(stamps, 2 * count);
                    places = Arrays.copyOf(places, 2 * count);
                }
            }
            areAlike &= count == 0 || what(stamp, place) == what(stamps[0], places[0]);
            stamps[count] = stamp;
            places[count++] = place;
        }

        private void removeLike(long stamp, long place) {
            for (int i = count - 1; i >= Math.max(0, count - RECENT); i--) {
                if (isAgain(i, stamp, place)) {
                    count--;
                    System.arraycopy(stamps, i + 1, stamps, i, count - i);
                    System.arraycopy(places, i + 1, places, i, count - i);
                    return;
                }
            }
        }

        /// Whether the thread of one does the same again.
        private boolean isAgain(int i, long stamp, long place) {
            return places[i] == place && ((stamps[i] ^ stamp) & Stamp.BY_THREAD) == 0;
        }

        private void leaveLatest() {
            Set<Key> later = new HashSet<>();
            int from = count;
            for (int i = count - 1; i >= 0; i--) {
                if (later.add(new Key(places[i], stamps[i] & Stamp.BY_THREAD))) {
                    from--;
                    stamps[from] = stamps[i];
                    places[from] = places[i];
                }
            }
            count -= from;
            System.arraycopy(stamps, from, stamps, 0, count);
            System.arraycopy(places, from, places, 0, count);
        }

        /// Whether the thread did the same again.
        boolean isStale(int i) {
            for (int later = i + 1; later < count; later++) {
                if (isAgain(i, stamps[later], places[later])) {
                    return true;
                }
            }
            return false;
        }

        void removeIf(Condition condition) {
            int left = 0;
            for (int i = 0; i < count; i++) {
                if (!condition.holds(stamps[i], places[i])) {
                    stamps[left] = stamps[i];
                    places[left++] = places[i];
                }
            }
            count = left;
        }
    }

    /// Asks about an access.
    interface Condition {
        boolean holds(long stamp, long place);
    }

    /// The place of an access to some bytes of a CTA's memory.
    ///
    /// @param cta whose thread makes it
    /// @param bytes 16 at most
    static long place(int cta, int at, int bytes, boolean write) {
        return (long) cta << CTA | (long) at << AT | (long) bytes << BYTES | (write ? 1 : 0);
    }

    static int cta(long place) {
        return (int) (place >>> CTA);
    }

    static int at(long place) {
        return (int) place >>> AT;
    }

    static int bytes(long place) {
        return (int) place >>> BYTES & (1 << AT - BYTES) - 1;
    }

    static boolean isWrite(long place) {
        return (place & 1) != 0;
    }

    /// The bytes of an access and its kind, whoever's it is.
    private static long what(long stamp, long place) {
        return place << CTA | Stamp.kind(stamp);
    }

    private static long what(SharedElement access) {
        return place(0, access.at(), access.bytes(), access.write()) << CTA | access.kind();
    }

    void clear() {
        if (count > 0) {
            Arrays.fill(stamps, first, behind, Stamp.NOBODY);
            Arrays.fill(several, first, behind, null);
            count = 0;
            first = Integer.MAX_VALUE;
            behind = 0;
        }
    }

    /// How many there are.
    int count() {
        return count;
    }

    /// The first word that has some, if one has.
    int first() {
        return first;
    }

    /// The word behind the last.
    int behind() {
        return behind;
    }

    /// How many a word has.
    int count(int word) {
        if (word < first || word >= behind) {
            return 0;
        }
        Several more = several[word];
        return more != null ? more.count : stamps[word] == Stamp.NOBODY ? 0 : 1;
    }

    long stamp(int word, int i) {
        Several more = several[word];
        return more == null ? stamps[word] : more.stamps[i];
    }

    long place(int word, int i) {
        Several more = several[word];
        return more == null ? places[word] : more.places[i];
    }

    /// Whether all of a word, which has some, are of the same bytes and kind as an access.
    boolean areLike(int word, SharedElement access) {
        Several more = several[word];
        return (more == null || more.areAlike)
                && what(stamp(word, 0), place(word, 0)) == what(access);
    }

    /// Whether a later one stands for an access of a word: what races with the one races with it.
    boolean isStale(int word, int i) {
        Several more = several[word];
        return more != null && more.isStale(i);
    }

    /// @param words of the memory
    void add(int word, long stamp, long place, int words) {
        if (stamps.length == 0) {
            stamps = new long[words];
            places = new long[words];
            several = new Several[words];
        }
        first = Math.min(first, word);
        behind = Math.max(behind, word + 1);
        Several more = several[word];
        if (more == null && stamps[word] == Stamp.NOBODY) {
            stamps[word] = stamp;
            places[word] = place;
            count++;
            return;
        }
        if (more == null) {
            more = new Several();
            more.add(stamps[word], places[word]);
            several[word] = more;
        }
        int before = more.count;
        more.add(stamp, place);
        count += more.count - before;
    }

    /// Forgets those of a word that meet a condition.
    void removeIf(int word, Condition condition) {
        int before = count(word);
        Several more = before == 0 ? null : several[word];
        if (more != null) {
            more.removeIf(condition);
            if (more.count == 0) {
                several[word] = null;
                stamps[word] = Stamp.NOBODY;
            }
        } else if (before > 0 && condition.holds(stamps[word], places[word])) {
            stamps[word] = Stamp.NOBODY;
        }
        count -= before - count(word);
    }
}
