package dev.heddle.cli;

import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;

import java.util.List;

/// The lines of a layout in words, tab-separated, and as objects.
final class LayoutText {
    private LayoutText() {}

    /// `A[9][10] is element a6 of lane 5: register 3 of a, bits 15..0`
    static String sentence(Form form, OperandName operand, LayoutEntry holding) {
        return switch (operand) {
            case A, B, C, D ->
                    "lane %s register %s bits %s..%s: element %s%s = %s%s"
                            .formatted(
                                    lane(form, holding),
                                    holding.register(),
                                    holding.bitHigh(),
                                    holding.bitLow(),
                                    operand.matrix().letter(),
                                    holding.element(),
                                    place(operand.matrix(), holding),
                                    form.quadPairs()
                                            ? " of computation " + (holding.computation() + 1)
                                            : "");
            case E, SFA, SFB ->
                    "lane %s bits %s..%s: %s %s"
                            .formatted(
                                    lane(form, holding),
                                    holding.bitHigh(),
                                    holding.bitLow(),
                                    operand == OperandName.E
                                            ? "metadata of the chunk"
                                            : "scale factor of",
                                    place(operand.matrix(), holding));
        };
    }

    private static String lane(Form form, LayoutEntry holding) {
        return form.lanes() == 32
                ? String.valueOf(holding.lane())
                : "%s (warp %s, laneid %s)"
                        .formatted(holding.lane(), holding.lane() / 32, holding.lane() % 32);
    }

    private static String place(Role matrix, LayoutEntry holding) {
        return matrix
                + "["
                + range(holding.rowFirst(), holding.rowLast())
                + "]["
                + range(holding.columnFirst(), holding.columnLast())
                + "]";
    }

    private static String range(int first, int last) {
        return first == last ? String.valueOf(first) : first + ".." + last;
    }

    /// The names of [#cells].
    static List<String> columns(Form form, OperandName operand) {
        String names =
                switch (operand) {
                    case A, B, C, D ->
                            "lane register bit_high bit_low row column_first column_last";
                    case E, SFA -> "lane bit_high bit_low row column_first column_last";
                    case SFB -> "lane bit_high bit_low row_first row_last column";
                };
        boolean products = operand.role().isPresent() && form.quadPairs();
        return List.of((products ? names + " computation" : names).split(" ", -1));
    }

    /// One line of a layout, value by value.
    static List<String> cells(Form form, OperandName operand, LayoutEntry h) {
        return columns(form, operand).stream().map(name -> cell(name, h)).toList();
    }

    private static String cell(String column, LayoutEntry h) {
        return String.valueOf(
                switch (column) {
                    case "lane" -> h.lane();
                    case "register" -> h.register();
                    case "bit_high" -> h.bitHigh();
                    case "bit_low" -> h.bitLow();
                    case "row", "row_first" -> h.rowFirst();
                    case "row_last" -> h.rowLast();
                    case "column", "column_first" -> h.columnFirst();
                    case "column_last" -> h.columnLast();
                    default -> h.computation();
                });
    }
}
