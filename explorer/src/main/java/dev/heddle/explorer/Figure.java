package dev.heddle.explorer;

import dev.heddle.formats.Counted;
import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;

import java.util.ArrayList;
import java.util.List;

/// The picture of one operand: which lane, register and bits hold which element of its tile, or
/// describe which chunk, or scale which row.
///
/// @param id      what tells its identifiers from those of other figures on a page
/// @param title   the form
/// @param caption what is drawn, where the manual draws it, the layout, and how to read the cells
/// @param panels  the tiles; one, but for `mma.m8n8k4` with `.f16`
public record Figure(String id, String title, List<String> caption, List<Panel> panels) {
    private static final String COLOURS =
            "One hue for every four lanes, one lightness for each lane of them.";

    public Figure {
        caption = List.copyOf(caption);
        panels = List.copyOf(panels);
    }

    /// The figure of an operand.
    ///
    /// @param selection the sparsity selector for E, byte-id and thread-id for SFA and SFB; ignored
    ///                  by the others
    /// @throws InputException if the form has no such operand in registers, or does not
    ///     allow the selection; the message says what it has
    public static Figure of(Form form, OperandName operand, LayoutEntry.Selection selection) {
        return switch (Drawable.check(operand, form)) {
            case A, B, C, D -> matrix(form, operand.matrix());
            case E -> metadata(form, selection.selector());
            case SFA, SFB -> scale(form, operand.matrix(), selection);
        };
    }

    /// A complete SVG document: no scripts, no references, light and dark, the same bytes for the
    /// same question.
    public String svg() {
        return new Svg(this).document();
    }

    /// The drawing alone, for a page that shows the caption itself.
    public String drawing() {
        return new Svg(this).drawing();
    }

    private static Figure matrix(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        List<String> caption = new ArrayList<>();
        boolean stored = form.sparse() && role == Role.A;
        caption.add(
                "Operand %s%s%s x %s of %s, %s a lane. %s"
                        .formatted(
                                role.letter(),
                                stored ? ", as stored: " : ": ",
                                fragment.rows(),
                                fragment.columns(),
                                fragment.format().ptxName(),
                                Counted.of(fragment.registers(), "register"),
                                fragment.source()));
        caption.add(fragment.layout().toString());
        List<Panel> panels = Tiles.of(form, fragment);
        caption.add(reading(panels.getFirst().cells(), fragment));
        if (stored) {
            caption.add(
                    "Columns are stored columns; over them, the dense columns of each "
                            + form.granularity().orElseThrow()
                            + " chunk that they are chosen from.");
        }
        return new Figure(role.letter(), form.toString(), caption, panels);
    }

    /// How to read a cell, said of one that the figure has: the first of lane 5.
    private static String reading(List<Cell> cells, Fragment fragment) {
        Cell cell =
                cells.stream()
                        .filter(each -> each.lane() == 5)
                        .findFirst()
                        .orElse(cells.getFirst());
        int bits = cell.detail().indexOf('[');
        String register = bits < 0 ? cell.detail() : cell.detail().substring(0, bits - 1);
        return "\""
                + cell.label()
                + "\": element"
                + (cell.rows() * cell.columns() == 1 ? " " : "s ")
                + cell.label().substring(cell.label().indexOf(' ') + 1)
                + " of lane "
                + cell.lane()
                + "; \""
                + cell.detail()
                + "\": "
                + (bits < 0
                        ? "the " + fragment.registerBits() + " bits"
                        : "bits " + cell.detail().substring(bits + 1, cell.detail().length() - 1))
                + " of register "
                + register.substring(1)
                + " of the operand. "
                + COLOURS;
    }

    private static Figure metadata(Form form, int selector) {
        Metadata metadata = form.metadata().orElseThrow();
        within(
                "sparsity selector",
                selector,
                metadata.selectorValues(),
                metadata.source().section());
        return new Figure(
                "e",
                form.toString(),
                List.of(
                        "Operand e, sparsity metadata: selector %s, %s. %s"
                                .formatted(selector, metadata.granularity(), metadata.source()),
                        metadata.layout().toString(),
                        "T5 [7..4]: bits 7..4 of lane 5's word describe the chunk. Columns are"
                                + " dense columns of A. "
                                + COLOURS),
                List.of(Tiles.of(form, metadata, selector)));
    }

    private static Figure scale(Form form, Role role, LayoutEntry.Selection selection) {
        ScaleFactors factors = form.scaleFactors(role).orElseThrow();
        String section = factors.source().section();
        within("byte-id", selection.selector(), factors.byteIds(), section);
        within("thread-id", selection.thread(), factors.threadIds(), section);
        return new Figure(
                "sf" + role.letter(),
                form.toString(),
                List.of(
                        "Operand scale-%s-data: %s, byte-id %s, thread-id %s. %s"
                                .formatted(
                                        role.letter(),
                                        factors.format().ptxName(),
                                        selection.selector(),
                                        selection.thread(),
                                        factors.source()),
                        factors.layout().toString(),
                        "T5 [7..0]: bits 7..0 of lane 5's register scale "
                                + factors.span()
                                + (role == Role.A
                                        ? " neighbours of that row of A. "
                                        : " neighbours of that column of B. ")
                                + COLOURS),
                List.of(Tiles.of(factors, selection.selector(), selection.thread())));
    }

    private static void within(String what, int value, List<Integer> legal, String section) {
        if (!legal.contains(value)) {
            throw new InputException(
                    "%s %s: expected one of %s (PTX ISA %s)"
                            .formatted(what, value, legal, section));
        }
    }
}
