package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Owner;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;

import java.util.ArrayList;
import java.util.List;

/// Cuts the tile of an operand into cells: runs of neighbours that one lane holds in one register.
final class Tiles {
    private Tiles() {}

    /// A fragment: a panel for each product that the instruction computes.
    static List<Panel> of(Form form, Fragment fragment) {
        List<Panel> panels = new ArrayList<>();
        for (int computation = 0; computation < fragment.computations(); computation++) {
            panels.add(
                    new Panel(
                            fragment.computations() == 1 ? "" : "computation " + computation,
                            fragment.rows(),
                            fragment.columns(),
                            cells(fragment, computation),
                            fragment.role() == Role.A ? chunks(form) : List.of(),
                            warps(form),
                            List.of(),
                            Panel.Ranges.SINGLE,
                            form.sparse() && fragment.role() == Role.A
                                    ? new Panel.Names("dense columns", "stored columns")
                                    : Panel.Names.NONE));
        }
        return panels;
    }

    /// The metadata under one selector: a cell for each chunk of A.
    static Panel of(Form form, Metadata metadata, int selector) {
        List<Cell> cells = new ArrayList<>();
        for (int row = 0; row < metadata.rows(); row++) {
            for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
                Metadata.Nibble nibble = metadata.nibble(new Metadata.Chunk(row, chunk), selector);
                cells.add(field(nibble.lane(), row, chunk, nibble.bitHigh(), nibble.bitLow()));
            }
        }
        return new Panel(
                "",
                metadata.rows(),
                metadata.chunks(),
                cells,
                List.of(),
                warps(form),
                List.of(),
                new Panel.Ranges(1, metadata.granularity().width()),
                new Panel.Names("", "columns of A"));
    }

    /// The scale factors that a byte-id and a thread-id select: a row of A or a column of B each.
    static Panel of(ScaleFactors factors, int byteId, int threadId) {
        boolean ofA = factors.role() == Role.A;
        List<Cell> cells = new ArrayList<>();
        for (int line = 0; line < factors.lines(); line++) {
            for (int vector = 0; vector < factors.vectors(); vector++) {
                ScaleFactors.Supplier at =
                        factors.supplier(new ScaleFactors.Factor(line, vector), byteId, threadId);
                int row = ofA ? line : vector;
                int column = ofA ? vector : line;
                cells.add(field(at.lane(), row, column, at.bitHigh(), at.bitLow()));
            }
        }
        return new Panel(
                "",
                ofA ? factors.lines() : factors.vectors(),
                ofA ? factors.vectors() : factors.lines(),
                cells,
                List.of(),
                List.of(),
                List.of(),
                ofA ? new Panel.Ranges(1, factors.span()) : new Panel.Ranges(factors.span(), 1),
                new Panel.Names("", ofA ? "columns of A" : "columns of B"));
    }

    private static Cell field(int lane, int row, int column, int bitHigh, int bitLow) {
        return new Cell(
                lane, row, column, 1, 1, "T" + lane + " [" + bitHigh + ".." + bitLow + "]", "");
    }

    private static List<Cell> cells(Fragment fragment, int computation) {
        boolean[][] taken = new boolean[fragment.rows()][fragment.columns()];
        List<Cell> cells = new ArrayList<>();
        for (int row = 0; row < fragment.rows(); row++) {
            for (int column = 0; column < fragment.columns(); column++) {
                if (!taken[row][column]) {
                    Cell cell = run(fragment, new Position(row, column, computation));
                    for (int r = row; r < row + cell.rows(); r++) {
                        for (int c = column; c < column + cell.columns(); c++) {
                            taken[r][c] = true;
                        }
                    }
                    cells.add(cell);
                }
            }
        }
        return cells;
    }

    /// The longest run from here, along the row or else down the column.
    private static Cell run(Fragment fragment, Position at) {
        int along = length(fragment, at, 0, 1);
        int down = along == 1 ? length(fragment, at, 1, 0) : 1;
        Owner first = fragment.holder(at);
        int last = first.element() + along * down - 1;
        return new Cell(
                first.lane(),
                at.row(),
                at.column(),
                down,
                along,
                label(fragment, first, last),
                detail(fragment, first.element(), last));
    }

    private static int length(Fragment fragment, Position at, int rowStep, int columnStep) {
        Owner first = fragment.holder(at);
        int length = 1;
        while (true) {
            int row = at.row() + length * rowStep;
            int column = at.column() + length * columnStep;
            if (row >= fragment.rows() || column >= fragment.columns()) {
                return length;
            }
            Owner next = fragment.holder(new Position(row, column, at.computation()));
            if (next.lane() != first.lane()
                    || next.element() != first.element() + length
                    || fragment.register(next.element()) != fragment.register(first.element())) {
                return length;
            }
            length++;
        }
    }

    private static String label(Fragment fragment, Owner first, int last) {
        String letter = fragment.role().letter();
        String lane = "T" + first.lane();
        String element = letter + first.element();
        return switch (last - first.element()) {
            case 0 -> lane + " " + element;
            case 1 -> lane + ": " + element + " " + letter + last;
            default -> lane + ": " + element + ".." + letter + last;
        };
    }

    private static String detail(Fragment fragment, int first, int last) {
        String register = "r" + fragment.register(first);
        boolean whole =
                fragment.bitLow(first) == 0
                        && fragment.bitHigh(last) == fragment.registerBits() - 1;
        return whole
                ? register
                : register + " [" + fragment.bitHigh(last) + ".." + fragment.bitLow(first) + "]";
    }

    /// Over the stored columns of a sparse A, the dense columns that each chunk comes from.
    private static List<Edge> chunks(Form form) {
        List<Edge> edges = new ArrayList<>();
        form.granularity()
                .ifPresent(
                        (Granularity granularity) -> {
                            int chunks = form.shape().k() / granularity.width();
                            for (int chunk = 0; chunk < chunks; chunk++) {
                                edges.add(
                                        new Edge(
                                                chunk * granularity.stored(),
                                                granularity.stored(),
                                                range(chunk, granularity.width())));
                            }
                        });
        return edges;
    }

    private static List<Edge> warps(Form form) {
        List<Edge> edges = new ArrayList<>();
        if (form.family().warpgroup()) {
            for (int warp = 0; warp < 4; warp++) {
                edges.add(new Edge(16 * warp, 16, "warp " + warp));
            }
        }
        return edges;
    }

    /// The `index`-th range of that many: `4..7`.
    static String range(int index, int width) {
        return width == 1
                ? String.valueOf(index)
                : index * width + ".." + (index * width + width - 1);
    }
}
