package dev.heddle.explorer;

import dev.heddle.explorer.code.IndexArithmetic;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Position;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the page knows of one operand: its figures, and every [LayoutEntry] with its places in
/// them.
public final class OperandDocument {
    private OperandDocument() {}

    static Map<String, Object> of(Form form, OperandName operand, LayoutEntry.Selection selection) {
        Figure figure = Figure.of(form, operand, selection);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("operand", operand.name());
        document.put("caption", figure.caption());
        document.put("svg", figure.drawing());
        operand.role()
                .map(form::fragment)
                .ifPresent(
                        fragment ->
                                document.put(
                                        "registers",
                                        RegisterFile.of(form.toString(), fragment).drawing()));
        List<Object> holdings = new ArrayList<>();
        for (LayoutEntry holding : LayoutEntry.of(form, operand, selection)) {
            holdings.add(line(form, operand, holding));
        }
        document.put("holdings", holdings);
        document.put("arithmetic", IndexArithmetic.of(form, operand));
        return document;
    }

    /// lane, register, bits, element, rows, columns, computation; then the row and column of its
    /// cell in the figure, and the column in the table of registers (or -1).
    private static List<Integer> line(Form form, OperandName operand, LayoutEntry h) {
        int row = h.rowFirst();
        int column = h.columnFirst();
        int table = -1;
        switch (operand) {
            case A, B, C, D -> {
                Fragment fragment = form.fragment(operand.matrix());
                Position at = fragment.position(h.lane(), h.element());
                column = at.column();
                table = RegisterFile.column(fragment, h.element());
            }
            case E -> column = chunk(form, h);
            case SFA -> column = h.columnFirst() / (h.columnLast() - h.columnFirst() + 1);
            case SFB -> row = h.rowFirst() / (h.rowLast() - h.rowFirst() + 1);
        }
        return List.of(
                h.lane(),
                h.register(),
                h.bitHigh(),
                h.bitLow(),
                h.element(),
                h.rowFirst(),
                h.rowLast(),
                h.columnFirst(),
                h.columnLast(),
                h.computation(),
                row,
                column,
                table);
    }

    private static int chunk(Form form, LayoutEntry h) {
        return LayoutEntry.metadata(form).chunk(new Metadata.Nibble(h.lane(), h.element())).chunk();
    }

    /// A holding as `heddle where --json` prints it and the page's API answers it.
    public static Map<String, Object> object(OperandName operand, LayoutEntry h) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("lane", h.lane());
        if (operand.role().isPresent()) {
            object.put("register", h.register());
            object.put("element", h.element());
        }
        object.put("bit_high", h.bitHigh());
        object.put("bit_low", h.bitLow());
        if (operand == OperandName.SFB) {
            object.put("row_first", h.rowFirst());
            object.put("row_last", h.rowLast());
            object.put("column", h.columnFirst());
            return object;
        }
        object.put("row", h.rowFirst());
        object.put("column_first", h.columnFirst());
        object.put("column_last", h.columnLast());
        object.put("computation", h.computation());
        return object;
    }
}
