package dev.heddle.sparse;

import static dev.heddle.sparse.Words.LONGS;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Words of four bytes, moved four at once between a tile and rows: of two longs the lower halves
/// become one long, the upper halves another.
///
/// Registers of a lane are so: the word of another row follows each word, and the word to its
/// right begins another long. The same exchange leads from rows to a tile and back.
///
/// @param inRows two by two, where the longs begin in rows, in bytes
/// @param inTile two by two, where they begin in the tile
@SuppressWarnings("ArrayRecordComponent") // never compared
record CrossedWords(int[] inRows, int[] inTile) {
    private static final long LOWER = 0xffff_ffffL;

    /// The pairs of longs of a tile, none if not all its words are in one.
    ///
    /// @param starts of each word of a tile, where it begins in rows, in bytes
    static Optional<CrossedWords> of(int[] starts) {
        if (starts.length % 4 != 0) {
            return Optional.empty();
        }
        Map<Integer, Integer> words = new HashMap<>();
        for (int word = 0; word < starts.length; word++) {
            words.put(starts[word], word);
        }
        int[] inRows = new int[starts.length / 2];
        int[] inTile = new int[inRows.length];
        boolean[] taken = new boolean[starts.length];
        int count = 0;
        for (int word = 0; word < starts.length; word += 2) {
            if (taken[word]) {
                continue;
            }
            int next = words.getOrDefault(starts[word] + Integer.BYTES, 1);
            if (next % 2 != 0
                    || next == word
                    || taken[next]
                    || starts[next + 1] != starts[word + 1] + Integer.BYTES) {
                return Optional.empty();
            }
            taken[next] = true;
            inRows[count] = starts[word];
            inTile[count++] = word * Integer.BYTES;
            inRows[count] = starts[word + 1];
            inTile[count++] = next * Integer.BYTES;
        }
        return Optional.of(new CrossedWords(inRows, inTile));
    }

    /// From rows to a tile.
    ///
    /// @param at where the tile's upper left corner is in the rows, in bytes
    void gather(byte[] rows, int at, byte[] tile) {
        exchange(rows, at, inRows, tile, 0, inTile);
    }

    /// From a tile to rows.
    ///
    /// @param at where the tile's upper left corner is in the rows, in bytes
    void scatter(byte[] tile, byte[] rows, int at) {
        exchange(tile, 0, inTile, rows, at, inRows);
    }

    private static void exchange(
            byte[] source, int from, int[] sources, byte[] target, int to, int[] targets) {
        for (int i = 0; i < sources.length; i += 2) {
            long first = (long) LONGS.get(source, from + sources[i]);
            long second = (long) LONGS.get(source, from + sources[i + 1]);
            LONGS.set(target, to + targets[i], first & LOWER | second << Integer.SIZE);
            LONGS.set(target, to + targets[i + 1], first >>> Integer.SIZE | second & ~LOWER);
        }
    }
}
