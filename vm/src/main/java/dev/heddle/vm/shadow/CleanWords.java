package dev.heddle.vm.shadow;

import java.util.BitSet;

/// Words of shared memory, one behind the other, that are all written, and all in order for a warp:
/// found once, and true until somebody writes again. So one look serves all reads between two
/// barriers. Gaps between variables that nobody has touched do not end them: who reads by
/// this looks out for gaps.
public final class CleanWords {
    private final AccessHistory writes;
    private final ReadLog recent;
    private final int words;
    private final BitSet gaps;
    private int from;
    private int to;
    private long limit;
    private int changes = -1;

    CleanWords(AccessHistory writes, ReadLog recent, int words, BitSet gaps) {
        this.writes = writes;
        this.recent = recent;
        this.words = words;
        this.gaps = gaps;
    }

    /// Whether they still are what they were, for a warp for which all up to a stamp is over.
    public boolean isFor(long over) {
        return changes == writes.changes() && limit <= over;
    }

    /// The first byte.
    public int from() {
        return from * Integer.BYTES;
    }

    /// The byte behind the last.
    public int to() {
        return to * Integer.BYTES;
    }

    /// Becomes those around a word: none, where that is not one of them.
    public void seek(int word, long over) {
        limit = over;
        changes = writes.changes();
        from = Math.clamp(word, 0, words);
        to = from;
        while (to < words && isClean(to)) {
            to++;
        }
        while (from > 0 && to > from && isClean(from - 1)) {
            from--;
        }
    }

    private boolean isClean(int word) {
        long write = writes.last(word);
        return write != Stamp.NOBODY && write <= limit || gaps.get(word);
    }

    /// A warp has read them, by the instructions of a plan.
    ///
    /// @param first the word of the lowest lane at distance 0
    /// @param stride words between those of a lane and the next; 0 where all read one
    /// @param now the stamp of lane 0 of the warp
    public void read(PlannedReads plan, int first, int stride, int mask, long now, long over) {
        recent.add(plan, first, stride, mask, now, over);
    }
}
