package dev.heddle.vm.shadow;

/// Atomic operations on whole words of shared memory: stamps those that are in order at first
/// sight, and says which are not, or touch a word that asks for a closer look.
public record UpdatedWords(
        HappensBefore order,
        AccessHistory writes,
        AccessHistory reads,
        ReadLog recent,
        AsyncReads asyncReads) {
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
            int first = (int) offsets[lane] >>> 2;
            int last = first + bytes / WORD - 1;
            if (!mayUpdate(first, last, now, limit)) {
                closer |= 1 << lane;
                continue;
            }
            for (int word = first; word <= last; word++) {
                writes.add(word, now, 1 << lane);
            }
        }
        return closer;
    }

    private boolean mayUpdate(int first, int last, long now, long limit) {
        recent.beforeWrite(first, last, limit);
        boolean mayUpdate =
                asyncReads.areOver(first * WORD, (last + 1) * WORD, Stamp.thread(now) / 32);
        for (int word = first; word <= last; word++) {
            long write = writes.last(word);
            boolean isOver = write != Stamp.NOBODY && write <= limit;
            mayUpdate &= isOver || writes.areAll(word, Stamp.kind(now));
            mayUpdate &= reads.last(word) <= limit;
        }
        return mayUpdate;
    }
}
