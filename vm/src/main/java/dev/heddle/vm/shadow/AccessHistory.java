package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The reads, or the writes, of each place that a later access may race with.
///
/// While they are in order the last one stands for all (FastTrack's epoch). Once two are not, each
/// warp has an entry: a stamp and the lanes it is of; rare ones that do not fit stand in a list.
final class AccessHistory {
    private static final int NONE = -1;

    private final int warps;
    private final HappensBefore order;
    private long[] last;

    // Where `last` is of kind MANY: the access that was made last, whoever's it is; the kind of
    // those added last; and the latest clock of any before them, 0 where all are of that kind.
    private long[] newest = {};
    private int[] kinds = {};
    private int[] mixedUpTo = {};

    // By warp and place, where `last` is of kind MANY.
    private long[] present = {};
    private final long[] @Nullable [] stamps;
    private final int[][] lanes;

    // Lanes with the same clock and kind as the entry's, but another instruction.
    private final int[][] others;

    // The other instruction, where it is one.
    private final int[][] otherSites;
    private final Map<Integer, List<Entry>> rest = new HashMap<>();

    /// Lanes of one warp that did the same at one clock.
    private record Entry(long stamp, int lanes) {}

    AccessHistory(int places, int warps, HappensBefore order) {
        this.warps = warps;
        this.order = order;
        last = new long[places];
        stamps = new long[warps][];
        lanes = new int[warps][];
        others = new int[warps][];
        otherSites = new int[warps][];
    }

    void clear() {
        Arrays.fill(last, Stamp.NOBODY);
        rest.clear();
    }

    /// Makes room for so many places.
    void require(int count) {
        if (count <= last.length) {
            return;
        }
        int places = count + (count >> 2);
        last = Arrays.copyOf(last, places);
        if (present.length > 0) {
            present = Arrays.copyOf(present, places);
            newest = Arrays.copyOf(newest, places);
            kinds = Arrays.copyOf(kinds, places);
            mixedUpTo = Arrays.copyOf(mixedUpTo, places);
        }
        for (int warp = 0; warp < warps; warp++) {
            if (stamps[warp] != null) {
                stamps[warp] = Arrays.copyOf(stamps[warp], places);
                lanes[warp] = Arrays.copyOf(lanes[warp], places);
                others[warp] = Arrays.copyOf(others[warp], places);
                otherSites[warp] = Arrays.copyOf(otherSites[warp], places);
            }
        }
    }

    /// The latest stamp, NOBODY where there is none.
    long last(int place) {
        return last[place];
    }

    /// The stamp of the access that was made last, NOBODY where there is none.
    long newest(int place) {
        return isMany(place) ? newest[place] : last[place];
    }

    /// The latest stamp of each place, to look at and to replace.
    long[] lasts() {
        return last;
    }

    /// Forgets what was known of a place but for this stamp.
    void set(int place, long stamp) {
        last[place] = stamp;
    }

    /// Gives a place the history of another.
    void copy(int from, int to) {
        last[to] = last[from];
        if (isMany(from)) {
            present[to] = present[from];
            newest[to] = newest[from];
            kinds[to] = kinds[from];
            mixedUpTo[to] = mixedUpTo[from];
            for (int warp = 0; warp < warps; warp++) {
                if ((present[from] >>> warp & 1) != 0) {
                    stamps[warp][to] = stamps[warp][from];
                    lanes[warp][to] = lanes[warp][from];
                    others[warp][to] = others[warp][from];
                    otherSites[warp][to] = otherSites[warp][from];
                }
            }
            List<Entry> more = rest.get(from);
            if (more != null) {
                rest.put(to, new ArrayList<>(more));
            }
        }
    }

    private boolean isMany(int place) {
        return Stamp.kind(last[place]) == Stamp.MANY;
    }

    /// Adds weak accesses of some lanes to a place, perhaps late: what is over for them by now may
    /// not have been then.
    ///
    /// @param now the stamp of the warp's lane 0
    /// @param limit the latest stamp that was over for all of them
    void addLate(int place, long now, int mask, long limit) {
        long old = last[place];
        if (old <= limit && (mask & mask - 1) == 0) {
            last[place] = now + Integer.numberOfTrailingZeros(mask);
        } else if (old <= limit || !addAgain(place, old, now, mask)) {
            add(place, now, mask, true);
        }
    }

    /// Adds to the entry of a warp that is the first at its place, or has the same stamp. Returns
    /// whether that was so.
    private boolean addAgain(int place, long old, long now, int mask) {
        int warp = (int) now >>> 5 & 63;
        long[] row = stamps[warp];
        if (Stamp.kind(old) != Stamp.MANY || row == null) {
            return false;
        }
        int[] mine = lanes[warp];
        if ((present[place] >>> warp & 1) == 0) {
            present[place] |= 1L << warp;
            row[place] = now;
            mine[place] = mask;
            others[warp][place] = 0;
        } else if (row[place] == now) {
            mine[place] |= mask;
        } else {
            return false;
        }
        if (now > old) {
            last[place] = several(now);
        }
        addKind(place, now);
        return true;
    }

    /// What stands for several accesses, of which this one is the latest. Where that is an
    /// asynchronous operation, which may be over where others are not, it asks for a closer look.
    private static long several(long latest) {
        long stamp = latest >= Stamp.ASYNC ? latest | Stamp.LOOK_CLOSER : latest;
        return Stamp.withKind(stamp, Stamp.MANY);
    }

    private void addKind(int place, long stamp) {
        int kind = Stamp.kind(stamp);
        if (kinds[place] != kind && kinds[place] != NONE) {
            mixedUpTo[place] = Stamp.clock(last[place]);
        }
        kinds[place] = kind;
    }

    /// The latest clock of an access that may be of another kind than a strong one: 0 where none
    /// is, and later than any clock where the last one is, or there is none.
    int othersUpTo(int place, int kind) {
        if (!isMany(place)) {
            return Stamp.kind(last[place]) == kind ? 0 : Integer.MAX_VALUE;
        }
        return kinds[place] == kind ? mixedUpTo[place] : Integer.MAX_VALUE;
    }

    /// Adds an access of some lanes of a warp.
    ///
    /// @param now the stamp of the warp's lane 0
    void add(int place, long now, int mask) {
        add(place, now, mask, false);
    }

    private void add(int place, long now, int mask, boolean late) {
        long old = last[place];
        if (!isMany(place)) {
            int one = Integer.numberOfTrailingZeros(mask);
            boolean isReplaced =
                    isOverForAll(old) || (late ? old == now + one : isReplaced(old, now + one));
            if (mask == 1 << one && isReplaced) {
                last[place] = now + one;
                return;
            }
            begin(place);
            if (!isReplaced) {
                put(place, old & ~31L, 1 << (int) (old & 31), late);
            }
        }
        put(place, now, mask, late);
        last[place] = several(Math.max(last[place], now));
        newest[place] = now + Integer.numberOfTrailingZeros(mask);
    }

    /// Whether nothing that comes later races with an access.
    private boolean isOverForAll(long stamp) {
        return stamp == Stamp.NOBODY || stamp <= Stamp.last(order.limitOfAll());
    }

    /// Whether a later access races with all that one of one thread would race with.
    private boolean isReplaced(long old, long now) {
        return isAsLax(old, now)
                && (old == now
                        || order.isOver(Stamp.thread(old), Stamp.clock(old), Stamp.thread(now)));
    }

    /// Whether what races with an access because of its kind races with a later one as well.
    private static boolean isAsLax(long old, long now) {
        return Stamp.kind(now) == Stamp.WEAK || Stamp.kind(old) == Stamp.kind(now);
    }

    private void begin(int place) {
        if (present.length == 0) {
            present = new long[last.length];
            newest = new long[last.length];
            kinds = new int[last.length];
            mixedUpTo = new int[last.length];
        }
        present[place] = 0;
        kinds[place] = NONE;
        mixedUpTo[place] = 0;
        if (!rest.isEmpty()) {
            rest.remove(place);
        }
    }

    private void put(int place, long now, int mask, boolean late) {
        addKind(place, now);
        int warp = Stamp.thread(now) / 32;
        long[] row = stamps[warp];
        if (row == null) {
            row = new long[last.length];
            stamps[warp] = row;
            lanes[warp] = new int[last.length];
            others[warp] = new int[last.length];
            otherSites[warp] = new int[last.length];
        }
        if ((present[place] >>> warp & 1) == 0) {
            present[place] |= 1L << warp;
            row[place] = now;
            lanes[warp][place] = mask;
            others[warp][place] = 0;
            return;
        }
        long old = row[place];
        int had = lanes[warp][place] | others[warp][place];
        if (old == now) {
            lanes[warp][place] |= mask;
            others[warp][place] &= ~mask;
            return;
        }
        if (late && Stamp.clock(old) > Stamp.clock(now)) {
            // Lanes' later accesses stand for it, as far as they are of a kind that does.
            int left = isAsLax(now, old) ? mask & ~had : mask;
            if (left != 0) {
                rest.computeIfAbsent(place, key -> new ArrayList<>()).add(new Entry(now, left));
            }
            return;
        }
        boolean same = Stamp.clock(old) == Stamp.clock(now) && Stamp.kind(old) == Stamp.kind(now);
        boolean isOver = late ? (had & ~mask) == 0 : isOver(old, had & ~mask, now, mask);
        if (!same && !(isAsLax(old, now) && isOver)) {
            keep(place, old, lanes[warp][place], now, mask);
            keep(
                    place,
                    Stamp.withSite(old, otherSites[warp][place]),
                    others[warp][place],
                    now,
                    mask);
        }
        if (same) {
            joinOthers(warp, place, Stamp.site(old), mask);
        } else {
            others[warp][place] = 0;
        }
        row[place] = now;
        lanes[warp][place] = mask;
    }

    /// The lanes of an entry become others, but for those that access the place again.
    private void joinOthers(int warp, int place, int site, int mask) {
        int before = others[warp][place] & ~mask;
        int joining = lanes[warp][place] & ~mask;
        if (before == 0) {
            otherSites[warp][place] = site;
        } else if (joining != 0 && otherSites[warp][place] != site) {
            otherSites[warp][place] = Stamp.NO_SITE;
        }
        others[warp][place] = before | joining;
    }

    /// Whether what some lanes did is over for the first of others.
    private boolean isOver(long old, int had, long now, int mask) {
        int reader = Stamp.thread(now) + Integer.numberOfTrailingZeros(mask);
        return order.areOver(Stamp.thread(old) / 32, had, Stamp.clock(old), reader);
    }

    /// Keeps an entry that a new one does not stand for; of lanes that both have, only where the
    /// kinds ask for it.
    private void keep(int place, long old, int had, long now, int mask) {
        List<Entry> entries = rest.computeIfAbsent(place, key -> new ArrayList<>());
        entries.add(new Entry(old, had));
        int warp = Stamp.thread(now) / 32;
        entries.replaceAll(
                entry ->
                        Stamp.thread(entry.stamp) / 32 == warp && isAsLax(entry.stamp, now)
                                ? new Entry(entry.stamp, entry.lanes & ~mask)
                                : entry);
        entries.removeIf(entry -> entry.lanes == 0);
    }

    /// Tells of accesses.
    interface Visitor {
        /// Returns whether to go on with others.
        boolean visit(long stamp);

        /// Whether accesses like this one are of no interest, whichever lane's they are.
        default boolean passes(long stamp) {
            return false;
        }

        /// Whether all that was done up to a clock, whoever did it, is of no interest.
        default boolean areOver(int clock) {
            return false;
        }
    }

    /// Goes through the stamps of a place, one for each thread, until the visitor has enough.
    void forEach(int place, Visitor visitor) {
        if (last[place] == Stamp.NOBODY) {
            return;
        }
        if (!isMany(place)) {
            visitor.visit(last[place]);
            return;
        }
        boolean isAlike = visitor.passes(Stamp.withKind(last[place], kinds[place]));
        int othersUpTo = isAlike ? mixedUpTo[place] : Stamp.clock(last[place]);
        if (othersUpTo == 0 || visitor.areOver(othersUpTo)) {
            return;
        }
        for (long left = present[place]; left != 0; left &= left - 1) {
            int warp = Long.numberOfTrailingZeros(left);
            long stamp = stamps[warp][place];
            if (!visitor.passes(stamp)
                    && (!visit(stamp, lanes[warp][place], visitor)
                            || !visit(
                                    Stamp.withSite(stamp, otherSites[warp][place]),
                                    others[warp][place],
                                    visitor))) {
                return;
            }
        }
        for (Entry entry : rest.getOrDefault(place, List.of())) {
            if (!visit(entry.stamp, entry.lanes, visitor)) {
                return;
            }
        }
    }

    private static boolean visit(long stamp, int lanes, Visitor visitor) {
        if (visitor.passes(stamp)) {
            return true;
        }
        for (int left = lanes; left != 0; left &= left - 1) {
            if (!visitor.visit(stamp + Integer.numberOfTrailingZeros(left))) {
                return false;
            }
        }
        return true;
    }
}
