package dev.heddle.vm.shadow;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/// The places of bytes of shared memory, in the histories of its writes and its reads: behind those
/// of words, once the bytes of a word differ.
public final class BytePlaces {
    /// Bytes that have room for places from the start, and that machine code has room for.
    public static final int FEW = 128;

    private static final int WORD = Integer.BYTES;

    // By word, the place of its first byte, once its bytes have places; negative while the word is
    // one place again; 0 where they never had any.
    private final int[] firsts;

    // Words all of whose bytes are as the first: the places of the others hold nothing yet.
    private final BitSet even = new BitSet();
    private final AccessHistory writes;
    private final AccessHistory reads;
    private final WatchedWords watched;
    private final CopiesUnderWay copies;
    private final MemorySegment segment;
    private int end;

    // Words from the first to behind the last whose bytes have had places.
    private int low = Integer.MAX_VALUE;
    private int high;

    BytePlaces(
            int[] firsts,
            AccessHistory writes,
            AccessHistory reads,
            WatchedWords watched,
            CopiesUnderWay copies) {
        this.firsts = firsts;
        this.writes = writes;
        this.reads = reads;
        this.watched = watched;
        this.copies = copies;
        segment = MemorySegment.ofArray(firsts);
        end = firsts.length;
    }

    void clear() {
        if (end > firsts.length) {
            end = firsts.length;
            low = Integer.MAX_VALUE;
            high = 0;
            Arrays.fill(firsts, 0);
            even.clear();
        }
    }

    /// Whether the bytes of some of these words may have places. A tile beside barriers that other
    /// CTAs arrive at has none.
    boolean mayHaveAny(int first, int behind) {
        return low < behind && first < high;
    }

    /// Whether the bytes of a word have places.
    boolean has(int word) {
        return firsts[word] > 0;
    }

    /// The place of a byte.
    int place(int at) {
        if (has(at / WORD)) {
            return of(at);
        }
        watched.touch(at / WORD);
        return at / WORD;
    }

    /// The place of a byte of a word whose bytes have places.
    int of(int at) {
        int word = at / WORD;
        return firsts[word] + (even.get(word) ? 0 : at % WORD);
    }

    /// The place of a word whose bytes are as one, or -1 where they differ.
    int ofWord(int word) {
        return !has(word) ? word : even.get(word) ? firsts[word] : -1;
    }

    /// The place of a word's first byte, which has one from now on, as the others have. Reads of
    /// the word that are noted go to its bytes later.
    int first(int word) {
        watch(word);
        if (even.get(word)) {
            even.clear(word);
            int first = firsts[word];
            for (int i = 1; i < WORD; i++) {
                writes.copy(first, first + i);
                reads.copy(first, first + i);
            }
        }
        return firsts[word];
    }

    /// Whether these bytes are words, and none of them has places for its bytes.
    boolean areWords(int at, int end) {
        boolean areWords = (at | end) % WORD == 0;
        if (areWords && mayHaveAny(at / WORD, end / WORD)) {
            for (int word = at / WORD; areWords && word < end / WORD; word++) {
                areWords = !has(word);
            }
        }
        return areWords;
    }

    /// Whoever accesses these bytes looks closer from now on. Whole words may still be as one.
    void watch(int at, int end) {
        for (int word = at / WORD; word * WORD < end; word++) {
            if (at <= word * WORD && (word + 1) * WORD <= end) {
                watch(word);
            } else {
                first(word);
            }
        }
    }

    private void watch(int word) {
        if (!has(word)) {
            split(word);
            even.set(word);
        }
    }

    /// Whether the bytes of a word have places, and all are as the first.
    boolean areEven(int word) {
        return even.get(word);
    }

    private void split(int word) {
        watched.touch(word);
        int first = -firsts[word];
        if (first == 0) {
            first = end;
            end += WORD;
            require(end);
            low = Math.min(low, word);
            high = Math.max(high, word + 1);
        }
        if (copies.isCopying(word)) {
            writes.set(word, copies.writeBefore(word));
        }
        writes.copy(word, first);
        reads.copy(word, first);
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
        even.clear(word);
    }

    // For machine code, which gives bytes places as well, but knows nothing of words that are even.

    MemorySegment segment() {
        return even.isEmpty() ? segment : MemorySegment.NULL;
    }

    /// Makes room for [#FEW] more at least. Returns the place of the first.
    public int reserve() {
        require(end + FEW);
        return end;
    }

    /// Behind the last place that there is room from for the bytes of a word.
    public int endOfRoom() {
        return Math.min(writes.lasts().length, reads.lasts().length) - (WORD - 1);
    }

    /// Bytes have places up to one.
    public void took(int behind) {
        if (end != behind) {
            end = behind;
            low = 0;
            high = firsts.length;
        }
    }
}
