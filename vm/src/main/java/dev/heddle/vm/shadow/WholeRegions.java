package dev.heddle.vm.shadow;

import java.util.Arrays;

/// What asynchronous operations touch: regions of whole words, mostly all last written by one
/// access, and read by none. So a run of words with one stamp is judged at once.
public record WholeRegions(
        HappensBefore order,
        AccessHistory writes,
        AccessHistory reads,
        BytePlaces bytes,
        ReadLog recent,
        AsyncReads asyncReads,
        CopiesUnderWay copies) {
    private static final int WORD = Integer.BYTES;

    /// Words of a run that are looked at one by one.
    private static final int SHORT = 8;

    /// Whether a write of these bytes is in order with all that was done with them. Where not, or
    /// where that takes a closer look, false.
    ///
    /// @param now the stamp of the write
    public boolean isFree(int at, int end, long now) {
        return isFree(at, end, order, Stamp.thread(now));
    }

    /// The same for a write of a thread of another CTA of the cluster.
    ///
    /// @param by the order of that CTA
    public boolean isFree(int at, int end, HappensBefore by, int thread) {
        int first = at / WORD;
        int behind = end / WORD;
        if ((at | end) % WORD != 0
                || copies.isCopying(first, behind)
                || asyncReads.racing(at, end, by, thread) != null) {
            return false;
        }
        recent.settle(first, behind - 1);
        return areOver(writes.lasts(), first, behind, by, thread)
                && areOver(reads.lasts(), first, behind, by, thread);
    }

    /// Whether what was written to whole words is over for a thread of another CTA of the cluster,
    /// and so for each that knows the same.
    ///
    /// @param by the order of that CTA
    public boolean areWrittenBefore(int at, int end, HappensBefore by, int thread) {
        int first = at / WORD;
        int behind = end / WORD;
        return (at | end) % WORD == 0
                && !copies.isCopying(first, behind)
                && areOver(writes.lasts(), first, behind, by, thread);
    }

    /// Whether atomic operations of a thread of some CTA of the cluster on whole words are in order
    /// with all that was done with them, or morally strong with all that wrote them.
    ///
    /// @param kind of the operations, of the scope of the cluster at least
    /// @param by the order of the thread's CTA
    public boolean mayUpdate(int at, int end, int kind, HappensBefore by, int thread) {
        return asyncReads.racing(at, end, by, thread) == null
                && mayUpdate(at, end, kind, new OverFor(by, thread));
    }

    /// The same, but for what asynchronous operations read.
    boolean mayUpdate(int at, int end, int kind, OverFor over) {
        int limit = over.limit(order.cta());
        for (int word = at / WORD; word < end / WORD; word++) {
            recent.settle(word);
            int place = bytes.ofWord(word);
            if (copies.isCopying(word) || place < 0) {
                return false;
            }
            boolean isFree =
                    writes.othersUpTo(place, kind) <= limit
                            || over.isOnlyOver(order.cta(), writes.last(place))
                            || areOverOrAlike(place, kind, over);
            if (!isFree || !over.isOnlyOver(order.cta(), reads.last(place))) {
                return false;
            }
        }
        return (at | end) % WORD == 0;
    }

    /// Whether each of several writes of a place is over for a thread, or of a kind.
    private boolean areOverOrAlike(int place, int kind, OverFor over) {
        var others =
                new AccessHistory.Visitor() {
                    private boolean areOver = true;

                    @Override
                    public boolean visit(long stamp) {
                        areOver = over.isOver(order.cta(), stamp);
                        return areOver;
                    }

                    @Override
                    public boolean passes(long stamp) {
                        return Stamp.kind(stamp) == kind;
                    }

                    @Override
                    public boolean areOver(int clock) {
                        return clock <= over.limit(order.cta());
                    }
                };
        writes.forEach(place, others);
        return others.areOver;
    }

    private boolean areOver(long[] stamps, int first, int behind, HappensBefore by, int thread) {
        for (int word = first, next; word < behind; word = next) {
            boolean hasPlaces = bytes.has(word);
            next = hasPlaces ? word + 1 : endOfRun(stamps, word, behind);
            if (!hasPlaces && !isOver(stamps[word], by, thread)) {
                return false;
            }
        }
        return arePlacesOver(stamps, first, behind, by, thread);
    }

    /// The same of bytes that have places: what stands where words have their stamps says nothing
    /// of them, and may be alike.
    private boolean arePlacesOver(
            long[] stamps, int first, int behind, HappensBefore by, int thread) {
        if (!bytes.mayHaveAny(first, behind)) {
            return true;
        }
        OverFor over = new OverFor(by, thread);
        for (int word = first; word < behind; word++) {
            if (!bytes.has(word)) {
                continue;
            }
            int place = bytes.of(word * WORD);
            int end = bytes.areEven(word) ? place + 1 : place + WORD;
            for (; place < end; place++) {
                if (!over.isOnlyOver(order.cta(), stamps[place])) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isOver(long stamp, HappensBefore by, int thread) {
        return stamp == Stamp.NOBODY || by.isOver(order.cta(), stamp, thread);
    }

    /// Where words end that have the same stamp as the first. Long runs are found by vectors.
    private static int endOfRun(long[] stamps, int first, int behind) {
        long stamp = stamps[first];
        int word = first + 1;
        while (word < behind && stamps[word] == stamp) {
            word++;
            if (word - first == SHORT) {
                // Words equal to those one before them.
                int same = Arrays.mismatch(stamps, word, behind, stamps, word - 1, behind - 1);
                return same < 0 ? behind : word + same;
            }
        }
        return word;
    }

    /// How many bytes from a whole word on, in an access that ends there, have the same one last
    /// write as that, a weak one.
    ///
    /// @param byLanes or one of another lane of the warp, by one instruction at one clock
    public int alike(int at, int end, boolean byLanes) {
        return alike(at, end, byLanes ? -32L : -1L);
    }

    /// Where the bytes end, from some on, that one weak access wrote last, with no copy into them
    /// under way.
    ///
    /// @param write its stamp
    public int endOf(long write, int at, int end) {
        if ((at | end) % WORD != 0
                || Stamp.kind(write) != Stamp.WEAK
                || write == Stamp.NOBODY
                || at >= end
                || writes.lasts()[at / WORD] != write
                || copies.isCopying(at / WORD, end / WORD)) {
            return at;
        }
        return endOfRun(writes.lasts(), at / WORD, end / WORD) * WORD;
    }

    /// Whether weak accesses up to a clock wrote each word of a region last, and no copy into it is
    /// under way.
    public boolean areWrittenBy(int clock, int at, int end) {
        if ((at | end) % WORD != 0 || copies.isCopying(at / WORD, end / WORD)) {
            return false;
        }
        long[] stamps = writes.lasts();
        long first = Long.MAX_VALUE;
        long latest = Stamp.NOBODY;
        long all = Stamp.NOBODY;
        for (int word = at / WORD; word < end / WORD; word++) {
            first = Math.min(first, stamps[word]);
            latest = Math.max(latest, stamps[word]);
            all |= stamps[word];
        }
        return first != Stamp.NOBODY
                && Stamp.kind(all) == Stamp.WEAK
                && Stamp.clock(latest) <= clock;
    }

    private int alike(int at, int end, long mask) {
        int word = at / WORD;
        long write = lastWrite(word);
        if (Stamp.kind(write) != Stamp.WEAK || write >= Stamp.LOOK_CLOSER) {
            return WORD;
        }
        if (mask == -1 && copies.isEmpty() && !bytes.has(word)) {
            return (endOfRun(writes.lasts(), word, end / WORD) - word) * WORD;
        }
        boolean mayCopy = !copies.isEmpty();
        int behind = end / WORD;
        int next = word + 1;
        while (next < behind
                && ((lastWrite(next) ^ write) & mask) == 0
                && !(mayCopy && copies.isCopying(next))) {
            next++;
        }
        return next * WORD - at;
    }

    /// The stamp of the last write of a word; where its bytes differ, one that asks for a closer
    /// look.
    private long lastWrite(int word) {
        int place = bytes.ofWord(word);
        return writes.last(place < 0 ? word : place);
    }

    /// Words are written beside the threads of the CTA.
    void wrote(int first, int behind, long now) {
        copies.settle(first, behind);
        Arrays.fill(writes.lasts(), first, behind, now);
        Arrays.fill(reads.lasts(), first, behind, Stamp.NOBODY);
    }
}
