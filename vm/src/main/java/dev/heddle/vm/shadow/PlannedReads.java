package dev.heddle.vm.shadow;

import java.util.Arrays;

/// Instructions of a block that read shared memory at constant distances from one register, one
/// after the other.
public final class PlannedReads {
    private final int[] words;
    private final int[] sites;
    private final int least;
    private final int most;

    /// @param words from the register's address, by instruction
    /// @param sites the numbers of the instructions
    public PlannedReads(int[] words, int[] sites) {
        this.words = words.clone();
        this.sites = sites.clone();
        least = Arrays.stream(words).min().orElse(0);
        most = Arrays.stream(words).max().orElse(0);
    }

    int count() {
        return words.length;
    }

    int words(int i) {
        return words[i];
    }

    int site(int i) {
        return sites[i];
    }

    int least() {
        return least;
    }

    int most() {
        return most;
    }
}
