package dev.heddle.sparse;

import static dev.heddle.layout.Axis.OFFSET;
import static dev.heddle.layout.Axis.ROW;

import dev.heddle.layout.Axis;
import dev.heddle.layout.BitLayout;
import dev.heddle.layout.Point;
import dev.heddle.layout.Swizzle;

/// A matrix in memory, tile after tile: one [BitLayout] says where in its tile an entry is, an
/// order says which tile follows which.
///
/// Tiles at the lower and right edge are whole: the memory holds places for rows and columns that
/// the matrix does not have.
///
/// @param tile    from the place within the tile to the row and the column in it
/// @param order   which tile comes next
/// @param across  the axis that runs along a row: [Axis#CHUNK] of metadata, [Axis#COLUMN] of
///     elements
/// @param padding the number of columns is rounded up to a multiple of it, at least to whole tiles
/// @param swizzle what is then done to the byte address
public record TiledLayout(BitLayout tile, Order order, Axis across, int padding, Swizzle swizzle) {
    private static final Swizzle NONE = new Swizzle(0, 0, 0);

    /// Which tile follows which.
    public enum Order {
        /// The tile below; after the last of a column of tiles, the top one of the next.
        DOWN,
        /// The tile to the right; after the last of a row of tiles, the first of the next.
        RIGHT,
        /// Down and then right within a block of 128 rows x 2 tiles, of which the lowest may be
        /// less high; then the block below.
        BLOCKS
    }

    /// Tiles of a notation such as `row = offset4 offset2; chunk = offset3 offset1 offset0`.
    static TiledLayout of(String tile, Order order, Axis across) {
        BitLayout layout = BitLayout.parse(tile);
        return new TiledLayout(layout, order, across, layout.extent(across), NONE);
    }

    /// Row by row, each row padded to a multiple of a power of two.
    static TiledLayout rows(Axis across, int padding) {
        BitLayout tile = BitLayout.EMPTY.deal(padding, OFFSET, across);
        return new TiledLayout(tile, Order.RIGHT, across, padding, NONE);
    }

    TiledLayout padded(int columns) {
        return new TiledLayout(tile, order, across, columns, swizzle);
    }

    TiledLayout in(Order other) {
        return new TiledLayout(tile, other, across, padding, swizzle);
    }

    TiledLayout swizzled(Swizzle folded) {
        return new TiledLayout(tile, order, across, padding, folded);
    }

    /// Rows of a tile.
    public int tileRows() {
        return tile.extent(ROW);
    }

    /// Columns of a tile.
    public int tileColumns() {
        return tile.extent(across);
    }

    /// Entries of a tile.
    public int tileSize() {
        return tileRows() * tileColumns();
    }

    /// Entries that a matrix takes, padding included.
    public long size(int rows, int columns) {
        return tilesDown(rows) * tilesRight(columns) * tileSize();
    }

    /// Entries up to the last tile that holds any of the matrix.
    long reach(int rows, int columns) {
        int down = Math.toIntExact(tilesDown(rows)) - 1;
        int right = Math.ceilDiv(columns, tileColumns()) - 1;
        return base(rows, columns, down, right) + tileSize();
    }

    /// The place of an entry of a matrix of that size, counted in entries; before the swizzle.
    public long offset(int rows, int columns, int row, int column) {
        Point within = Point.of(ROW, row % tileRows()).with(across, column % tileColumns());
        return base(rows, columns, row / tileRows(), column / tileColumns())
                + tile.inverse().apply(within).get(OFFSET);
    }

    /// The place of an entry of a tile, counted in entries, swizzled.
    ///
    /// @param bits the width of an entry
    public int place(int row, int column, int bits) {
        Point within = Point.of(ROW, row).with(across, column);
        return swizzled(tile.inverse().apply(within).get(OFFSET), bits);
    }

    /// Where a tile starts, counted in entries.
    long base(int rows, int columns, int down, int right) {
        return grid(rows, columns).start(down, right);
    }

    /// The tiles of a matrix of that size.
    TileGrid grid(int rows, int columns) {
        return new TileGrid(order, tileRows(), tileColumns(), tilesDown(rows), tilesRight(columns));
    }

    long tilesDown(int rows) {
        return Math.ceilDiv(rows, tileRows());
    }

    long tilesRight(int columns) {
        return (long) Math.ceilDiv(columns, padding) * padding / tileColumns();
    }

    /// What is in each place of a tile; of a matrix row by row, of a whole row of it.
    ///
    /// @param columns entries of a row of the matrix
    /// @param bits    the width of an entry
    TilePlaces places(int columns, int bits) {
        int tiles = rowByRow() ? Math.toIntExact(tilesRight(columns)) : 1;
        int[] rowAt = new int[tileSize() * tiles];
        int[] columnAt = new int[rowAt.length];
        for (int offset = 0; offset < rowAt.length; offset++) {
            Point at = tile.apply(Point.of(OFFSET, offset % tileSize()));
            int place = offset / tileSize() * tileSize() + swizzled(offset % tileSize(), bits);
            rowAt[place] = at.get(ROW);
            columnAt[place] = at.get(across) + offset / tileSize() * tileColumns();
        }
        return new TilePlaces(rowAt, columnAt, tiles);
    }

    private boolean rowByRow() {
        return tileRows() == 1 && order == Order.RIGHT && swizzle.bits() == 0;
    }

    private int swizzled(int offset, int bits) {
        if (swizzle.bits() == 0) {
            return offset;
        }
        int bit = offset * bits;
        return (swizzle.apply(bit / Byte.SIZE) * Byte.SIZE + bit % Byte.SIZE) / bits;
    }

    /// `row = …; chunk = …; tiles of 32 x 8, downwards`
    @Override
    public String toString() {
        String swizzled =
                swizzle.bits() == 0 ? "" : ", " + (16 << swizzle.bits()) + "-byte swizzle";
        return tileRows() == 1
                ? "row by row, padded to %d%s".formatted(padding, swizzled)
                : "%s; tiles of %d x %d, one after another %s%s"
                        .formatted(
                                tile,
                                tileRows(),
                                tileColumns(),
                                switch (order) {
                                    case DOWN -> "downwards";
                                    case RIGHT -> "to the right";
                                    case BLOCKS ->
                                            "downwards in blocks of " + 128 / tileRows() + " x 2";
                                },
                                swizzled);
    }
}
