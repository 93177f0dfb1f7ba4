package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The layout of an operand in the few numbers that the page draws it from.
///
/// A layout is linear over bits: the place of an element is the exclusive-or of what the bits of
/// its lane and of its index contribute. So a table has one place for each of these bits, and the
/// page lists the holdings that [LayoutEntry] lists. Scale factors, few as they are, are listed.
final class LayoutTable {
    private LayoutTable() {}

    /// The table of an operand that the form has in registers.
    static Map<String, Object> of(Form form, OperandName operand) {
        return switch (Drawable.check(operand, form)) {
            case A, B, C, D -> fragment(form, operand.matrix());
            case E -> metadata(form);
            case SFA, SFB -> scales(form, operand.matrix());
        };
    }

    private static Map<String, Object> fragment(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("rows", fragment.rows());
        table.put("columns", fragment.columns());
        table.put("lanes", fragment.lanes());
        table.put("elements", fragment.elements());
        table.put("perRegister", fragment.elementsPerRegister());
        table.put("registerBits", fragment.registerBits());
        table.put("bits", bits(fragment));
        table.put("computations", fragment.computations());
        table.put("lane", basis(fragment.lanes(), lane -> fragment.position(lane, 0)));
        table.put("element", basis(fragment.elements(), index -> fragment.position(0, index)));
        if (role == Role.A && form.sparse()) {
            Granularity granularity = form.granularity().orElseThrow();
            table.put("chunk", List.of(granularity.stored(), granularity.width()));
        }
        return table;
    }

    /// The highest and the lowest bit of each element of a register.
    private static List<Object> bits(Fragment fragment) {
        List<Object> bits = new ArrayList<>();
        for (int i = 0; i < fragment.elementsPerRegister(); i++) {
            bits.add(List.of(fragment.bitHigh(i), fragment.bitLow(i)));
        }
        return bits;
    }

    /// What makes a place of an index.
    private interface Placing {
        Position at(int index);
    }

    /// What each bit of an index below an extent contributes: row, column and computation.
    private static List<Object> basis(int extent, Placing placing) {
        List<Object> basis = new ArrayList<>();
        for (int bit = 1; bit < extent; bit <<= 1) {
            Position at = placing.at(bit);
            basis.add(List.of(at.row(), at.column(), at.computation()));
        }
        return basis;
    }

    private static Map<String, Object> metadata(Form form) {
        Metadata metadata = LayoutEntry.metadata(form);
        Map<String, Object> suppliers = new LinkedHashMap<>();
        for (int selector : metadata.selectorValues()) {
            suppliers.put(String.valueOf(selector), metadata.suppliers(selector));
        }
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("rows", metadata.rows());
        table.put("columns", metadata.chunks());
        table.put("lanes", form.lanes());
        table.put("suppliers", suppliers);
        table.put("width", metadata.granularity().width());
        table.put("lane", basis(form.lanes(), lane -> chunk(metadata, lane, 0)));
        table.put("element", basis(8, slot -> chunk(metadata, 0, slot)));
        return table;
    }

    private static Position chunk(Metadata metadata, int lane, int slot) {
        Metadata.Chunk chunk = metadata.chunk(new Metadata.Nibble(lane, slot));
        return new Position(chunk.row(), chunk.chunk(), 0);
    }

    private static Map<String, Object> scales(Form form, Role role) {
        ScaleFactors factors = LayoutEntry.scaleFactors(form, role);
        OperandName operand = role == Role.A ? OperandName.SFA : OperandName.SFB;
        Map<String, Object> selections = new LinkedHashMap<>();
        for (int byteId : factors.byteIds()) {
            for (int threadId : factors.threadIds()) {
                selections.put(
                        byteId + "/" + threadId,
                        LayoutEntry.of(form, operand, new LayoutEntry.Selection(byteId, threadId))
                                .stream()
                                .map(LayoutTable::line)
                                .toList());
            }
        }
        boolean ofA = role == Role.A;
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("rows", ofA ? factors.lines() : factors.vectors());
        table.put("columns", ofA ? factors.vectors() : factors.lines());
        table.put("lanes", form.lanes());
        table.put("span", factors.span());
        table.put("selections", selections);
        return table;
    }

    private static List<Integer> line(LayoutEntry h) {
        return List.of(
                h.lane(),
                h.bitHigh(),
                h.bitLow(),
                h.element(),
                h.rowFirst(),
                h.rowLast(),
                h.columnFirst(),
                h.columnLast());
    }
}
