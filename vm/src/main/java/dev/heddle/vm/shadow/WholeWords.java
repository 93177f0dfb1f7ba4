package dev.heddle.vm.shadow;

import java.lang.foreign.MemorySegment;

/// Weak accesses of whole words by many lanes, as nearly all are: stamps those that are in order,
/// and says which are not, or touch a word that asks for a closer look.
public record WholeWords(
        HappensBefore order,
        AccessHistory writes,
        AccessHistory reads,
        ReadLog recent,
        AsyncReads asyncReads,
        WatchedWords watched) {
    private static final int WORD = Integer.BYTES;

    /// The latest stamp that is over for all lanes of a warp.
    ///
    /// @param now the stamp of one of its lanes
    public long limit(long now) {
        return Stamp.last(order.limit(Stamp.thread(now) / 32));
    }

    /// By warp, the latest stamp of one of its weak accesses that is over for all lanes of another,
    /// as far as that is more than [#limit].
    ///
    /// @param now the stamp of one of its lanes
    public long[] overs(long now) {
        return order.overs(Stamp.thread(now) / 32);
    }

    /// The latest stamp such that those of asynchronous operations up to it are over for all lanes
    /// of a warp, of one access each.
    ///
    /// @param now the stamp of one of its lanes
    public long asyncLimit(long now) {
        return Stamp.last(order.async().limit(Stamp.thread(now) / 32));
    }

    /// A warp has read words, all in order, by the instructions of a plan.
    ///
    /// @param first the word of the lowest lane at distance 0
    /// @param stride words between those of a lane and the next; 0 where all read one
    /// @param now the stamp of lane 0 of the warp
    public void noteRead(PlannedReads plan, int first, int stride, int mask, long now) {
        recent.add(plan, first, stride, mask, now, limit(now));
    }

    /// The same for rows that machine code has noted, at one clock.
    ///
    /// @param plans of their instructions
    /// @param from where they stand: each the offsets of the first bytes that 32 lanes read, the
    ///     number of the instruction, and the lanes, an int each
    /// @param at the first of them, in bytes
    /// @param count how many
    /// @param first the first byte that is read
    /// @param last the last one
    /// @param now the stamp of lane 0 of the warp
    public void noteRows(
            RowPlans plans, MemorySegment from, long at, int count, int first, int last, long now) {
        recent.addRows(plans, from, at, count, first, last, now, limit(now));
    }

    /// The first byte of words that were read where that may not be over for a warp that is about
    /// to write; behind [#endOfRecent] where there are none.
    ///
    /// @param now the stamp of one of its lanes
    public int firstRecent(long now) {
        int first = recent.first(limit(now));
        return first == Integer.MAX_VALUE ? first : first * WORD;
    }

    /// The byte behind those words.
    public int endOfRecent() {
        return recent.end() * WORD;
    }

    /// The lanes whose words were last written so late that not every lane of the warp knows it is
    /// over.
    public int late(long[] offsets, int lanes, long now) {
        long limit = limit(now);
        long[] written = writes.lasts();
        int late = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            late |= written[(int) offsets[lane] >>> 2] > limit ? 1 << lane : 0;
        }
        return late;
    }

    /// The rows with words whose last accesses not every lane of the warp knows to be over, or
    /// whose bytes differ.
    ///
    /// @param words of a row, all of them inside the memory
    public int usedLate(long[] offsets, int words, int rows, long now) {
        long limit = limit(now);
        long[] written = writes.lasts();
        long[] read = reads.lasts();
        int late = 0;
        for (int rest = rows; rest != 0; rest &= rest - 1) {
            int row = Integer.numberOfTrailingZeros(rest);
            int first = (int) offsets[row] >>> 2;
            recent.beforeStore(first, first + words - 1, limit, now);
            long negative = 0;
            for (int word = first; word < first + words; word++) {
                negative |= limit - read[word] | limit - written[word];
            }
            late |= negative < 0 ? 1 << row : 0;
        }
        return late;
    }

    /// Stamps what each lane reads where somebody wrote it in order with that: words, or bytes of
    /// one.
    ///
    /// @param bytes of a lane
    /// @return the other lanes, which need a closer look
    public int read(long[] offsets, int bytes, int lanes, long now) {
        return bytes % WORD == 0
                ? readWords(offsets, bytes, lanes, now)
                : readBytes(offsets, bytes, lanes, now);
    }

    private int readWords(long[] offsets, int bytes, int lanes, long now) {
        long limit = limit(now);
        int count = bytes / WORD;
        PlannedReads each = PlannedReads.consecutive(count);
        if (lanes == -1 && readPattern(offsets, each, now, limit)) {
            return 0;
        }
        if (areWritten(offsets, count, lanes, limit)) {
            recent.add(each, offsets, lanes, now, limit);
            return 0;
        }
        return readEach(offsets, each, count, lanes, now, limit);
    }

    private int readBytes(long[] offsets, int bytes, int lanes, long now) {
        return readEach(offsets, PlannedReads.part(bytes), 1, lanes, now, limit(now));
    }

    /// @param count words of a lane
    private int readEach(
            long[] offsets, PlannedReads each, int count, int lanes, long now, long limit) {
        long[] written = writes.lasts();
        int known = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int first = (int) offsets[lane] >>> 2;
            boolean isInOrder = true;
            for (int word = first; word < first + count; word++) {
                long write = written[word];
                isInOrder &=
                        write != Stamp.NOBODY
                                && (write <= limit || order.isOver(write, now + lane));
            }
            known |= isInOrder ? 1 << lane : 0;
        }
        if (known != 0) {
            recent.add(each, offsets, known, now, limit);
        }
        return lanes & ~known;
    }

    /// The same for a whole warp whose words are evenly apart, in all lanes or alike in each half.
    /// Returns whether they are, and all in order; where not, a closer look is needed.
    private boolean readPattern(long[] offsets, PlannedReads each, long now, long limit) {
        long step = offsets[1] - offsets[0];
        long uneven = 0;
        long halves = 0;
        for (int lane = 0; lane < 16; lane++) {
            uneven |= offsets[lane] - offsets[0] ^ step * lane;
            halves |= offsets[16 + lane] - offsets[lane] ^ offsets[16] - offsets[0];
        }
        if ((uneven | halves) != 0) {
            return false;
        }
        int stride = (int) (step >> 2);
        int lower = (int) offsets[0] >>> 2;
        int upper = (int) offsets[16] >>> 2;
        for (int i = 0; i < each.count(); i++) {
            if (!areWritten(lower + i, stride, limit) || !areWritten(upper + i, stride, limit)) {
                return false;
            }
        }
        if (upper - lower == 16 * stride) {
            recent.add(each, lower, stride, -1, now, limit);
        } else {
            recent.add(each, lower, stride, 0xffff, now, limit);
            recent.add(each, upper, stride, 0xffff_0000, now, limit);
        }
        return true;
    }

    private boolean areWritten(int first, int stride, long limit) {
        long[] written = writes.lasts();
        long late = 0;
        for (int i = 0, word = first; i < 16; i++, word += stride) {
            late |= limit - written[word] | written[word] - 1;
        }
        return late >= 0;
    }

    private boolean areWritten(long[] offsets, int count, int lanes, long limit) {
        long[] written = writes.lasts();
        long late = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int first = (int) offsets[Integer.numberOfTrailingZeros(rest)] >>> 2;
            for (int word = first; word < first + count; word++) {
                late |= limit - written[word] | written[word] - 1;
            }
        }
        return late >= 0;
    }

    /// Stamps a word as read by some lanes. Returns whether that was in order for any lane; where
    /// not, nothing is stamped, and a closer look is needed.
    ///
    /// @param now the stamp of lane 0
    public boolean readWord(int at, int mask, long now) {
        int word = at >>> 2;
        long write = writes.last(word);
        long limit = limit(now);
        if (write == Stamp.NOBODY || write > limit) {
            return false;
        }
        recent.add(word, 0, mask, now, limit);
        return true;
    }

    /// Stamps mbarrier objects as read by some lanes, mostly all one, where they were written in
    /// order with that.
    ///
    /// @param now the stamp of lane 0
    /// @return the other lanes, which need a closer look
    public int readObjects(long[] offsets, int lanes, long now) {
        long limit = limit(now);
        int closer = 0;
        for (int rest = lanes; rest != 0; ) {
            int first = Integer.numberOfTrailingZeros(rest);
            int same = 0;
            for (int others = rest; others != 0; others &= others - 1) {
                int lane = Integer.numberOfTrailingZeros(others);
                same |= offsets[lane] == offsets[first] ? 1 << lane : 0;
            }
            rest &= ~same;
            int word = (int) offsets[first] >>> 2;
            if (isWritten(word, limit) && isWritten(word + 1, limit)) {
                order.strong().shared().at(offsets[first], Long.BYTES);
                recent.addObject(word, same, now, limit);
            } else {
                closer |= same;
            }
        }
        return closer;
    }

    private boolean isWritten(int word, long limit) {
        long write = watched.lastWrite(word);
        return write != Stamp.NOBODY && write <= limit;
    }

    /// Stamps consecutive words as read by a lane each, from one lane on. Returns whether that was
    /// all in order for any lane; where not, some may be stamped, and a closer look is needed.
    ///
    /// @param now the stamp of lane 0
    public boolean readRow(int at, int lane, int count, long now) {
        long limit = limit(now);
        long[] written = writes.lasts();
        int first = at >>> 2;
        long late = 0;
        for (int i = 0; i < count; i++) {
            // Nobody's stamp is zero: negative less one.
            late |= limit - written[first + i] | written[first + i] - 1;
        }
        if (late < 0) {
            return false;
        }
        recent.add(first, 1, -1 >>> 32 - count << lane, now, limit);
        return true;
    }

    /// The same for words that are written.
    public boolean writeRow(int at, int lane, int count, long now) {
        long limit = limit(now);
        long[] written = writes.lasts();
        long[] read = reads.lasts();
        int first = at >>> 2;
        if (!isFree(first, first + count - 1, now)) {
            return false;
        }
        recent.beforeStore(first, first + count - 1, limit, now);
        long late = 0;
        for (int i = 0; i < count; i++) {
            late |= limit - written[first + i] | limit - read[first + i];
        }
        if (late < 0) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            written[first + i] = now + lane + i;
            read[first + i] = Stamp.NOBODY;
        }
        return true;
    }

    private static boolean isRow(long[] offsets) {
        long uneven = 0;
        for (int lane = 0; lane < Integer.SIZE; lane++) {
            uneven |= offsets[lane] - offsets[0] ^ (long) lane * WORD;
        }
        return uneven == 0;
    }

    /// Whether what asynchronous operations read of the words between those of lanes is over for
    /// their warp, and no strong operation touches any.
    private boolean isFree(long[] offsets, int count, int lanes, long now) {
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int first = (int) offsets[Integer.numberOfTrailingZeros(rest)] >>> 2;
            least = Math.min(least, first);
            most = Math.max(most, first + count - 1);
        }
        return isFree(least, most, now);
    }

    private boolean isFree(int first, int last, long now) {
        return asyncReads.areOver(first * WORD, (last + 1) * WORD, Stamp.thread(now) / 32)
                && !order.strong().shared().any(first, last);
    }

    /// Stamps words of each lane as written where that is in order with their writes and reads.
    ///
    /// @param bytes of a lane
    /// @return the other lanes, which need a closer look
    public int writeWords(long[] offsets, int bytes, int lanes, long now) {
        int count = bytes / WORD;
        if (count == 1
                && lanes == -1
                && isRow(offsets)
                && writeRow((int) offsets[0], 0, Integer.SIZE, now)) {
            return 0;
        }
        boolean isFree = isFree(offsets, count, lanes, now);
        long limit = limit(now);
        int closer = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int first = (int) offsets[lane] >>> 2;
            if (isFree && write(first, count, now + lane, limit)) {
                continue;
            }
            for (int word = first; word < first + count; word++) {
                if (!write(word, isFree, now + lane, limit)) {
                    closer |= 1 << lane;
                }
            }
        }
        return closer;
    }

    /// Stamps words of a lane as written. Returns whether all that was done to them is over for the
    /// whole warp; where not, nothing is stamped.
    private boolean write(int first, int count, long now, long limit) {
        recent.beforeStore(first, first + count - 1, limit, now);
        long[] written = writes.lasts();
        long[] read = reads.lasts();
        long late = 0;
        for (int word = first; word < first + count; word++) {
            late |= limit - written[word] | limit - read[word];
        }
        if (late < 0) {
            return false;
        }
        for (int word = first; word < first + count; word++) {
            written[word] = now;
            read[word] = Stamp.NOBODY;
        }
        return true;
    }

    /// Stamps a word as written. Returns whether that is in order.
    ///
    /// @param isFree whether asynchronous and strong operations are out of the question
    private boolean write(int word, boolean isFree, long now, long limit) {
        recent.beforeStore(word, word, limit, now);
        long write = writes.last(word);
        long read = reads.last(word);
        if (!isFree && !isFree(word, word, now)
                || write > limit && !order.isOver(write, now)
                || read > limit && !order.isOver(read, now)) {
            return false;
        }
        writes.set(word, now);
        reads.set(word, Stamp.NOBODY);
        return true;
    }
}
