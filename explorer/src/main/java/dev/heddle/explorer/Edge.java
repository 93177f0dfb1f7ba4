package dev.heddle.explorer;

/// A label at the edge of a tile, over some of its rows or columns.
///
/// @param first the first row or column
/// @param count how many it spans
/// @param label what it says
record Edge(int first, int count, String label) {}
