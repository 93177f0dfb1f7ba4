package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.SharedGap;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Words whose last write asks for a closer look, so that machine code leaves them alone: those of
/// gaps between shared variables that nobody has touched yet, and those of mbarrier objects.
final class WatchedWords {
    private final List<SharedGap> gaps;
    private final AccessHistory writes;
    private final BitSet words = new BitSet();

    // By word, the stamp of the write that made an object there: NOBODY in gaps. Empty until one
    // is made.
    private long[] made = {};

    WatchedWords(List<SharedGap> gaps, AccessHistory writes) {
        this.gaps = gaps;
        this.writes = writes;
        mark();
    }

    /// Nobody has touched any gap: their whole words, which machine code marks, too. There are no
    /// objects.
    void mark() {
        words.clear();
        Arrays.fill(made, Stamp.NOBODY);
        for (SharedGap gap : gaps) {
            words.set(gap.firstWord(), gap.endWord());
            Arrays.fill(writes.lasts(), gap.firstWord(), gap.endWord(), Stamp.LOOK_CLOSER);
        }
    }

    /// An object is in a word, which one weak access has written. One that several wrote, or whose
    /// bytes have places, is no more than looked at.
    ///
    /// @param count words of the memory
    void watch(int word, int count) {
        long write = writes.last(word);
        if (Stamp.kind(write) == Stamp.WEAK && write < Stamp.LOOK_CLOSER) {
            made = made.length == 0 ? new long[count] : made;
            made[word] = write;
            words.set(word);
            writes.set(word, Stamp.LOOK_CLOSER);
        }
    }

    /// The last write of a word, of an object or not.
    long lastWrite(int word) {
        return made.length > 0 && isWatched(word) ? made[word] : writes.last(word);
    }

    /// Asynchronous operations write without a closer look.
    private boolean isWatched(int word) {
        return words.get(word) && writes.last(word) == Stamp.LOOK_CLOSER;
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
        if (isWatched(word)) {
            writes.set(word, made.length == 0 ? Stamp.NOBODY : made[word]);
        }
        words.clear(word);
    }
}
