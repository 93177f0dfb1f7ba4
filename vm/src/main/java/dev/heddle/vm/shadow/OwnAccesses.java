package dev.heddle.vm.shadow;

import java.util.function.LongPredicate;

/// What the threads of a CTA did in its shared memory, as threads of other CTAs of the cluster meet
/// it.
///
/// @param order of the CTA that has the memory
record OwnAccesses(
        HappensBefore order,
        AccessHistory writes,
        AccessHistory reads,
        BytePlaces bytes,
        ReadLog recent,
        CopiesUnderWay copies) {
    private static final int WORD = Integer.BYTES;

    /// The stamp of a write that an access of another CTA's thread races with, or NOBODY.
    ///
    /// @param by the order of the thread's CTA
    /// @param counts which of those that race matter, by their stamps
    long racingWrite(SharedElement element, HappensBefore by, int thread, LongPredicate counts) {
        RaceSearch.Accessor accessor = new RaceSearch.Accessor(by, thread, element.kind());
        int end = element.end();
        for (int i = element.at(); i < end; i = endOfPlace(i)) {
            if (copies.isCopying(i / WORD)) {
                // Its last write stands there once its bytes have places.
                bytes.first(i / WORD);
            }
            RaceSearch search = new RaceSearch(order, accessor, i, false, counts);
            writes.forEach(bytes.place(i), search);
            if (search.found() != Stamp.NOBODY) {
                return search.found();
            }
        }
        return Stamp.NOBODY;
    }

    /// The stamp of a read that a write of another CTA's thread races with, or NOBODY.
    long racingRead(SharedElement element, HappensBefore by, int thread) {
        RaceSearch.Accessor accessor = new RaceSearch.Accessor(by, thread, element.kind());
        int end = element.end();
        for (int i = element.at(); i < end; i = endOfPlace(i)) {
            recent.settle(i / WORD);
            RaceSearch search = new RaceSearch(order, accessor, i, true, read -> true);
            reads.forEach(bytes.place(i), search);
            if (search.found() != Stamp.NOBODY) {
                return search.found();
            }
        }
        return Stamp.NOBODY;
    }

    /// Whether what an access of another CTA's thread may race with is over for that at first
    /// sight: each byte's last write, and for a write its last read.
    boolean areOver(int at, int end, boolean write, OverFor over) {
        for (int i = at; i < end; i = endOfPlace(i)) {
            if (write) {
                recent.settle(i / WORD);
            }
            int place = bytes.place(i);
            if (copies.isCopying(i / WORD)
                    || !over.isOnlyOver(order.cta(), writes.last(place))
                    || write && !over.isOnlyOver(order.cta(), reads.last(place))) {
                return false;
            }
        }
        return true;
    }

    /// Another CTA writes some bytes: those that nobody has written count as written before all
    /// that the CTA's own threads do.
    void define(int at, int end) {
        for (int i = at; i < end; i = endOfPlace(i)) {
            int place = bytes.place(i);
            if (writes.last(place) == Stamp.NOBODY) {
                recent.settle(i / WORD);
                writes.set(place, Stamp.of(0, Stamp.NO_SITE, Stamp.WEAK, 0));
                reads.set(place, Stamp.NOBODY);
            }
        }
    }

    /// Behind the last byte that has the place of this one.
    int endOfPlace(int at) {
        int word = at / WORD;
        recent.settleBytes(word);
        return !bytes.has(word) || bytes.areEven(word) ? (word + 1) * WORD : at + 1;
    }
}
