package dev.heddle.layout;

/// A named coordinate of a layout, in the words of the PTX manual.
///
/// Axes of the holder of a value ([#LANE], [#WARP], [#ELEMENT], [#SLOT], [#BYTE], [#OFFSET]) are
/// inputs of a layout; axes of what is held ([#ROW], [#COLUMN], [#CHUNK], [#SELECTOR],
/// [#COMPUTATION]) are its outputs.
public enum Axis {
    /// `%laneid`, 0..31.
    LANE,
    /// The warp within its warpgroup, 0..3.
    WARP,
    /// `i` of the i-th element of a lane's fragment (the manual's `ai`, `bi`, `ci`).
    ELEMENT,
    /// A 4-bit field of a sparsity metadata word, counted from its low end.
    SLOT,
    /// A byte of a scale-factor register, counted from its low end.
    BYTE,
    /// A place in memory, counted in the elements or nibbles that the layout is about.
    OFFSET,
    /// A row of the tile.
    ROW,
    /// A column of the tile; of a sparse A, a stored column.
    COLUMN,
    /// A sub-chunk of a sparse row of A: 4 columns, 2 for tf32, 8 for 4-bit types.
    CHUNK,
    /// The sparsity selector, or the byte-id of a scale factor, that makes this holder a supplier.
    SELECTOR,
    /// The thread-id of a scale factor that makes this lane a supplier.
    THREAD,
    /// One of the four products that `mma.m8n8k4` with `.f16` computes.
    COMPUTATION;

    /// The name as layouts print it: `lane`, `element`, `row`.
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
