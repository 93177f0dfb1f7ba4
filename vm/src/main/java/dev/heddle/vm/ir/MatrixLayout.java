package dev.heddle.vm.ir;

/// Where the elements of a matrix that a warp holds in its registers are in memory.
public sealed interface MatrixLayout permits RowFragments, Tile {
    /// As listings show it.
    String words();
}
