package dev.heddle.isa;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Rule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// One line of a layout: these bits of this register of this lane hold this element, this metadata
/// nibble, or this scale factor.
///
/// For an element of a dense matrix the range of columns is one column; for a stored element of a
/// sparse A and for a nibble it is their chunk of dense columns; for a scale factor it is what the
/// factor scales: columns of A, rows of B.
///
/// @param lane        0..31; 0..127 in a warpgroup
/// @param register    index in the operand's vector; 0 for metadata and scale factors
/// @param bitHigh     highest bit in the register as PTX declares it
/// @param bitLow      lowest bit
/// @param element     `i` of `ai`; the slot of a nibble; the byte of a scale factor
/// @param rowFirst    first row
/// @param rowLast     last row
/// @param columnFirst first column
/// @param columnLast  last column
/// @param computation which product of `mma.m8n8k4` with `.f16`; else 0
public record LayoutEntry(
        int lane,
        int register,
        int bitHigh,
        int bitLow,
        int element,
        int rowFirst,
        int rowLast,
        int columnFirst,
        int columnLast,
        int computation) {

    /// What selects the suppliers of metadata or scale factors.
    ///
    /// @param selector the sparsity selector, or the byte-id
    /// @param thread   the thread-id of scale factors
    public record Selection(int selector, int thread) {
        /// Selector 0, or byte-id 0 and thread-id 0.
        public static final Selection FIRST = new Selection(0, 0);
    }

    /// Whether a dense element is here, or may (in a chunk).
    public boolean covers(int row, int column) {
        return row >= rowFirst && row <= rowLast && column >= columnFirst && column <= columnLast;
    }

    /// All lines of an operand, by lane, then register, then rising bits.
    ///
    /// @throws InputException if the form has no such operand in registers, or no such
    ///     selector
    public static List<LayoutEntry> of(Form form, OperandName operand, Selection selection) {
        return switch (operand) {
            case A, B, C, D -> elements(form, form.fragment(operand.matrix()));
            case E -> nibbles(metadata(form), selection.selector);
            case SFA, SFB -> factors(scaleFactors(form, operand.matrix()), selection);
        };
    }

    /// The metadata of a form.
    ///
    /// @throws InputException if the form is dense
    public static Metadata metadata(Form form) {
        if (!form.sparse()) {
            throw new InputException(
                    form.opcode()
                            + " has no operand E: A is dense; metadata belongs to mma.sp and"
                            + " wgmma.mma_async.sp (PTX ISA 9.7.14.6)");
        }
        return form.metadata().orElseThrow();
    }

    /// The scale factors of a form.
    ///
    /// @throws InputException if the form is not block-scaled
    public static ScaleFactors scaleFactors(Form form, Role role) {
        if (!form.blockScaled()) {
            throw new InputException(
                    form.opcode()
                            + " has no operand SF"
                            + role
                            + ": scale factors belong to .block_scale forms (PTX ISA 9.7.14.3)");
        }
        return form.scaleFactors(role).orElseThrow();
    }

    private static List<LayoutEntry> elements(Form form, Fragment fragment) {
        boolean chunked = fragment.role() == Role.A && form.sparse();
        Granularity granularity = form.granularity().orElse(Granularity.TWO_OF_FOUR);
        List<LayoutEntry> lines = new ArrayList<>();
        for (int lane = 0; lane < fragment.lanes(); lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position at = fragment.position(lane, element);
                int first = at.column();
                int width = 1;
                if (chunked) {
                    width = granularity.width();
                    first = at.column() / granularity.stored() * width;
                }
                lines.add(
                        new LayoutEntry(
                                lane,
                                fragment.register(element),
                                fragment.bitHigh(element),
                                fragment.bitLow(element),
                                element,
                                at.row(),
                                at.row(),
                                first,
                                first + width - 1,
                                at.computation()));
            }
        }
        return lines;
    }

    private static List<LayoutEntry> nibbles(Metadata metadata, int selector) {
        int width = metadata.granularity().width();
        List<LayoutEntry> lines = new ArrayList<>();
        for (int lane : suppliers(metadata, selector)) {
            for (int slot = 0; slot < 8; slot++) {
                Metadata.Nibble nibble = new Metadata.Nibble(lane, slot);
                Metadata.Chunk chunk = metadata.chunk(nibble);
                int first = chunk.chunk() * width;
                lines.add(
                        new LayoutEntry(
                                lane,
                                0,
                                nibble.bitHigh(),
                                nibble.bitLow(),
                                slot,
                                chunk.row(),
                                chunk.row(),
                                first,
                                first + width - 1,
                                0));
            }
        }
        return lines;
    }

    private static List<Integer> suppliers(Metadata metadata, int selector) {
        try {
            return metadata.suppliers(selector);
        } catch (IndexOutOfBoundsException e) {
            throw new InputException(
                    e.getMessage()
                            + " ("
                            + Rule.SELECTOR_OUT_OF_RANGE.id()
                            + ", PTX ISA 9.7.14.6.1)",
                    e);
        }
    }

    private static List<LayoutEntry> factors(ScaleFactors factors, Selection selection) {
        check("byte-id", selection.selector, factors.byteIds());
        check("thread-id", selection.thread, factors.threadIds());
        List<LayoutEntry> lines = new ArrayList<>();
        for (int line = 0; line < factors.lines(); line++) {
            for (int vector = 0; vector < factors.vectors(); vector++) {
                ScaleFactors.Supplier at =
                        factors.supplier(
                                new ScaleFactors.Factor(line, vector),
                                selection.selector,
                                selection.thread);
                int first = vector * factors.span();
                int last = first + factors.span() - 1;
                boolean ofA = factors.role() == Role.A;
                lines.add(
                        new LayoutEntry(
                                at.lane(),
                                0,
                                at.bitHigh(),
                                at.bitLow(),
                                at.index(),
                                ofA ? line : first,
                                ofA ? line : last,
                                ofA ? first : line,
                                ofA ? last : line,
                                0));
            }
        }
        lines.sort(
                Comparator.comparingInt(LayoutEntry::lane).thenComparingInt(LayoutEntry::bitLow));
        return lines;
    }

    private static void check(String what, int value, List<Integer> legal) {
        if (!legal.contains(value)) {
            throw new InputException(
                    "%s %s: expected %s (PTX ISA 9.7.14.3, table 37)"
                            .formatted(
                                    what,
                                    value,
                                    String.join(
                                            ", ", legal.stream().map(String::valueOf).toList())));
        }
    }
}
