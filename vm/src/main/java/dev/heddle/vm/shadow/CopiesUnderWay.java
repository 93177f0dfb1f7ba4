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

    private final int words;

    // By word: the last write before the copy, and the copy, or 0.
    private long[] writesBefore = {};
    private long[] copies = {};
    private int count;

    CopiesUnderWay(int words) {
        this.words = words;
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

    /// A word that nobody was copying is about to be.
    void begin(int word, long writeBefore) {
        if (copies.length == 0) {
            writesBefore = new long[words];
            copies = new long[words];
        }
        count++;
        writesBefore[word] = writeBefore;
    }

    void copy(int first, int behind, int thread, int group, int site) {
        long number = Math.min(site, Stamp.NO_SITE);
        Arrays.fill(copies, first, behind, (long) group << GROUP | number << SITE | thread + 1);
    }

    /// Copies into all these words end.
    void end(int first, int behind) {
        count -= behind - first;
        Arrays.fill(copies, first, behind, 0);
    }
}
