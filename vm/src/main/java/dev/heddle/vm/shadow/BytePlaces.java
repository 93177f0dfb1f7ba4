package dev.heddle.vm.shadow;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The places of bytes of shared memory, in the histories of its writes and its reads: behind those
/// of words, once the bytes of a word differ.
public final class BytePlaces {
    /// Bytes that have room for places from the start, and that machine code has room for.
    public static final int FEW = 128;

    private static final int WORD = Integer.BYTES;

    // By word, the place of its first byte, once its bytes have places; negative while the word is
    // one place again; 0 where they never had any.
    private final int[] firsts;
    private final AccessHistory writes;
    private final AccessHistory reads;
    private final UntouchedGaps gaps;
    private final CopiesUnderWay copies;
    private final MemorySegment segment;
    private int end;

    BytePlaces(
            int[] firsts,
            AccessHistory writes,
            AccessHistory reads,
            UntouchedGaps gaps,
            CopiesUnderWay copies) {
        this.firsts = firsts;
        this.writes = writes;
        this.reads = reads;
        this.gaps = gaps;
        this.copies = copies;
        segment = MemorySegment.ofArray(firsts);
        end = firsts.length;
    }

    void clear() {
        if (isAny()) {
            end = firsts.length;
            Arrays.fill(firsts, 0);
        }
    }

    /// Whether bytes of some word have had places.
    boolean isAny() {
        return end > firsts.length;
    }

    /// Whether the bytes of a word have places.
    boolean has(int word) {
        return firsts[word] > 0;
    }

    /// The place of a word's first byte, which has one from now on. Reads of the word that are
    /// noted go to its bytes later.
    int first(int word) {
        if (!has(word)) {
            split(word);
        }
        return firsts[word];
    }

    private void split(int word) {
        gaps.touch(word);
        int first = -firsts[word];
        if (first == 0) {
            first = end;
            end += WORD;
            require(end);
        }
        if (copies.isCopying(word)) {
            writes.set(word, copies.writeBefore(word));
        }
        for (int i = 0; i < WORD; i++) {
            writes.copy(word, first + i);
            reads.copy(word, first + i);
        }
        firsts[word] = first;
        writes.set(word, Stamp.LOOK_CLOSER);
    }

    private void require(int places) {
        writes.require(places);
        reads.require(places);
    }

    /// A word is one place again.
    void join(int word) {
        firsts[word] = -Math.abs(firsts[word]);
    }

    // For machine code, which gives bytes places as well.

    MemorySegment segment() {
        return segment;
    }

    /// Makes room for [#FEW] more. Returns the place of the first.
    public int reserve() {
        require(end + FEW);
        return end;
    }

    /// Bytes have places up to one.
    public void took(int behind) {
        end = behind;
    }
}
