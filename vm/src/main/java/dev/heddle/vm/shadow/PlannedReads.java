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
    private static final PlannedReads[] PARTS = new PlannedReads[Integer.BYTES - 1];

    static {
        Arrays.setAll(CONSECUTIVE, last -> consecutiveOf(last + 1));
        Arrays.setAll(PARTS, last -> consecutive(last + 1, OWN_SITE));
    }

    private final int[] words;
    private final int[] sites;
    private final int unit;
    private final int least;
    private final int most;

    /// @param words from the register's address, by instruction
    /// @param sites the numbers of the instructions
    public PlannedReads(int[] words, int[] sites) {
        this(words, sites, Integer.BYTES);
    }

    private PlannedReads(int[] words, int[] sites, int unit) {
        this.unit = unit;
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
        return consecutive(count * Integer.BYTES, OWN_SITE);
    }

    /// An instruction reads so many bytes one behind the other: whole words, or less than one.
    public static PlannedReads consecutive(int bytes, int site) {
        int unit = bytes % Integer.BYTES == 0 ? Integer.BYTES : 1;
        int[] sites = new int[bytes / unit];
        Arrays.fill(sites, site);
        return new PlannedReads(IntStream.range(0, sites.length).toArray(), sites, unit);
    }

    /// Of an instruction that reads less than a word.
    static PlannedReads part(int bytes) {
        return PARTS[bytes - 1];
    }

    /// The bytes of what is counted here: a word, or one.
    int unit() {
        return unit;
    }

    /// The binary logarithm of [#unit].
    int shift() {
        return unit == 1 ? 0 : 2;
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
