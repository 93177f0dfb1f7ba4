package dev.heddle.sparse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Entries of one width in memory, in a tiled layout: elements, or nibbles of metadata.
///
/// @param layout  where they stand
/// @param rows    rows of the matrix
/// @param columns entries of a row
/// @param bits    the width of an entry: 4, 8, 16 or 32
/// @param memory  where to
record Plane(TiledLayout layout, int rows, int columns, int bits, MemorySegment memory) {
    /// @throws IllegalArgumentException if the memory is not of the size that the entries take
    Plane {
        long expected = bytes(layout, rows, columns, bits);
        if (memory.byteSize() != expected) {
            throw new IllegalArgumentException(
                    "%d x %d entries of %d bits take %d bytes, found %d"
                            .formatted(rows, columns, bits, expected, memory.byteSize()));
        }
    }

    /// Bytes that entries take, padding included.
    static long bytes(TiledLayout layout, int rows, int columns, int bits) {
        return Math.ceilDiv(layout.size(rows, columns) * bits, Byte.SIZE);
    }

    private boolean rowByRow() {
        return layout.tileSize() == 1;
    }

    private int tileBytes() {
        return layout.tileSize() * bits / Byte.SIZE;
    }

    /// Takes elements out of memory, row by row.
    void read(int firstRow, int count, byte[] target, int rowBytes) {
        if (rowByRow()) {
            MemorySegment.copy(
                    memory,
                    ValueLayout.JAVA_BYTE,
                    (long) firstRow * rowBytes,
                    target,
                    0,
                    present(firstRow, count) * rowBytes);
            return;
        }
        int[] entries = layout.entries(rowBytes * Byte.SIZE / bits, bits);
        byte[] tile = new byte[tileBytes()];
        forEachTile(
                firstRow,
                count,
                rowBytes * Byte.SIZE / bits,
                (place, entry) -> {
                    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, place, tile, 0, tile.length);
                    for (int i = 0; i < entries.length; i++) {
                        copy(tile, i, target, entry + entries[i]);
                    }
                });
    }

    /// Puts elements into memory.
    void write(int firstRow, int count, byte[] source, int rowBytes) {
        if (rowByRow()) {
            MemorySegment.copy(
                    source,
                    0,
                    memory,
                    ValueLayout.JAVA_BYTE,
                    (long) firstRow * rowBytes,
                    present(firstRow, count) * rowBytes);
            return;
        }
        int[] entries = layout.entries(rowBytes * Byte.SIZE / bits, bits);
        byte[] tile = new byte[tileBytes()];
        forEachTile(
                firstRow,
                count,
                rowBytes * Byte.SIZE / bits,
                (place, entry) -> {
                    for (int i = 0; i < entries.length; i++) {
                        copy(source, entry + entries[i], tile, i);
                    }
                    MemorySegment.copy(tile, 0, memory, ValueLayout.JAVA_BYTE, place, tile.length);
                });
    }

    private int present(int firstRow, int count) {
        return Math.min(count, rows - firstRow);
    }

    private void copy(byte[] source, int from, byte[] target, int to) {
        switch (bits) {
            case 4 -> {
                int code = source[from >> 1] >> (from & 1) * 4 & 0xf;
                int shift = (to & 1) * 4;
                target[to >> 1] = (byte) (target[to >> 1] & ~(0xf << shift) | code << shift);
            }
            default ->
                    System.arraycopy(
                            source, from * (bits >> 3), target, to * (bits >> 3), bits >> 3);
        }
    }

    /// Takes nibbles out of memory, each by way of a table to a byte.
    void readNibbles(int firstRow, int count, byte[] target, int stride, byte[] table) {
        int[] entries = layout.entries(stride, bits);
        byte[] tile = new byte[tileBytes()];
        forEachTile(
                firstRow,
                count,
                stride,
                (place, entry) -> {
                    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, place, tile, 0, tile.length);
                    for (int i = 0; i < tile.length; i++) {
                        int pair = tile[i];
                        target[entry + entries[2 * i]] = table[pair & 0xf];
                        target[entry + entries[2 * i + 1]] = table[pair >> 4 & 0xf];
                    }
                });
    }

    /// Puts nibbles into memory, each by way of a table from a byte.
    void writeNibbles(int firstRow, int count, byte[] source, int stride, byte[] table) {
        int[] entries = layout.entries(stride, bits);
        byte[] tile = new byte[tileBytes()];
        forEachTile(
                firstRow,
                count,
                stride,
                (place, entry) -> {
                    for (int i = 0; i < tile.length; i++) {
                        int low = table[source[entry + entries[2 * i]]];
                        int high = table[source[entry + entries[2 * i + 1]]];
                        tile[i] = (byte) (low | high << 4);
                    }
                    MemorySegment.copy(tile, 0, memory, ValueLayout.JAVA_BYTE, place, tile.length);
                });
    }

    /// What to do with a tile.
    @FunctionalInterface
    private interface TileVisitor {
        /// @param place where its bytes start in memory
        /// @param entry the entry in its upper left corner, as `row * stride + column` of the band
        void visit(long place, int entry);
    }

    private void forEachTile(int firstRow, int count, int stride, TileVisitor visitor) {
        long right = layout.tilesRight(columns);
        int firstTile = firstRow / layout.tileRows();
        int tiles = (int) Math.min(count / layout.tileRows(), layout.tilesDown(rows) - firstTile);
        for (int down = 0; down < tiles; down++) {
            for (int across = 0; across < right; across++) {
                visitor.visit(
                        layout.base(rows, columns, firstTile + down, across) * bits / Byte.SIZE,
                        down * layout.tileRows() * stride + across * layout.tileColumns());
            }
        }
    }
}
