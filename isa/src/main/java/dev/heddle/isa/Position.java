package dev.heddle.isa;

/// A place in a tile.
///
/// @param row         the row
/// @param column      the column; of a sparse A as stored
/// @param computation which of the four products of `mma.m8n8k4` with `.f16`; else 0
public record Position(int row, int column, int computation) {
    /// A place in the tile of an instruction that computes one product.
    public Position(int row, int column) {
        this(row, column, 0);
    }
}
