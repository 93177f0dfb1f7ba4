package dev.heddle.tensorcore.kernel;

/// Where the elements of one operand are in an array of 32-bit words: element (row, k) of A,
/// (column, k) of B, (row, column) of C and D.
///
/// The words are the registers of a warp, laid out in whichever order the tables were made for, or
/// a matrix in memory. An element of 64 bits takes two words, the low one first.
///
/// @param majors extent of the first coordinate: rows of A, C and D, columns of B
/// @param minors extent of the second: k of A and B, columns of C and D
/// @param word   index of the word of an element, at `major * minors + minor`
/// @param bit    position of the lowest bit of its code in that word, likewise
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
public record Placement(int majors, int minors, int[] word, int[] bit) {

    /// A matrix in memory, row after row, its elements packed from the low end of each word.
    ///
    /// @param containerBits the bits an element takes, a power of two up to 64
    public static Placement packed(int majors, int minors, int containerBits) {
        int[] word = new int[majors * minors];
        int[] bit = new int[majors * minors];
        int wordsPerMajor = Math.ceilDiv(minors * containerBits, Integer.SIZE);
        for (int major = 0; major < majors; major++) {
            for (int minor = 0; minor < minors; minor++) {
                int at = minor * containerBits;
                word[major * minors + minor] = major * wordsPerMajor + at / Integer.SIZE;
                bit[major * minors + minor] = at % Integer.SIZE;
            }
        }
        return new Placement(majors, minors, word, bit);
    }

    /// How many words of the array the elements reach into.
    public int words(int elementBits) {
        int last = 0;
        for (int at : word) {
            last = Math.max(last, at);
        }
        return last + Math.ceilDiv(elementBits, Integer.SIZE);
    }

    /// The code of an element of at most 32 bits, the bits above it not yet removed.
    int load(int[] words, int major, int minor) {
        int at = major * minors + minor;
        return words[word[at]] >>> bit[at];
    }

    /// The code of an element of 64 bits.
    long loadLong(int[] words, int major, int minor) {
        int at = word[major * minors + minor];
        return Integer.toUnsignedLong(words[at]) | (long) words[at + 1] << Integer.SIZE;
    }

    /// The code of an element of that many bits.
    public long code(int[] words, int major, int minor, int bits) {
        return bits == Long.SIZE
                ? loadLong(words, major, minor)
                : load(words, major, minor) & -1L >>> (Long.SIZE - bits);
    }

    /// Replaces the code of an element; other bits of its word stay.
    public void store(int[] words, int major, int minor, int bits, long code) {
        int at = major * minors + minor;
        if (bits == Long.SIZE) {
            words[word[at]] = (int) code;
            words[word[at] + 1] = (int) (code >>> Integer.SIZE);
            return;
        }
        int mask = (int) (-1L >>> (Long.SIZE - bits)) << bit[at];
        words[word[at]] = (words[word[at]] & ~mask) | ((int) code << bit[at] & mask);
    }
}
