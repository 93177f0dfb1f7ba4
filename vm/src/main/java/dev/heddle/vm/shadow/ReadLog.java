package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Weak reads of words, or of bytes of them, that are not in the history of their words yet.
///
/// Most words are read often and, behind a barrier that all wait for, written again: then their
/// readers were in order, and nobody ever asks who they were. So reads are noted as the rows that
/// warps read. They go into the history where a write might race with one of them; they are
/// forgotten where they are over for everybody.
final class ReadLog {
    private static final int MOST = 1 << 12;
    private static final int CHUNKS = 64;

    /// How many of those noted last are looked at.
    private static final int LAST = 8;

    /// Instead of how far apart words are that are not evenly apart.
    private static final int UNEVEN = Integer.MIN_VALUE;

    private static final PlannedReads OBJECT = PlannedReads.consecutive(2);

    private static final int WORD = Integer.BYTES;

    private final AccessHistory reads;
    private final BytePlaces bytes;
    private final HappensBefore order;
    private final int shift;
    private int count;

    // Chunks of memory with words that are noted.
    private long chunks;

    // The latest stamp.
    private long latest;

    // Around all words that are noted.
    private int least = Integer.MAX_VALUE;
    private int most = -1;

    // By entry: the warp's stamp and what was over for it; the first word, how far apart the words
    // of consecutive lanes are, and the lanes; and the instructions, where they are several. Words
    // that are not evenly apart stand by themselves: the entry has the place of lane 0's.
    private long[] stamps = new long[64];
    private long[] limits = new long[64];
    private int[] firsts = new int[64];
    private int[] strides = new int[64];
    private int[] lanes = new int[64];
    private @Nullable PlannedReads[] plans = new PlannedReads[64];
    private int[] uneven = {};
    private int unevenEnd;

    // Whether some are of bytes.
    private boolean hasBytes;

    /// @param words of the memory
    ReadLog(int words, AccessHistory reads, BytePlaces bytes, HappensBefore order) {
        this.reads = reads;
        this.bytes = bytes;
        this.order = order;
        int needed = 0;
        while (words >>> needed > CHUNKS - 1) {
            needed++;
        }
        shift = needed;
    }

    void clear() {
        count = 0;
        unevenEnd = 0;
        hasBytes = false;
        chunks = 0;
        latest = 0;
        least = Integer.MAX_VALUE;
        most = -1;
    }

    /// Forgets what is over for everybody, as [#beforeWrite] does. Returns the first word of those
    /// that are noted, where not all is over for somebody who is about to write.
    int first(long limit) {
        if (latest <= limit && count > 0 && isOverForAll()) {
            clear();
        }
        return latest <= limit ? Integer.MAX_VALUE : least;
    }

    /// The word behind the last of those that are noted.
    int end() {
        return most + 1;
    }

    /// Lanes read a word each.
    ///
    /// @param first of the lowest lane
    /// @param stride words between those of a lane and the next; 0 where all read one
    /// @param now the stamp of lane 0 of the warp
    /// @param limit the latest stamp that is over for all of them
    void add(int first, int stride, int mask, long now, long limit) {
        note(null, first, stride, mask, now, limit);
        chunks |= chunksOf(first, stride, mask);
    }

    /// The same for each of several instructions.
    void add(PlannedReads plan, int first, int stride, int mask, long now, long limit) {
        note(plan, first, stride, mask, now, limit);
        chunks |= chunksOf(first + plan.least(), stride, mask);
        chunks |= cover(first + plan.least(), first + plan.most());
        chunks |= chunksOf(first + plan.most(), stride, mask);
    }

    /// Lanes look at one mbarrier object. Machine code writes no words of such, and need not know.
    void addObject(int word, int mask, long now, long limit) {
        if (!isAgain(word, mask, now)) {
            note(OBJECT, word, 0, mask, now, limit);
            chunks |= between(word, word + 1);
        }
    }

    /// Whether that is among the last that were noted, as where warps wait in turn.
    private boolean isAgain(int word, int mask, long now) {
        for (int i = Math.max(0, count - LAST); i < count; i++) {
            if (stamps[i] == now
                    && firsts[i] == word
                    && lanes[i] == mask
                    && OBJECT.equals(plans[i])) {
                return true;
            }
        }
        return false;
    }

    /// The same where lanes read words, or bytes, that need not be evenly apart.
    ///
    /// @param offsets of the first byte of each lane
    void add(PlannedReads plan, long[] offsets, int mask, long now, long limit) {
        int at = noteUneven(plan, mask, now, limit);
        int shift = plan.shift();
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int first = (int) offsets[lane] >>> shift;
            uneven[at + lane] = first;
            lowest = Math.min(lowest, first);
            highest = Math.max(highest, first);
        }
        chunks |= cover(plan, lowest, highest);
    }

    /// The same for lanes whose offsets stand in memory.
    ///
    /// @param from where they stand, an int for each of 32
    void add(PlannedReads plan, MemorySegment from, long place, int mask, long now, long limit) {
        int at = noteUneven(plan, mask, now, limit);
        MemorySegment.copy(from, ValueLayout.JAVA_INT, place, uneven, at, Integer.SIZE);
        int shift = plan.shift();
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        int end = at + Integer.SIZE - Integer.numberOfLeadingZeros(mask);
        boolean areAll = (mask & mask + 1) == 0;
        for (int i = at; i < end; i++) {
            int first = uneven[i] >>> shift;
            uneven[i] = first;
            if (areAll || (mask >>> i - at & 1) != 0) {
                lowest = Math.min(lowest, first);
                highest = Math.max(highest, first);
            }
        }
        chunks |= cover(plan, lowest, highest);
    }

    private long cover(PlannedReads plan, int lowest, int highest) {
        int shift = 2 - plan.shift();
        hasBytes |= shift > 0;
        return cover(lowest + plan.least() >> shift, highest + plan.most() >> shift);
    }

    /// Returns where the words of the lanes are to be put.
    private int noteUneven(PlannedReads plan, int mask, long now, long limit) {
        if (unevenEnd + Integer.SIZE > uneven.length) {
            uneven = Arrays.copyOf(uneven, Math.max(Integer.SIZE, 2 * uneven.length));
        }
        note(plan, unevenEnd, UNEVEN, mask, now, limit);
        // Where there was no room, all others are gone.
        int at = count == 1 ? 0 : unevenEnd;
        firsts[count - 1] = at;
        unevenEnd = at + Integer.SIZE;
        return at;
    }

    private long chunksOf(int first, int stride, int mask) {
        int above = 31 - Integer.numberOfLeadingZeros(mask) - Integer.numberOfTrailingZeros(mask);
        int last = first + stride * above;
        return cover(Math.min(first, last), Math.max(first, last));
    }

    private void note(
            @Nullable PlannedReads plan, int first, int stride, int mask, long now, long limit) {
        if (count == stamps.length && !grow()) {
            settle();
        }
        stamps[count] = now;
        limits[count] = limit;
        firsts[count] = first;
        strides[count] = stride;
        lanes[count] = mask;
        plans[count] = plan;
        count++;
        latest = Math.max(latest, now);
    }

    /// Makes room. Returns whether that was possible.
    private boolean grow() {
        if (isOverForAll()) {
            clear();
            return true;
        }
        if (count == MOST) {
            return false;
        }
        stamps = Arrays.copyOf(stamps, 2 * count);
        limits = Arrays.copyOf(limits, 2 * count);
        firsts = Arrays.copyOf(firsts, 2 * count);
        strides = Arrays.copyOf(strides, 2 * count);
        lanes = Arrays.copyOf(lanes, 2 * count);
        plans = Arrays.copyOf(plans, 2 * count);
        return true;
    }

    private boolean isOverForAll() {
        return latest <= Stamp.last(order.limitOfAll());
    }

    private long cover(int first, int last) {
        least = Math.min(least, first);
        most = Math.max(most, last);
        return between(first, last);
    }

    private long between(int first, int last) {
        return (2L << (last >> shift)) - 1 & -1L << (first >> shift);
    }

    /// Somebody is about to write these words, for whom all up to a stamp is over: puts into the
    /// history what it may race with.
    void beforeWrite(int first, int last, long limit) {
        if (count == 0) {
            return;
        }
        if (latest <= limit) {
            if (isOverForAll()) {
                clear();
            }
            return;
        }
        if ((chunks & between(first, last)) != 0) {
            settle();
        }
    }

    /// Puts into the history what was noted of a word's bytes, which have places then.
    void settleBytes(int word) {
        if (hasBytes) {
            settle(word);
        }
    }

    /// Puts into the history what was noted of a word.
    void settle(int word) {
        settle(word, word);
    }

    /// The same of several words.
    void settle(int first, int last) {
        if (count > 0 && (chunks & between(first, last)) != 0) {
            settle();
        }
    }

    /// Puts into the history all that was noted.
    void settle() {
        if (!isOverForAll()) {
            for (int i = 0; i < count; i++) {
                put(i);
            }
        }
        clear();
    }

    private void put(int entry) {
        PlannedReads plan = plans[entry];
        if (plan == null) {
            put(entry, WORD, 0, stamps[entry]);
            return;
        }
        for (int i = 0; i < plan.count(); i++) {
            int site = plan.site(i);
            long stamp =
                    site == PlannedReads.OWN_SITE
                            ? stamps[entry]
                            : Stamp.withSite(stamps[entry], Math.min(site, Stamp.NO_SITE));
            put(entry, plan.unit(), plan.words(i), stamp);
        }
    }

    /// @param unit a word or a byte
    /// @param ahead of those of the entry
    private void put(int entry, int unit, int ahead, long stamp) {
        int mask = lanes[entry];
        int first = firsts[entry];
        int stride = strides[entry];
        if (stride == 0) {
            put(unit, first + ahead, stamp, mask, limits[entry]);
            return;
        }
        int lowest = Integer.numberOfTrailingZeros(mask);
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int from = stride == UNEVEN ? uneven[first + lane] : first + stride * (lane - lowest);
            put(unit, from + ahead, stamp, 1 << lane, limits[entry]);
        }
    }

    private void put(int unit, int at, long stamp, int mask, long limit) {
        if (unit < WORD) {
            reads.addLate(bytes.first(at / WORD) + at % WORD, stamp, mask, limit);
        } else if (!bytes.has(at)) {
            reads.addLate(at, stamp, mask, limit);
        } else {
            int first = bytes.first(at);
            for (int i = 0; i < WORD; i++) {
                reads.addLate(first + i, stamp, mask, limit);
            }
        }
    }
}
