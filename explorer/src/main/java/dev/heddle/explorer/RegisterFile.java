package dev.heddle.explorer;

import dev.heddle.isa.Fragment;
import dev.heddle.isa.Position;

import java.util.ArrayList;
import java.util.List;

/// The registers of an operand as a table: lanes down, registers across, and in each register its
/// bits from the highest to the lowest.
final class RegisterFile {
    /// More elements than this in a register are drawn as one.
    private static final int SEPARATE = 8;

    private RegisterFile() {}

    /// How many columns of the table a register takes.
    static int columnsOfRegister(Fragment fragment) {
        return fragment.elementsPerRegister() > SEPARATE ? 1 : fragment.elementsPerRegister();
    }

    /// The column of the table in which an element is.
    static int column(Fragment fragment, int element) {
        int columns = columnsOfRegister(fragment);
        int within = columns == 1 ? 0 : element % columns;
        return fragment.register(element) * columns + columns - 1 - within;
    }

    /// The figure of a fragment's registers.
    static Figure of(String title, Fragment fragment) {
        int columns = columnsOfRegister(fragment);
        List<Cell> cells = new ArrayList<>();
        List<Edge> bits = new ArrayList<>();
        List<Edge> registers = new ArrayList<>();
        for (int register = 0; register < fragment.registers(); register++) {
            registers.add(new Edge(register * columns, columns, "r" + register));
        }
        int step = fragment.elementsPerRegister() / columns;
        for (int first = 0; first < fragment.elements(); first += step) {
            int last = first + step - 1;
            bits.add(
                    new Edge(
                            column(fragment, first),
                            1,
                            range(fragment.bitHigh(last), fragment.bitLow(first))));
            for (int lane = 0; lane < fragment.lanes(); lane++) {
                cells.add(cell(fragment, lane, first, last));
            }
        }
        Panel panel =
                new Panel(
                        "",
                        fragment.lanes(),
                        fragment.registers() * columns,
                        cells,
                        registers,
                        List.of(),
                        bits,
                        Panel.Ranges.SINGLE,
                        new Panel.Names("register", "bits"));
        return new Figure(
                "registers",
                title,
                List.of(
                        "Registers of operand "
                                + fragment.role().letter()
                                + ": a row for each lane, in each register the highest bits first;"
                                + " below an element, its row and column."),
                List.of(panel));
    }

    private static Cell cell(Fragment fragment, int lane, int first, int last) {
        String letter = fragment.role().letter();
        Position from = fragment.position(lane, first);
        Position to = fragment.position(lane, last);
        return new Cell(
                lane,
                lane,
                column(fragment, first),
                1,
                1,
                first == last ? letter + first : letter + first + ".." + letter + last,
                span(from.row(), to.row()) + "," + span(from.column(), to.column()));
    }

    private static String span(int first, int last) {
        return first == last ? String.valueOf(first) : first + ".." + last;
    }

    private static String range(int high, int low) {
        return high == low ? String.valueOf(high) : high + ".." + low;
    }
}
