package dev.heddle.sparse;

import static dev.heddle.sparse.Words.INTS;
import static dev.heddle.sparse.Words.LONGS;
import static dev.heddle.sparse.Words.SHORTS;

import java.util.Optional;

/// Moves elements between a tile and rows, as many at once as are neighbours in both, up to 8
/// bytes; words of 4 bytes four at once where [CrossedWords] can.
final class ElementRuns {
    private final int bits;
    private final int runBits;

    /// Where the runs begin in rows: in bytes, of lone 4-bit elements in elements.
    private final int[] starts;

    private final Optional<CrossedWords> crossed;

    /// @param stride elements from one row to the next
    /// @param bits   the width of an element
    ElementRuns(TilePlaces places, int stride, int bits) {
        int run = places.run(Long.SIZE / bits);
        this.bits = bits;
        this.runBits = run * bits;
        this.starts = places.entries(stride, run);
        if (runBits >= Byte.SIZE) {
            for (int i = 0; i < starts.length; i++) {
                starts[i] = starts[i] * bits / Byte.SIZE;
            }
        }
        this.crossed = runBits == Integer.SIZE ? CrossedWords.of(starts) : Optional.empty();
    }

    /// From a tile to rows.
    ///
    /// @param entry where the tile's upper left corner is in the rows, in elements
    void scatter(byte[] tile, byte[] rows, int entry) {
        int at = runBits >= Byte.SIZE ? entry * bits / Byte.SIZE : entry;
        if (crossed.isPresent()) {
            crossed.get().scatter(tile, rows, at);
            return;
        }
        for (int i = 0; i < starts.length; i++) {
            int start = at + starts[i];
            switch (runBits) {
                case Long.SIZE -> LONGS.set(rows, start, (long) LONGS.get(tile, i * Long.BYTES));
                case Integer.SIZE -> INTS.set(rows, start, (int) INTS.get(tile, i * Integer.BYTES));
                case Short.SIZE ->
                        SHORTS.set(rows, start, (short) SHORTS.get(tile, i * Short.BYTES));
                case Byte.SIZE -> rows[start] = tile[i];
                default -> nibble(tile, i, rows, start);
            }
        }
    }

    /// From rows to a tile.
    ///
    /// @param entry where the tile's upper left corner is in the rows, in elements
    void gather(byte[] rows, int entry, byte[] tile) {
        int at = runBits >= Byte.SIZE ? entry * bits / Byte.SIZE : entry;
        if (crossed.isPresent()) {
            crossed.get().gather(rows, at, tile);
            return;
        }
        for (int i = 0; i < starts.length; i++) {
            int start = at + starts[i];
            switch (runBits) {
                case Long.SIZE -> LONGS.set(tile, i * Long.BYTES, (long) LONGS.get(rows, start));
                case Integer.SIZE -> INTS.set(tile, i * Integer.BYTES, (int) INTS.get(rows, start));
                case Short.SIZE ->
                        SHORTS.set(tile, i * Short.BYTES, (short) SHORTS.get(rows, start));
                case Byte.SIZE -> tile[i] = rows[start];
                default -> nibble(rows, start, tile, i);
            }
        }
    }

    private static void nibble(byte[] source, int from, byte[] target, int to) {
        int code = source[from >> 1] >> (from & 1) * 4 & 0xf;
        int shift = (to & 1) * 4;
        target[to >> 1] = (byte) (target[to >> 1] & ~(0xf << shift) | code << shift);
    }
}
