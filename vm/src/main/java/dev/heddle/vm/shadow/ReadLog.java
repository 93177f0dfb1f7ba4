package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

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

    private static final PlannedReads OBJECT = PlannedReads.consecutive(2);

    private static final int WORD = Integer.BYTES;

    private final AccessHistory reads;
    private final BytePlaces bytes;
    private final HappensBefore order;
    private final int shift;
    private final NotedReads noted = new NotedReads();
    private final NotedRows rows = new NotedRows();

    // Chunks of memory with words that are noted, or stand among them; none where nothing is noted.
    private long chunks;

    // The latest stamp.
    private long latest;

    // Around all words that are noted.
    private int least = Integer.MAX_VALUE;
    private int most = -1;

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
        noted.clear();
        rows.clear();
        hasBytes = false;
        chunks = 0;
        latest = 0;
        least = Integer.MAX_VALUE;
        most = -1;
    }

    /// Forgets what is over for everybody, as [#beforeWrite] does. Returns the first word of those
    /// that are noted, where not all is over for somebody who is about to write.
    int first(long limit) {
        if (latest <= limit && chunks != 0 && isOverForAll()) {
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
            noted.span(word, word + 1);
            chunks |= between(word, word + 1);
        }
    }

    /// Whether that is among the last that were noted, as where warps wait in turn.
    private boolean isAgain(int word, int mask, long now) {
        for (int i = Math.max(0, noted.count() - LAST); i < noted.count(); i++) {
            if (noted.stamp(i) == now
                    && noted.first(i) == word
                    && noted.lanes(i) == mask
                    && OBJECT.equals(noted.plan(i))) {
                return true;
            }
        }
        return false;
    }

    /// The same where lanes read words, or bytes, that need not be evenly apart.
    ///
    /// @param offsets of the first byte of each lane
    void add(PlannedReads plan, long[] offsets, int mask, long now, long limit) {
        makeRoom();
        latest = Math.max(latest, now);
        int at = noted.addUneven(plan, mask, now, limit);
        int[] uneven = noted.uneven();
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

    /// The same for rows that machine code has noted, by one instruction or several.
    ///
    /// @param from where they stand ([NotedRows])
    /// @param count how many
    /// @param first the first byte that is read, and last the last one
    void addRows(
            RowPlans plans,
            MemorySegment from,
            long place,
            int count,
            int first,
            int last,
            long now,
            long limit) {
        if (rows.isFull(plans)) {
            if (isOverForAll()) {
                clear();
            }
            expand();
            makeRoom();
        }
        latest = Math.max(latest, now);
        hasBytes |= rows.add(plans, from, place, count, now, limit);
        least = Math.min(least, first / WORD);
        most = Math.max(most, last / WORD);
        chunks |= between(first / WORD, last / WORD);
    }

    /// Gives each of the rows an entry. Where they were taken for more than they are, that ends.
    private void expand() {
        if (rows.isEmpty()) {
            return;
        }
        rows.forEach(this::addRow);
        rows.clear();
        chunks = 0;
        for (int i = 0; i < noted.count(); i++) {
            chunks |= between(noted.low(i), noted.high(i));
        }
    }

    private void addRow(PlannedReads plan, int[] list, int from, int mask, long now, long limit) {
        if (noted.isFull()) {
            noted.grow();
        }
        int at = noted.addUneven(plan, mask, now, limit);
        int[] uneven = noted.uneven();
        System.arraycopy(list, from, uneven, at, Integer.SIZE);
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
        cover(plan, lowest, highest);
    }

    private long cover(PlannedReads plan, int lowest, int highest) {
        int shift = 2 - plan.shift();
        hasBytes |= shift > 0;
        return cover(lowest + plan.least() >> shift, highest + plan.most() >> shift);
    }

    private long chunksOf(int first, int stride, int mask) {
        int above = 31 - Integer.numberOfLeadingZeros(mask) - Integer.numberOfTrailingZeros(mask);
        int last = first + stride * above;
        return cover(Math.min(first, last), Math.max(first, last));
    }

    private void note(
            @Nullable PlannedReads plan, int first, int stride, int mask, long now, long limit) {
        makeRoom();
        latest = Math.max(latest, now);
        noted.add(plan, first, stride, mask, now, limit);
    }

    private void makeRoom() {
        if (!noted.isFull()) {
            return;
        }
        if (isOverForAll()) {
            clear();
        } else if (noted.count() < MOST) {
            noted.grow();
        } else {
            settle();
        }
    }

    private boolean isOverForAll() {
        return latest <= Stamp.last(order.limitOfAll());
    }

    private long cover(int first, int last) {
        least = Math.min(least, first);
        most = Math.max(most, last);
        noted.span(first, last);
        return between(first, last);
    }

    private long between(int first, int last) {
        return (2L << (last >> shift)) - 1 & -1L << (first >> shift);
    }

    /// Somebody is about to write these words, for whom all up to a stamp is over: puts into the
    /// history what it may race with.
    void beforeWrite(int first, int last, long limit) {
        if (mayRace(first, last, limit)) {
            settle(first, last);
        }
    }

    /// The same of a warp that is about to store all of these words weakly: that takes the place of
    /// reads that come before it.
    ///
    /// @param now the stamp of one of its lanes
    void beforeStore(int first, int last, long limit, long now) {
        if (mayRace(first, last, limit) && !forget(first, last, Stamp.thread(now) / 32)) {
            settle();
        }
    }

    /// Whether some of these words are noted, and not all is over.
    private boolean mayRace(int first, int last, long limit) {
        if (chunks == 0) {
            return false;
        }
        if (latest <= limit) {
            if (isOverForAll()) {
                clear();
            }
            return false;
        }
        return areNoted(first, last);
    }

    private boolean areNoted(int first, int last) {
        return (chunks & between(first, last)) != 0;
    }

    /// Forgets what was noted of these words, and of them alone, where that is over for a warp.
    /// Whoever races with such a read races with the store, too. So a ring of buffers never fills
    /// the log. Returns whether nothing of the words is noted any more.
    private boolean forget(int first, int last, int warp) {
        expand();
        for (int i = noted.count() - 1; i >= 0; i--) {
            if (noted.high(i) < first || noted.low(i) > last) {
                continue;
            }
            long stamp = noted.stamp(i);
            int doer = Stamp.thread(stamp) / 32;
            boolean isInside = noted.low(i) >= first && noted.high(i) <= last;
            if (!isInside
                    || !order.areOverForWarp(doer, noted.lanes(i), Stamp.clock(stamp), warp)) {
                return false;
            }
            noted.remove(i);
        }
        if (noted.count() == 0) {
            clear();
        }
        return true;
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
        if (areNoted(first, last)) {
            expand();
            if (areNoted(first, last)) {
                settle();
            }
        }
    }

    /// Puts into the history all that was noted, but for what is over for everybody.
    void settle() {
        expand();
        long over = Stamp.last(order.limitOfAll());
        for (int i = 0; i < noted.count(); i++) {
            if (noted.stamp(i) > over) {
                put(i);
            }
        }
        clear();
    }

    private void put(int entry) {
        PlannedReads plan = noted.plan(entry);
        if (plan == null) {
            put(entry, WORD, 0, noted.stamp(entry));
            return;
        }
        for (int i = 0; i < plan.count(); i++) {
            int site = plan.site(i);
            long stamp =
                    site == PlannedReads.OWN_SITE
                            ? noted.stamp(entry)
                            : Stamp.withSite(noted.stamp(entry), Math.min(site, Stamp.NO_SITE));
            put(entry, plan.unit(), plan.words(i), stamp);
        }
    }

    /// @param unit a word or a byte
    /// @param ahead of those of the entry
    private void put(int entry, int unit, int ahead, long stamp) {
        int mask = noted.lanes(entry);
        int first = noted.first(entry);
        int stride = noted.stride(entry);
        if (stride == 0) {
            put(unit, first + ahead, stamp, mask, noted.limit(entry));
            return;
        }
        int lowest = Integer.numberOfTrailingZeros(mask);
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int from =
                    stride == NotedReads.UNEVEN
                            ? noted.uneven()[first + lane]
                            : first + stride * (lane - lowest);
            put(unit, from + ahead, stamp, 1 << lane, noted.limit(entry));
        }
    }

    private void put(int unit, int at, long stamp, int mask, long limit) {
        if (unit < WORD) {
            reads.addLate(bytes.first(at / WORD) + at % WORD, stamp, mask, limit);
        } else if (!bytes.has(at)) {
            reads.addLate(at, stamp, mask, limit);
        } else if (bytes.areEven(at)) {
            reads.addLate(bytes.of(WORD * at), stamp, mask, limit);
        } else {
            int first = bytes.first(at);
            for (int i = 0; i < WORD; i++) {
                reads.addLate(first + i, stamp, mask, limit);
            }
        }
    }
}
