package dev.heddle.sparse;

/// Some rows of a matrix on their way from one storage format to another: stored elements row by
/// row and of each chunk the set of stored units.
final class Band {
    /// Bytes of dense matrix that a band is about: what a core's second-level cache holds easily.
    private static final int TARGET_BYTES = 256 << 10;

    private final int rows;
    private final int chunkStride;
    private final int storedRowBytes;
    private final byte[] stored;
    private final byte[] sets;

    private int firstRow;
    private int count;

    /// @param rows           rows at most
    /// @param chunkStride    places for sets in a row, at least the chunks of a row
    /// @param storedRowBytes bytes of the stored elements of a row
    Band(int rows, int chunkStride, int storedRowBytes) {
        this.rows = rows;
        this.chunkStride = chunkStride;
        this.storedRowBytes = storedRowBytes;
        this.stored = new byte[Math.multiplyExact(rows, storedRowBytes)];
        this.sets = new byte[Math.multiplyExact(rows, chunkStride)];
    }

    /// How many rows to take at once: a multiple of the tallest tile.
    static int rows(MatrixType type, int tallestTile) {
        long wanted = Math.max(1, TARGET_BYTES / type.rowBytes());
        long tiles = Math.max(1, wanted / tallestTile);
        return (int)
                Math.min(
                        tiles * tallestTile,
                        (long) Math.ceilDiv(type.rows(), tallestTile) * tallestTile);
    }

    /// Moves on to other rows.
    ///
    /// @param first  the first row
    /// @param number how many of the rows the matrix has; the others are padding
    void moveTo(int first, int number) {
        firstRow = first;
        count = Math.min(rows, number);
    }

    int firstRow() {
        return firstRow;
    }

    /// Rows of the matrix in the band.
    int count() {
        return count;
    }

    int rows() {
        return rows;
    }

    int chunkStride() {
        return chunkStride;
    }

    int storedRowBytes() {
        return storedRowBytes;
    }

    /// The stored elements, `storedRowBytes` a row.
    byte[] stored() {
        return stored;
    }

    /// The sets of stored units, `chunkStride` a row.
    byte[] sets() {
        return sets;
    }
}
