package dev.heddle.sparse;

/// Chunks of four 16-bit units, many at once, each a `long`: the loops have no branches and no
/// look-ups, so that the JIT turns them into vectors.
///
/// A set of units is here the highest bit of each unit that is in it.
final class ShortChunks {
    /// Chunks that are taken at once: what a loop works on stays in the first-level cache.
    static final int BLOCK = 1024;

    private static final long TOPS = 0x8000_8000_8000_8000L;
    private static final long LOW_HALF = TOPS >>> Integer.SIZE;
    private static final long UNIT = 0xffff;

    private final long[] chunks = new long[BLOCK];
    private final long[] kept = new long[BLOCK];
    private final int[] halves = new int[BLOCK];
    private final int[] sets = new int[BLOCK];

    /// The chunks themselves.
    long[] chunks() {
        return chunks;
    }

    /// The stored halves of the chunks.
    int[] halves() {
        return halves;
    }

    /// Chooses of each chunk the two units with the largest magnitudes, of equal ones the first;
    /// none of a chunk with fewer than two other than zero.
    ///
    /// Each unit is compared with the next, and with the next but one; no difference borrows from
    /// the unit above, for the minuends have their highest bit set. Those that win two of their
    /// three comparisons are the two largest.
    ///
    /// @return units other than zero of the chunks that have at least two
    long chooseLargest(int count) {
        long found = 0;
        for (int i = 0; i < count; i++) {
            long magnitudes = chunks[i] & ~TOPS;
            long minuends = magnitudes | TOPS;
            long nonzero = magnitudes + ~TOPS & TOPS;
            // Unit 3 against unit 0: only a larger one beats an earlier one
            long beatsNext = minuends - (magnitudes >>> 16 | magnitudes << 48) - (1L << 48);
            long beatsPrevious = ~(beatsNext << 16 | beatsNext >>> 48);
            long low = minuends - (magnitudes >>> 32 | magnitudes << 32) & LOW_HALF;
            long beatsOpposite = low | (~low & LOW_HALF) << 32;
            long two = beatsNext & beatsPrevious | beatsOpposite & (beatsNext | beatsPrevious);
            long enough = ones(nonzero & nonzero - 1);
            kept[i] = two & TOPS & enough;
            // Four counts of 16 bits: a block has fewer chunks
            found += (nonzero & enough) >>> 15;
        }
        return (found & UNIT) + (found >>> 16 & UNIT) + (found >>> 32 & UNIT) + (found >>> 48);
    }

    /// Chooses of each chunk with exactly two units other than zero those, none of the others.
    void chooseNonzero(int count) {
        for (int i = 0; i < count; i++) {
            long nonzero = (chunks[i] & ~TOPS) + ~TOPS & TOPS;
            long butOne = nonzero & nonzero - 1;
            kept[i] = nonzero & ones(butOne) & ~ones(butOne & butOne - 1);
        }
    }

    /// All bits if there is any, none if there is none.
    private static long ones(long bits) {
        return (bits | -bits) >> 63;
    }

    /// Presses the chosen units of each chunk together.
    void press(int count) {
        for (int i = 0; i < count; i++) {
            long first = kept[i] & -kept[i];
            long firstUnit = unit(first);
            long low = chunks[i] & firstUnit;
            long high = chunks[i] & (unit(kept[i]) ^ firstUnit);
            low |= low >>> 32;
            high |= high >>> 32;
            halves[i] = (int) ((low | low >>> 16) & UNIT | (high | high >>> 16) << 16);
        }
    }

    /// All bits of the units in a set.
    private static long unit(long set) {
        return (set << 1) - (set >>> 15);
    }

    /// Tells the chosen units of each chunk, bit `i` for unit `i`.
    ///
    /// @return whether there are any of every chunk
    boolean tell(byte[] target, int at, int count) {
        long none = 0;
        for (int i = 0; i < count; i++) {
            long set = kept[i];
            none |= ~(set | -set);
            target[at + i] = (byte) ((set >>> 15 | set >>> 30 | set >>> 45 | set >>> 60) & 0xf);
        }
        return none >= 0;
    }

    /// Makes chunks of their stored halves and of which units those are, two of each.
    ///
    /// @param source bit `i` for unit `i`
    void spread(byte[] source, int at, int count) {
        for (int i = 0; i < count; i++) {
            sets[i] = source[at + i];
        }
        for (int i = 0; i < count; i++) {
            long bits = sets[i];
            long set = (bits & 1) << 15 | (bits & 2) << 30 | (bits & 4) << 45 | (bits & 8) << 60;
            long half = halves[i];
            long firstUnit = unit(set & -set);
            long low = half & UNIT;
            long high = half >>> 16 & UNIT;
            low |= low << 16;
            high |= high << 16;
            chunks[i] =
                    (low | low << 32) & firstUnit | (high | high << 32) & (unit(set) ^ firstUnit);
        }
    }
}
