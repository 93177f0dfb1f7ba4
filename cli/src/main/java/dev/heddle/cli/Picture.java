package dev.heddle.cli;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Owner;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;

import java.util.ArrayList;
import java.util.List;

/// An operand drawn in text: a table of cells such as `T5:a0-1`, elements 0 and 1 of lane 5.
///
/// @param title   what it is
/// @param columns the heads of the columns
/// @param rows    the rows
record Picture(String title, List<String> columns, List<Row> rows) {
    /// One row.
    ///
    /// @param label which rows of the tile it shows
    /// @param cells its cells
    record Row(String label, List<String> cells) {}

    private static final String MORE = "…";

    /// The picture of an operand.
    static Picture of(Form form, OperandName operand, LayoutEntry.Selection selection) {
        return switch (operand) {
            case A, B, C, D -> fragment(form, operand.matrix());
            case E -> metadata(LayoutEntry.metadata(form), selection.selector());
            case SFA, SFB -> factors(LayoutEntry.scaleFactors(form, operand.matrix()), selection);
        };
    }

    private static Picture fragment(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        int tall = role == Role.B ? run(fragment, false) : 1;
        int wide = role == Role.B ? 1 : run(fragment, true);
        boolean one = fragment.computations() == 1;
        List<String> heads = new ArrayList<>();
        for (int column = 0; column < fragment.columns(); column += wide) {
            heads.add(span(column, wide));
        }
        List<Row> rows = new ArrayList<>();
        for (int computation = 0; computation < fragment.computations(); computation++) {
            for (int row = 0; row < fragment.rows(); row += tall) {
                List<String> cells = new ArrayList<>();
                for (int column = 0; column < fragment.columns(); column += wide) {
                    Owner holder = fragment.holder(new Position(row, column, computation));
                    String elements = span(holder.element(), Math.max(tall, wide));
                    cells.add("T" + holder.lane() + ":" + role.letter() + elements);
                }
                String product = one ? "" : (computation + 1) + "/";
                rows.add(new Row(product + span(row, tall), cells));
            }
        }
        boolean stored = role == Role.A && form.sparse();
        return new Picture(
                "%s %sx%s %s%s, T lane : element%s"
                        .formatted(
                                role,
                                fragment.rows(),
                                fragment.columns(),
                                fragment.format().ptxName(),
                                stored ? ", stored columns" : "",
                                one ? "" : ", rows as computation/row"),
                heads,
                rows);
    }

    /// The longest aligned run along a row (or column) that one lane holds as consecutive elements.
    private static int run(Fragment fragment, boolean along) {
        int extent = along ? fragment.columns() : fragment.rows();
        for (int length = 32; length > 1; length /= 2) {
            if (extent % length == 0 && runs(fragment, along, length)) {
                return length;
            }
        }
        return 1;
    }

    private static boolean runs(Fragment fragment, boolean along, int length) {
        Owner first = fragment.holder(new Position(0, 0));
        for (int i = 1; i < length; i++) {
            Owner next = fragment.holder(along ? new Position(0, i) : new Position(i, 0));
            if (next.lane() != first.lane() || next.element() != first.element() + i) {
                return false;
            }
        }
        return true;
    }

    private static Picture metadata(Metadata metadata, int selector) {
        int width = metadata.granularity().width();
        List<String> heads = new ArrayList<>();
        for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
            heads.add(span(chunk * width, width));
        }
        List<Row> rows = new ArrayList<>();
        for (int row = 0; row < metadata.rows(); row++) {
            List<String> cells = new ArrayList<>();
            for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
                Metadata.Nibble nibble = metadata.nibble(new Metadata.Chunk(row, chunk), selector);
                cells.add(bits(nibble.lane(), nibble.bitHigh(), nibble.bitLow()));
            }
            rows.add(new Row(String.valueOf(row), cells));
        }
        return new Picture("E, selector " + selector + ", chunks of A, T lane [bits]", heads, rows);
    }

    private static Picture factors(ScaleFactors factors, LayoutEntry.Selection selection) {
        List<String> heads = new ArrayList<>();
        for (int vector = 0; vector < factors.vectors(); vector++) {
            heads.add("k " + span(vector * factors.span(), factors.span()));
        }
        List<Row> rows = new ArrayList<>();
        for (int line = 0; line < factors.lines(); line++) {
            List<String> cells = new ArrayList<>();
            for (int vector = 0; vector < factors.vectors(); vector++) {
                ScaleFactors.Supplier at =
                        factors.supplier(
                                new ScaleFactors.Factor(line, vector),
                                selection.selector(),
                                selection.thread());
                cells.add(bits(at.lane(), at.bitHigh(), at.bitLow()));
            }
            rows.add(new Row((factors.role() == Role.A ? "row " : "column ") + line, cells));
        }
        return new Picture(
                "SF%s %s, byte-id %s, thread-id %s, T lane [bits]"
                        .formatted(
                                factors.role(),
                                factors.format().ptxName(),
                                selection.selector(),
                                selection.thread()),
                heads,
                rows);
    }

    private static String bits(int lane, int high, int low) {
        return "T" + lane + "[" + high + ".." + low + "]";
    }

    private static String span(int first, int length) {
        return length == 1 ? String.valueOf(first) : first + "-" + (first + length - 1);
    }

    /// The same picture cut to a few rows and columns.
    Picture small(int mostRows, int mostColumns) {
        List<Row> few = new ArrayList<>();
        int half = rows.size() / 2;
        for (int i = 0; i < rows.size(); i++) {
            boolean kept = rows.size() <= mostRows || i < mostRows / 2 || i >= half && i < half + 2;
            if (kept) {
                few.add(new Row(rows.get(i).label, cut(rows.get(i).cells, mostColumns)));
            } else if (!few.getLast().label.equals(MORE)) {
                few.add(new Row(MORE, List.of()));
            }
        }
        return new Picture(title, cut(columns, mostColumns), few);
    }

    private static List<String> cut(List<String> cells, int most) {
        if (cells.size() <= most) {
            return cells;
        }
        List<String> few = new ArrayList<>(cells.subList(0, most));
        few.add(MORE);
        return few;
    }

    /// The lines of the picture, columns aligned.
    List<String> lines() {
        int label = rows.stream().mapToInt(row -> row.label.length()).max().orElse(0);
        int width = columns.stream().mapToInt(String::length).max().orElse(0);
        for (Row row : rows) {
            width = Math.max(width, row.cells.stream().mapToInt(String::length).max().orElse(0));
        }
        List<String> lines = new ArrayList<>();
        lines.add(title);
        lines.add(line("", label, columns, width));
        for (Row row : rows) {
            lines.add(line(row.label, label, row.cells, width));
        }
        return lines;
    }

    private static String line(String label, int labelWidth, List<String> cells, int width) {
        StringBuilder line =
                new StringBuilder(" ".repeat(labelWidth - label.length())).append(label);
        for (String cell : cells) {
            line.append("  ").append(cell).append(" ".repeat(Math.max(0, width - cell.length())));
        }
        return line.toString().stripTrailing();
    }
}
