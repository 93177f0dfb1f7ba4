package dev.heddle.vm.shadow;

import java.util.Arrays;

/// The words of a CTA's shared memory that threads' asynchronous copies write, until the threads
/// wait for them.
public final class CopiesUnderWay {
    private static final int WORD = Integer.BYTES;

    // A copy in 64 bits: its group, the number of its instruction, and one more than its thread's.
    private static final int GROUP = 32;
    private static final int SITE = 12;
    private static final int THREAD_MASK = (1 << SITE) - 1;

    private final AccessHistory writes;
    private final int[] bytePlaces;
    private final UntouchedGaps gaps;

    // By word: the last write before the copy, and the copy, or 0.
    private long[] writesBefore = {};
    private long[] copies = {};
    private int count;

    /// @param writes of all words
    /// @param bytePlaces by word, the place of its first byte; not above 0 where it has none
    CopiesUnderWay(AccessHistory writes, int[] bytePlaces, UntouchedGaps gaps) {
        this.writes = writes;
        this.bytePlaces = bytePlaces;
        this.gaps = gaps;
    }

    void clear() {
        count = 0;
        Arrays.fill(copies, 0);
    }

    /// Whether there are none.
    public boolean isEmpty() {
        return count == 0;
    }

    boolean isCopying(int word) {
        return count > 0 && copies[word] != 0;
    }

    /// Whether some of these words are being copied.
    boolean isCopying(int first, int behind) {
        for (int word = first; count > 0 && word < behind; word++) {
            if (copies[word] != 0) {
                return true;
            }
        }
        return false;
    }

    /// The stamp of the last write before the copy.
    long writeBefore(int word) {
        return writesBefore[word];
    }

    /// The thread whose copy writes a byte, or -1.
    public int copier(int at) {
        return count == 0 ? -1 : ((int) copies[at / WORD] & THREAD_MASK) - 1;
    }

    /// The group of the copy.
    public int group(int at) {
        return (int) (copies[at / WORD] >>> GROUP);
    }

    /// Its instruction's number.
    public int site(int at) {
        return (int) copies[at / WORD] >>> SITE;
    }

    /// The byte behind those words from one on that one copy writes, of those before an end.
    public int endOfCopy(int at, int end) {
        long copy = copies[at / WORD];
        int next = at + WORD;
        while (next < end && copies[next / WORD] == copy) {
            next += WORD;
        }
        return next;
    }

    /// A thread's copy of whole words begins: their last write asks for a closer look.
    void copy(int first, int behind, int thread, int group, int site) {
        long[] last = writes.lasts();
        for (int word = first; word < behind; word++) {
            if (!isCopying(word)) {
                gaps.touch(word);
                begin(word, last[word]);
                last[word] = Stamp.LOOK_CLOSER;
            }
        }
        writes.changed(first, behind - 1);
        long number = Math.min(site, Stamp.NO_SITE);
        Arrays.fill(copies, first, behind, (long) group << GROUP | number << SITE | thread + 1);
    }

    private void begin(int word, long writeBefore) {
        if (copies.length == 0) {
            writesBefore = new long[bytePlaces.length];
            copies = new long[bytePlaces.length];
        }
        count++;
        writesBefore[word] = writeBefore;
    }

    /// The thread has waited for its copy: the word counts as written when that was.
    public void end(int at, int clock) {
        int word = at / WORD;
        if (isCopying(word)) {
            finish(word, word + 1, clock);
        }
    }

    /// The copy into a word has been waited for: it counts as written when that was, with those
    /// behind it that the same copy writes.
    ///
    /// @param end where the words end that are asked for
    /// @return the byte behind them
    public int end(int at, int end, int clock) {
        int next = endOfCopy(at, end);
        finish(at / WORD, next / WORD, clock);
        return next;
    }

    private void finish(int first, int behind, int clock) {
        long[] last = writes.lasts();
        for (int word = first; word < behind; word++) {
            int places = bytePlaces[word];
            if (places > 0) {
                for (int place = places; place < places + WORD; place++) {
                    writes.set(place, waited(last[place], clock));
                }
            } else {
                last[word] = waited(writesBefore[word], clock);
            }
        }
        writes.changed(first, behind - 1);
        count -= behind - first;
        Arrays.fill(copies, first, behind, 0);
    }

    private static long waited(long stamp, int clock) {
        return Stamp.withClock(stamp, Math.max(Stamp.clock(stamp), clock));
    }
}
