package dev.heddle.explorer;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.ROW;

import dev.heddle.formats.Counted;
import dev.heddle.isa.Citation;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.ManualAnchor;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.layout.Axis;
import dev.heddle.layout.BitLayout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What an operand is, in sentences: its tile, who holds it, and how to read the equation of its
/// layout.
final class Reading {
    /// The lane of the worked example.
    private static final int EXAMPLE = 5;

    private Reading() {}

    /// `what`, a sentence; `layout`, the equation; `reading`, sentences that explain it; `source`,
    /// the section, and its address where that is known.
    static Map<String, Object> of(Form form, OperandName operand) {
        return switch (Drawable.check(operand, form)) {
            case A, B, C, D -> matrix(form, operand.matrix());
            case E -> metadata(form);
            case SFA, SFB -> scales(form, operand.matrix());
        };
    }

    private static Map<String, Object> matrix(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        boolean stored = form.sparse() && role == Role.A;
        String what =
                "%s is %d rows by %d %scolumns of %s. Each of the %d lanes holds %s of it, in %s of %d bits."
                        .formatted(
                                role,
                                fragment.rows(),
                                fragment.columns(),
                                stored ? "stored " : "",
                                fragment.format().ptxName(),
                                fragment.lanes(),
                                Counted.of(fragment.elements(), "element"),
                                Counted.of(fragment.registers(), "register"),
                                fragment.registerBits());
        List<String> reading = new ArrayList<>(equation(fragment.layout(), "column"));
        reading.add(example(fragment));
        if (stored) {
            reading.add(
                    "Columns are stored columns: of every %d dense columns %d are kept, and the"
                                    .formatted(
                                            form.granularity().orElseThrow().width(),
                                            form.granularity().orElseThrow().stored())
                            + " metadata says which.");
        }
        return document(what, fragment.layout(), reading, fragment.source());
    }

    /// How to read the bits of a layout.
    private static List<String> equation(BitLayout layout, String column) {
        String row = first(layout, ROW);
        return List.of(
                "Each word stands for one bit: element1 is bit 1 of the element's index, lane4 bit"
                        + " 4 of the lane's number. "
                        + (row.isEmpty()
                                ? ""
                                : "The bits of the row are, from the highest down, "
                                        + row
                                        + "; those of the "
                                        + column
                                        + " stand behind its name in the same way."));
    }

    private static String first(BitLayout layout, Axis axis) {
        return layout.wires().stream()
                .filter(wire -> wire.to() == axis)
                .sorted((one, other) -> other.toBit() - one.toBit())
                .map(wire -> wire.from().word() + wire.fromBit())
                .collect(Collectors.joining(", "));
    }

    /// The place of the last element of a lane, bit by bit.
    private static String example(Fragment fragment) {
        int element = fragment.elements() - 1;
        Position at = fragment.position(EXAMPLE, element);
        return "So element %d of lane %d (%s, %s in binary) stands in row %s, column %s: row %d, column %d."
                .formatted(
                        element,
                        EXAMPLE,
                        binary(element),
                        binary(EXAMPLE),
                        spelled(fragment.layout(), ROW, at.row()),
                        spelled(fragment.layout(), COLUMN, at.column()),
                        at.row(),
                        at.column());
    }

    private static String spelled(BitLayout layout, Axis axis, int value) {
        long bits = layout.wires().stream().filter(wire -> wire.to() == axis).count();
        StringBuilder text = new StringBuilder(Integer.toBinaryString(value));
        while (text.length() < bits) {
            text.insert(0, '0');
        }
        return "0b" + text;
    }

    private static Map<String, Object> metadata(Form form) {
        Metadata metadata = LayoutEntry.metadata(form);
        int width = metadata.granularity().width();
        String what =
                ("E says which elements of A are kept: 4 bits for every %d columns of a row."
                                + " A lane's register has eight such nibbles. ")
                        .formatted(width);
        List<String> reading = new ArrayList<>(equation(metadata.layout(), "chunk"));
        for (int selector : metadata.selectorValues()) {
            List<String> lanes =
                    metadata.suppliers(selector).stream()
                            .filter(lane -> lane < 4)
                            .map(String::valueOf)
                            .toList();
            String some =
                    switch (lanes.size()) {
                        case 1 -> "one lane";
                        case 4 -> "all lanes";
                        default -> lanes.size() + " lanes";
                    };
            reading.add(
                    "With selector %d, %s of every four supply it: lanes whose number modulo 4 is %s."
                            .formatted(selector, some, String.join(" or ", lanes)));
        }
        return document(what.strip(), metadata.layout(), reading, metadata.source());
    }

    private static Map<String, Object> scales(Form form, Role role) {
        ScaleFactors factors = LayoutEntry.scaleFactors(form, role);
        String what =
                "A scale factor of %s multiplies %d neighbours along K of one %s. It is a byte, %s."
                        .formatted(
                                role,
                                factors.span(),
                                role == Role.A ? "row of A" : "column of B",
                                factors.format().ptxName());
        return document(
                what,
                factors.layout(),
                List.of(
                        "byte-id chooses the byte of the register, or its first byte; thread-id"
                                + " chooses which lane of every four supplies it."),
                factors.source());
    }

    private static Map<String, Object> document(
            String what, BitLayout layout, List<String> reading, Citation source) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("what", what);
        document.put("layout", layout.toString());
        document.put("reading", reading);
        document.put("source", source.toString());
        document.put("link", ManualAnchor.link(source.section()).orElse(""));
        return document;
    }

    private static String binary(int value) {
        return "0b" + Integer.toBinaryString(value);
    }
}
