package dev.heddle.explorer;

import java.util.List;

/// One tile of a figure with what is along its edges.
///
/// @param title   what tells it from the other panels of the figure; empty if it is the only one
/// @param rows    rows of the tile
/// @param columns columns of the tile
/// @param cells   disjoint, together the whole tile
/// @param over    ranges over the column indices: the dense columns of a chunk; may be empty
/// @param beside  ranges beside the row indices: the warps of a warpgroup; may be empty
/// @param heads   what is over the columns instead of their indices; may be empty
/// @param ranges  how the indices of rows and columns read
/// @param names   what the lines over the tile are
record Panel(
        String title,
        int rows,
        int columns,
        List<Cell> cells,
        List<Edge> over,
        List<Edge> beside,
        List<Edge> heads,
        Ranges ranges,
        Names names) {

    /// How many columns or rows one row or column of the drawn tile stands for.
    ///
    /// @param rows    of each row
    /// @param columns of each column: 4 where columns are chunks of four
    record Ranges(int rows, int columns) {
        static final Ranges SINGLE = new Ranges(1, 1);
    }

    /// What is at the end of the lines over the tile.
    ///
    /// @param over    of the ranges; may be empty
    /// @param columns of the column indices; may be empty
    record Names(String over, String columns) {
        static final Names NONE = new Names("", "");
    }

    Panel {
        cells = List.copyOf(cells);
        over = List.copyOf(over);
        beside = List.copyOf(beside);
        heads = List.copyOf(heads);
    }

    /// Rows that each cell spans; the same for all.
    int rowsOfCell() {
        return cells.getFirst().rows();
    }

    /// Columns that each cell spans; the same for all.
    int columnsOfCell() {
        return cells.getFirst().columns();
    }
}
