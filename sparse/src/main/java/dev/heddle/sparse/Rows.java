package dev.heddle.sparse;

import java.util.Optional;

/// A matrix in some storage format, read and written by bands of rows.
interface Rows {
    /// What the matrix is.
    MatrixType type();

    /// Rows that must be read and written together.
    int tallestTile();

    /// Places for chunks in a row, padding included.
    int chunkPlaces();

    /// How chunks are kept; empty of a dense matrix, which takes them as the other side does.
    Optional<Arrangement> arrangement();

    /// Takes the rows of a band out of memory.
    ///
    /// @throws SparsityException if they do not conform, or their metadata is undefined
    void read(Band band);

    /// Puts the rows of a band into memory.
    void write(Band band);
}
