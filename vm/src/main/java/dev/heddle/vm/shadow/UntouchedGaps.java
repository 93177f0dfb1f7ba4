package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.SharedGap;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Words of the gaps between shared variables that nobody has touched yet: their last write asks
/// for a closer look.
final class UntouchedGaps {
    private final List<SharedGap> gaps;
    private final AccessHistory writes;
    private final BitSet words = new BitSet();

    UntouchedGaps(List<SharedGap> gaps, AccessHistory writes) {
        this.gaps = gaps;
        this.writes = writes;
        mark();
    }

    /// Nobody has touched any: their whole words, which machine code marks, too.
    void mark() {
        for (SharedGap gap : gaps) {
            words.set(gap.firstWord(), gap.endWord());
            Arrays.fill(writes.lasts(), gap.firstWord(), gap.endWord(), Stamp.LOOK_CLOSER);
        }
    }

    boolean has(int word) {
        return words.get(word);
    }

    /// The same at words.
    void touch(int first, int behind) {
        for (int word = words.nextSetBit(first); word >= 0 && word < behind; ) {
            touch(word);
            word = words.nextSetBit(word + 1);
        }
    }

    /// Something takes the closer look at a word.
    void touch(int word) {
        if (words.get(word)) {
            words.clear(word);
            writes.set(word, Stamp.NOBODY);
        }
    }
}
