package dev.heddle.sparse;

import static dev.heddle.sparse.Words.INTS;
import static dev.heddle.sparse.Words.LONGS;
import static dev.heddle.sparse.Words.SHORTS;

import java.util.Arrays;

/// Moves nibbles between a tile, two a byte, and rows, one a byte, each by way of a table. As many
/// are moved at once as are neighbours in both, up to 8.
final class NibbleRuns {
    private static final long LOW_NIBBLES = 0x0f0f_0f0f_0f0f_0f0fL;
    private static final int MOST = 8;

    private final int run;
    private final int[] entries;
    private final byte[] table;

    /// Of each two nibbles the two results, so many bits apart.
    private final short[] pairs = new short[256];

    private NibbleRuns(TilePlaces places, int stride, byte[] table, int apart) {
        // Runs of four are taken two by two
        this.run = places.run(places.count() % MOST == 0 ? MOST : 2);
        this.entries = places.entries(stride, run);
        this.table = Arrays.copyOf(table, 16);
        for (int pair = 0; pair < pairs.length; pair++) {
            int low = this.table[pair & 0xf] & 0xff;
            pairs[pair] = (short) (low | this.table[pair >> 4] << apart);
        }
    }

    /// From a tile to rows.
    ///
    /// @param stride bytes from one row to the next
    /// @param table  the byte of each nibble
    static NibbleRuns unpacking(TilePlaces places, int stride, byte[] table) {
        return new NibbleRuns(places, stride, table, Byte.SIZE);
    }

    /// From rows to a tile.
    ///
    /// @param stride bytes from one row to the next
    /// @param table  the nibble of each byte, all of them below 16
    static NibbleRuns packing(TilePlaces places, int stride, byte[] table) {
        return new NibbleRuns(places, stride, table, 4);
    }

    /// Takes the nibbles of a tile.
    ///
    /// @param entry where the tile's upper left corner is in the rows
    void unpack(byte[] tile, byte[] rows, int entry) {
        for (int i = 0; i < entries.length; i++) {
            int at = entry + entries[i];
            switch (run) {
                case 8 -> {
                    int nibbles = (int) INTS.get(tile, i * Integer.BYTES);
                    long low = unpacked(nibbles);
                    long high = unpacked(nibbles >>> 16);
                    LONGS.set(rows, at, low | high << Integer.SIZE);
                }
                case 4 -> INTS.set(rows, at, (int) unpacked((short) SHORTS.get(tile, i * 2)));
                case 2 -> SHORTS.set(rows, at, pairs[tile[i] & 0xff]);
                default -> rows[at] = table[tile[i >> 1] >> (i & 1) * 4 & 0xf];
            }
        }
    }

    /// The bytes of the four lowest nibbles.
    private long unpacked(int nibbles) {
        return pairs[nibbles & 0xff] & 0xffffL | (pairs[nibbles >> 8 & 0xff] & 0xffffL) << 16;
    }

    /// Fills a tile with nibbles.
    ///
    /// @param entry where the tile's upper left corner is in the rows
    void pack(byte[] rows, int entry, byte[] tile) {
        if (run == 1) {
            packOneByOne(rows, entry, tile);
            return;
        }
        for (int i = 0; i < entries.length; i++) {
            int at = entry + entries[i];
            switch (run) {
                case 8 -> INTS.set(tile, i * Integer.BYTES, packed((long) LONGS.get(rows, at)));
                case 4 -> {
                    long low = (int) INTS.get(rows, at) & 0xffff_ffffL;
                    long high = (int) INTS.get(rows, entry + entries[++i]);
                    INTS.set(tile, (i - 1) * Short.BYTES, packed(low | high << Integer.SIZE));
                }
                default -> tile[i] = (byte) pairs[rows[at] | rows[at + 1] << 4];
            }
        }
    }

    /// The nibbles of eight bytes.
    private int packed(long bytes) {
        int sets = (int) Long.compress(bytes, LOW_NIBBLES);
        return pairs[sets & 0xff] & 0xff
                | (pairs[sets >> 8 & 0xff] & 0xff) << 8
                | (pairs[sets >> 16 & 0xff] & 0xff) << 16
                | pairs[sets >>> 24] << 24;
    }

    private void packOneByOne(byte[] rows, int entry, byte[] tile) {
        for (int i = 0; i < tile.length; i++) {
            int low = rows[entry + entries[2 * i]];
            int high = rows[entry + entries[2 * i + 1]];
            tile[i] = (byte) pairs[low | high << 4];
        }
    }
}
