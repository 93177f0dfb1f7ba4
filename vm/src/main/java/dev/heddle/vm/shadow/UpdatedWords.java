package dev.heddle.vm.shadow;

/// Atomic operations on whole words of shared memory: stamps those that are in order at first
/// sight, and says which are not, or touch a word that asks for a closer look.
public record UpdatedWords(
        HappensBefore order,
        AccessHistory writes,
        AccessHistory reads,
        ReadLog recent,
        AsyncReads asyncReads,
        BytePlaces bytes,
        CopiesUnderWay copies,
        ClusterAccesses outside) {
    private static final int WORD = Integer.BYTES;

    /// Stamps words as updated by atomic operations of each lane, where they are in order with the
    /// reads of these words, and with their writes or morally strong with all of them.
    ///
    /// @param bytes of a lane, all of one element
    /// @param now the stamp of lane 0, of a strong access
    /// @return the other lanes, which need a closer look
    public int update(long[] offsets, int bytes, int lanes, long now) {
        long limit = Stamp.last(order.limit(Stamp.thread(now) / 32));
        int closer = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            SharedElement element = new SharedElement(at, bytes, true, Stamp.kind(now));
            if (!outside.areStrongWith(element) || !mayUpdate(element, now, limit)) {
                closer |= 1 << lane;
                continue;
            }
            for (int word = at / WORD; word < (at + bytes) / WORD; word++) {
                writes.add(this.bytes.ofWord(word), now, 1 << lane);
            }
        }
        return closer;
    }

    private boolean mayUpdate(SharedElement element, long now, long limit) {
        int end = element.end();
        int first = element.at() / WORD;
        int behind = end / WORD;
        recent.beforeWrite(first, behind - 1, limit);
        boolean mayUpdate = asyncReads.areOver(element.at(), end, Stamp.thread(now) / 32);
        for (int word = first; mayUpdate && word < behind; word++) {
            int place = bytes.ofWord(word);
            mayUpdate = place >= 0 && (place == word || !copies.isCopying(word));
            mayUpdate = mayUpdate && mayUpdate(place, now, limit);
        }
        return mayUpdate;
    }

    private boolean mayUpdate(int place, long now, long limit) {
        long write = writes.last(place);
        boolean isOver = write != Stamp.NOBODY && write <= limit;
        int othersUpTo = writes.othersUpTo(place, Stamp.kind(now));
        return (isOver || othersUpTo <= Stamp.clock(limit)) && reads.last(place) <= limit;
    }
}
