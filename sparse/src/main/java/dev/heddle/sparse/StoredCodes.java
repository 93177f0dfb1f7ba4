package dev.heddle.sparse;

import static dev.heddle.sparse.Words.INTS;

/// The codes of stored elements as a library keeps them: with something added to each.
///
/// Of 4 and 8 bits that is the highest bit, which makes signed codes unsigned. Of 32 bits it is
/// half of what tf32 drops, so that dropping rounds; infinities and NaN stay as they are.
///
/// @param added what is added
/// @param bits  the width of a code
record StoredCodes(int added, int bits) {
    private static final int INFINITY = 0x7f80_0000;

    /// Adds to the codes of a band.
    ///
    /// @throws SparsityException if a sum could not be told from an infinity or NaN
    void add(Band band) {
        add(band, added);
    }

    /// Takes away again what was added.
    void subtract(Band band) {
        add(band, -added);
    }

    private void add(Band band, int more) {
        if (bits < Integer.SIZE) {
            flip(band);
            return;
        }
        int length = band.count() * band.storedRowBytes();
        for (int at = 0; at < length; at += Integer.BYTES) {
            int code = (int) INTS.get(band.stored(), at);
            if (finite(code)) {
                if (more > 0 && !finite(code + more)) {
                    throw infinite(band, at, code);
                }
                INTS.set(band.stored(), at, code + more);
            }
        }
    }

    private static boolean finite(int code) {
        return (code & INFINITY) != INFINITY;
    }

    private static SparsityException infinite(Band band, int at, int code) {
        int row = band.firstRow() + at / band.storedRowBytes();
        return new SparsityException(
                row,
                "row %d, stored element %d is %s: expected at most %s, what tf32 holds when it is rounded"
                        .formatted(
                                row,
                                at % band.storedRowBytes() / Integer.BYTES,
                                Float.intBitsToFloat(code),
                                Float.intBitsToFloat(INFINITY - 0x1001)));
    }

    /// Adds the highest bit of each code, or takes it away: the same.
    private void flip(Band band) {
        int pattern = bits == 4 ? added * 0x11 : added;
        byte[] stored = band.stored();
        for (int i = 0; i < stored.length; i++) {
            stored[i] ^= (byte) pattern;
        }
    }
}
