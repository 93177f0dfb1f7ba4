package dev.heddle.tensorcore.kernel;

/// Which elements of a column of B the positions of k pick, each lane its own.
///
/// A column is in vectors of sixteen elements. A run of neighbouring positions picks from one
/// of them, which is loaded once.
///
/// @param run        how many positions
/// @param candidates for each position, where in a column the vector that it picks from begins
/// @param columnStep how far apart columns are
/// @param choice     for each block of rows and position, which of the sixteen each lane takes; as
///     last read
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
record SparseSelection(int run, int[] candidates, int columnStep, int[] choice) {}
