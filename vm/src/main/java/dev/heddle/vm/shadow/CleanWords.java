package dev.heddle.vm.shadow;

import java.util.function.IntPredicate;

/// Ranges of words of shared memory that are all written, and all in order for a warp: found once,
/// and true until somebody writes there again. So one look serves all reads between two
/// barriers. Gaps between variables that nobody has touched do not end them: who reads by
/// this looks out for gaps.
public final class CleanWords {
    /// So many are known at most: of the tiles of both operands, their metadata and one more.
    public static final int RANGES = 4;

    private final AccessHistory writes;
    private final ReadLog recent;
    private final int words;
    private final UntouchedGaps gaps;
    private final long[] limits = new long[RANGES];
    private int latest;

    CleanWords(AccessHistory writes, ReadLog recent, int words, UntouchedGaps gaps) {
        this.writes = writes;
        this.recent = recent;
        this.words = words;
        this.gaps = gaps;
    }

    /// Whether a range still is what it was, for a warp for which all up to a stamp is over.
    public boolean isFor(int range, long over) {
        return limits[range] <= over && writes.watched().isWatched(range);
    }

    /// The first byte.
    public int from(int range) {
        return writes.watched().from(range) * Integer.BYTES;
    }

    /// The byte behind the last.
    public int to(int range) {
        return writes.watched().to(range) * Integer.BYTES;
    }

    /// The oldest range becomes the one around a word: an empty one, where that is not one of them.
    ///
    /// @param ends ends the copy into a word that is over, and says whether there was one
    public void seek(int word, long over, IntPredicate ends) {
        int from = Math.clamp(word, 0, words);
        int to = from;
        while (to < words && isClean(to, over, ends)) {
            to++;
        }
        while (from > 0 && to > from && isClean(from - 1, over, ends)) {
            from--;
        }
        latest = (latest + 1) % RANGES;
        limits[latest] = over;
        writes.watched().watch(latest, from, to);
    }

    private boolean isClean(int word, long limit, IntPredicate ends) {
        long write = writes.last(word);
        if (write > limit && ends.test(word)) {
            write = writes.last(word);
        }
        return write != Stamp.NOBODY && write <= limit || gaps.has(word);
    }

    /// A warp has read them, by the instructions of a plan.
    ///
    /// @param first the word of the lowest lane at distance 0
    /// @param stride words between those of a lane and the next; 0 where all read one
    /// @param now the stamp of lane 0 of the warp
    public void read(PlannedReads plan, int first, int stride, int mask, long now, long over) {
        recent.add(plan, first, stride, mask, now, over);
    }

    /// A warp has read them, where lanes need not be evenly apart.
    ///
    /// @param offsets of the bytes of each lane's first word
    /// @param now the stamp of lane 0 of the warp
    public void read(PlannedReads plan, long[] offsets, int mask, long now, long over) {
        recent.add(plan, offsets, mask, now, over);
    }
}
