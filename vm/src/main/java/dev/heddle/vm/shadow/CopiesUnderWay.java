package dev.heddle.vm.shadow;

import java.util.Arrays;

/// The words of a CTA's shared memory that threads' asynchronous copies write, until the threads
/// wait for them.
final class CopiesUnderWay {
    private final int words;

    // By word: the last write before the copy, and the copy.
    private long[] writesBefore = {};
    private int[] copiers = {};
    private int[] groups = {};
    private int[] sites = {};

    CopiesUnderWay(int words) {
        this.words = words;
    }

    void clear() {
        Arrays.fill(copiers, 0);
    }

    boolean isCopying(int word) {
        return word < copiers.length && copiers[word] != 0;
    }

    /// Whether some of these words are being copied.
    boolean isCopying(int first, int behind) {
        for (int word = first; copiers.length > 0 && word < behind; word++) {
            if (copiers[word] != 0) {
                return true;
            }
        }
        return false;
    }

    /// The stamp of the last write before the copy.
    long writeBefore(int word) {
        return writesBefore[word];
    }

    int copier(int word) {
        return copiers[word] - 1;
    }

    int group(int word) {
        return groups[word];
    }

    int site(int word) {
        return sites[word];
    }

    /// A word that nobody was copying is about to be.
    void begin(int word, long writeBefore) {
        if (copiers.length == 0) {
            writesBefore = new long[words];
            copiers = new int[words];
            groups = new int[words];
            sites = new int[words];
        }
        writesBefore[word] = writeBefore;
    }

    void copy(int word, int thread, int group, int site) {
        copiers[word] = thread + 1;
        groups[word] = group;
        sites[word] = site;
    }

    void end(int word) {
        copiers[word] = 0;
    }
}
