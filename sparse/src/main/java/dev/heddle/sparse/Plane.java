package dev.heddle.sparse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.ObjIntConsumer;

/// Entries of one width in memory, in a tiled layout: elements, or nibbles of metadata.
final class Plane {
    private final TiledLayout layout;
    private final int rows;
    private final int bits;
    private final MemorySegment memory;
    private final TilePlaces places;
    private final TileGrid grid;

    private Plane(TiledLayout layout, int rows, int columns, int bits, MemorySegment memory) {
        this.layout = layout;
        this.rows = rows;
        this.bits = bits;
        this.memory = memory;
        this.places = layout.places(columns, bits);
        this.grid = layout.grid(rows, columns);
    }

    /// @param layout  where they are
    /// @param rows    rows of the matrix
    /// @param columns entries of a row
    /// @param bits    the width of an entry: 4, 8, 16 or 32
    /// @param memory  where to
    /// @throws IllegalArgumentException if the memory is not of the size that the entries take
    static Plane of(TiledLayout layout, int rows, int columns, int bits, MemorySegment memory) {
        long expected = bytes(layout, rows, columns, bits);
        if (memory.byteSize() != expected) {
            throw new IllegalArgumentException(
                    "%d x %d entries of %d bits take %d bytes, found %d"
                            .formatted(rows, columns, bits, expected, memory.byteSize()));
        }
        return new Plane(layout, rows, columns, bits, memory);
    }

    /// Entries in memory that may be larger, or end before tiles that are padding alone.
    static Plane within(TiledLayout layout, int rows, int columns, int bits, MemorySegment memory) {
        return new Plane(layout, rows, columns, bits, memory);
    }

    /// Bytes that entries take, padding included.
    static long bytes(TiledLayout layout, int rows, int columns, int bits) {
        return Math.ceilDiv(layout.size(rows, columns) * bits, Byte.SIZE);
    }

    /// Takes elements out of memory, row by row.
    void read(int firstRow, int count, byte[] target, int rowBytes) {
        if (layout.tileSize() == 1) {
            MemorySegment.copy(
                    memory,
                    ValueLayout.JAVA_BYTE,
                    (long) firstRow * rowBytes,
                    target,
                    0,
                    present(firstRow, count) * rowBytes);
            return;
        }
        int stride = rowBytes * Byte.SIZE / bits;
        ElementRuns runs = new ElementRuns(places, stride, bits);
        readTiles(firstRow, count, stride, (tile, entry) -> runs.scatter(tile, target, entry));
    }

    /// Puts elements into memory.
    void write(int firstRow, int count, byte[] source, int rowBytes) {
        if (layout.tileSize() == 1) {
            MemorySegment.copy(
                    source,
                    0,
                    memory,
                    ValueLayout.JAVA_BYTE,
                    (long) firstRow * rowBytes,
                    present(firstRow, count) * rowBytes);
            return;
        }
        int stride = rowBytes * Byte.SIZE / bits;
        ElementRuns runs = new ElementRuns(places, stride, bits);
        writeTiles(firstRow, count, stride, (tile, entry) -> runs.gather(source, entry, tile));
    }

    private int present(int firstRow, int count) {
        return Math.min(count, rows - firstRow);
    }

    /// Takes nibbles out of memory, each by way of a table to a byte.
    void readNibbles(int firstRow, int count, byte[] target, int stride, byte[] table) {
        NibbleRuns runs = NibbleRuns.unpacking(places, stride, table);
        readTiles(firstRow, count, stride, (tile, entry) -> runs.unpack(tile, target, entry));
    }

    /// Puts nibbles into memory, each by way of a table from a byte below 16.
    void writeNibbles(int firstRow, int count, byte[] source, int stride, byte[] table) {
        NibbleRuns runs = NibbleRuns.packing(places, stride, table);
        writeTiles(firstRow, count, stride, (tile, entry) -> runs.pack(source, entry, tile));
    }

    /// What to do with a tile.
    @FunctionalInterface
    private interface TileVisitor {
        /// @param place where its bytes start in memory
        /// @param entry the entry in its upper left corner, as `row * stride + column` of the band
        /// @param tile  room for its bytes
        void visit(long place, int entry, byte[] tile);
    }

    /// Takes the bytes of each tile out of memory, and does something with them.
    ///
    /// @param take given also the entry in its upper left corner, as `row * stride + column` of the
    ///     band
    private void readTiles(int firstRow, int count, int stride, ObjIntConsumer<byte[]> take) {
        forEachTile(
                firstRow,
                count,
                stride,
                (place, entry, tile) -> {
                    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, place, tile, 0, tile.length);
                    take.accept(tile, entry);
                });
    }

    /// Puts bytes of each tile into memory.
    private void writeTiles(int firstRow, int count, int stride, ObjIntConsumer<byte[]> give) {
        forEachTile(
                firstRow,
                count,
                stride,
                (place, entry, tile) -> {
                    give.accept(tile, entry);
                    MemorySegment.copy(tile, 0, memory, ValueLayout.JAVA_BYTE, place, tile.length);
                });
    }

    /// Visits tiles as they follow one another in memory, as far as the band has them.
    private void forEachTile(int firstRow, int count, int stride, TileVisitor visitor) {
        int step = places.tiles();
        int firstTile = firstRow / grid.tileRows();
        int down = (int) Math.min(count / grid.tileRows(), grid.high() - firstTile);
        int right = (int) grid.wide() / step;
        boolean downwards = grid.order() == TiledLayout.Order.DOWN;
        int outer = downwards ? right : down;
        int inner = downwards ? down : right;
        byte[] tile = new byte[places.count() * bits / Byte.SIZE];
        for (int i = 0; i < outer; i++) {
            for (int j = 0; j < inner; j++) {
                int below = downwards ? j : i;
                int beside = (downwards ? i : j) * step;
                long place = grid.start(firstTile + below, beside) * bits / Byte.SIZE;
                if (place + tile.length <= memory.byteSize()) {
                    int entry = below * grid.tileRows() * stride + beside * grid.tileColumns();
                    visitor.visit(place, entry, tile);
                }
            }
        }
    }
}
