package dev.heddle.sparse;

import dev.heddle.sparse.TiledLayout.Order;

/// The tiles that a matrix of one size takes, and which follows which.
///
/// @param order       which tile comes next
/// @param tileRows    rows of a tile
/// @param tileColumns columns of a tile
/// @param high        tiles below one another
/// @param wide        tiles beside one another, those of padding included
record TileGrid(Order order, int tileRows, int tileColumns, long high, long wide) {
    private static final long BLOCK_ROWS = 128;
    private static final long BLOCK_WIDE = 2;

    /// Where a tile starts, counted in entries.
    long start(int down, int right) {
        long index =
                switch (order) {
                    case DOWN -> right * high + down;
                    case RIGHT -> down * wide + right;
                    case BLOCKS -> {
                        long most = BLOCK_ROWS / tileRows;
                        long block = down / most * most;
                        long blockHigh = Math.min(most, high - block);
                        yield right / BLOCK_WIDE * BLOCK_WIDE * high
                                + block * BLOCK_WIDE
                                + right % BLOCK_WIDE * blockHigh
                                + down % most;
                    }
                };
        return index * tileRows * tileColumns;
    }
}
