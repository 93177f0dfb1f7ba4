package dev.heddle.sparse;

/// A matrix in some storage format, read and written by bands of rows.
interface Rows {
    /// Rows that must be read and written together.
    int tallestTile();

    /// Places for chunks in a row, padding included.
    int chunkPlaces();

    /// Takes the rows of a band out of memory.
    ///
    /// @throws SparsityException if they do not conform, or their metadata is undefined
    void read(Band band);

    /// Puts the rows of a band into memory.
    void write(Band band);
}
