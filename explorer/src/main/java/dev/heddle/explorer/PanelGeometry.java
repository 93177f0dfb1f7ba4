package dev.heddle.explorer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// How large a panel is drawn: as small as its labels allow. All lengths are pixels.
final class PanelGeometry {
    /// Widths of a character: 0.61 of the font size covers the common monospaced fonts.
    static final double CAPTION_ADVANCE = 7.4;

    private static final double ELEMENT_ADVANCE = 7.4;
    private static final double DETAIL_ADVANCE = 6.2;
    private static final int CELL_HEIGHT = 32;
    private static final int FIELD_HEIGHT = 22;

    /// Room that an index of one row needs.
    private static final int INDEX_HEIGHT = 12;

    private final Panel panel;
    private final int unitWidth;
    private final int unitHeight;

    PanelGeometry(Panel panel) {
        this.panel = panel;
        double label =
                Math.max(
                        widest(cell -> cell.label().length() * ELEMENT_ADVANCE),
                        widest(cell -> cell.detail().length() * DETAIL_ADVANCE));
        double range = longest(panel.columns(), panel.ranges().columns()) * DETAIL_ADVANCE;
        double heads =
                panel.heads().stream()
                        .mapToDouble(edge -> edge.label().length() * DETAIL_ADVANCE)
                        .max()
                        .orElse(0);
        double over =
                panel.over().stream()
                        .mapToDouble(
                                edge ->
                                        edge.label().length()
                                                * DETAIL_ADVANCE
                                                * panel.columnsOfCell()
                                                / edge.count())
                        .max()
                        .orElse(0);
        double cell = Math.max(Math.max(label, heads), Math.max(range, over)) + 8;
        boolean bare = panel.cells().stream().allMatch(each -> each.detail().isEmpty());
        unitWidth = (int) Math.ceil(cell / panel.columnsOfCell());
        unitHeight = Math.ceilDiv(bare ? FIELD_HEIGHT : CELL_HEIGHT, panel.rowsOfCell());
    }

    private double widest(ToDoubleFunction<Cell> width) {
        return panel.cells().stream().mapToDouble(width).max().orElse(0);
    }

    Panel panel() {
        return panel;
    }

    /// Width of one column of the tile.
    int unitWidth() {
        return unitWidth;
    }

    /// Height of one row of the tile.
    int unitHeight() {
        return unitHeight;
    }

    int gridWidth() {
        return unitWidth * panel.columns();
    }

    int gridHeight() {
        return unitHeight * panel.rows();
    }

    /// Room for what is to the left of the tile.
    int left() {
        int index =
                (int)
                        (longest(panel.rows(), rowsOfIndex() * panel.ranges().rows())
                                * DETAIL_ADVANCE);
        return index + 12 + (panel.beside().isEmpty() ? 0 : 30);
    }

    /// Room for what is over the tile.
    int top() {
        return 18 + (panel.over().isEmpty() ? 0 : 22) + (panel.title().isEmpty() ? 0 : 18);
    }

    int width() {
        int names = Math.max(panel.names().over().length(), panel.names().columns().length());
        return left() + gridWidth() + Math.max(left(), (int) Math.ceil(names * DETAIL_ADVANCE) + 8);
    }

    int height() {
        return top() + gridHeight() + 20;
    }

    /// The indices along the top: of each column, or of each cell where columns are too narrow.
    List<Edge> columnIndices() {
        if (!panel.heads().isEmpty()) {
            return panel.heads();
        }
        int digits = String.valueOf(panel.columns() - 1).length();
        boolean each = unitWidth >= (digits + 1) * DETAIL_ADVANCE;
        return indices(panel.columns(), each ? 1 : panel.columnsOfCell(), panel.ranges().columns());
    }

    /// The indices along the side: of each row, or of each cell where rows are too low.
    List<Edge> rowIndices() {
        return indices(panel.rows(), rowsOfIndex(), panel.ranges().rows());
    }

    private int rowsOfIndex() {
        return unitHeight >= INDEX_HEIGHT ? 1 : panel.rowsOfCell();
    }

    private static List<Edge> indices(int extent, int step, int width) {
        List<Edge> indices = new ArrayList<>();
        for (int first = 0; first < extent; first += step) {
            indices.add(new Edge(first, step, Tiles.range(first / step, step * width)));
        }
        return indices;
    }

    private static int longest(int extent, int width) {
        return Tiles.range(Math.max(extent / Math.max(width, 1) - 1, 0), width).length()
                + (width > 1 ? 2 : 0);
    }
}
