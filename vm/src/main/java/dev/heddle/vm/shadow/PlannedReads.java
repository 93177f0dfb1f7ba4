package dev.heddle.vm.shadow;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Instructions of a block that read shared memory at constant distances from one register, one
/// after the other; or the words that one instruction reads.
public final class PlannedReads {
    /// The site of whoever reads, whichever that is.
    static final int OWN_SITE = -1;

    /// Words of a vector.
    private static final int MOST_CONSECUTIVE = 8;

    private static final PlannedReads[] CONSECUTIVE = new PlannedReads[MOST_CONSECUTIVE];

    static {
        Arrays.setAll(CONSECUTIVE, last -> consecutiveOf(last + 1));
    }

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

    /// One instruction reads so many words one behind the other.
    static PlannedReads consecutive(int count) {
        return count > MOST_CONSECUTIVE ? consecutiveOf(count) : CONSECUTIVE[count - 1];
    }

    private static PlannedReads consecutiveOf(int count) {
        int[] sites = new int[count];
        Arrays.fill(sites, OWN_SITE);
        return new PlannedReads(IntStream.range(0, count).toArray(), sites);
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
