package dev.heddle.explorer;

/// A rectangle of a tile that one lane holds in one register.
///
/// @param lane    the lane, 0..31; 0..127 in a warpgroup
/// @param row     its first row
/// @param column  its first column
/// @param rows    how many rows it spans
/// @param columns how many columns it spans
/// @param label   lane and element: `T5 a3`, `T0: a0..a31`, `T5 [7..4]`
/// @param detail  register and bits: `r1`, `r1 [15..0]`; may be empty
record Cell(int lane, int row, int column, int rows, int columns, String label, String detail) {}
