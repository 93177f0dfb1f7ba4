package dev.heddle.isa;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.ELEMENT;
import static dev.heddle.layout.Axis.LANE;
import static dev.heddle.layout.Axis.ROW;
import static dev.heddle.layout.Axis.WARP;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.Packing;
import dev.heddle.layout.BitLayout;

/// How tiles are dealt to the lanes of a warp or warpgroup.
///
/// One rule covers every fragment but those of `mma.m8n8k4` with `.f16`: neighbours in a row share
/// a register, four lanes share a row, eight rows of lanes make eight rows of the tile; then comes,
/// if there is one, the second half of sixteen rows; then the warps, sixteen rows each; then the
/// rest of the columns. B is held like A with rows and columns exchanged.
final class Fragments {
    private Fragments() {}

    static Fragment of(Form form, Role role) {
        Shape shape = form.shape();
        Format format = form.type(role);
        Packing packing =
                form.padded() && role.ordinal() < 2
                        ? Packing.padded(format)
                        : Packing.dense(format);
        int rows = role == Role.B ? shape.k() : shape.m();
        int columns = role == Role.A ? form.storedColumns() : shape.n();
        BitLayout layout =
                form.quadPairs()
                        ? quadPair(form, role)
                        : switch (role) {
                            case A -> dealt(rows, columns, perLane(packing));
                            case B -> dealt(columns, rows, perLane(packing)).swapped(ROW, COLUMN);
                            case C, D -> dealt(rows, columns, 2);
                        };
        return new Fragment(role, rows, columns, format, packing, layout, Figures.of(form, role));
    }

    /// Consecutive elements of A's row that a lane holds: those that fill a register.
    private static int perLane(Packing packing) {
        return Math.max(1, 32 / packing.containerBits());
    }

    private static BitLayout dealt(int rows, int columns, int perLane) {
        return BitLayout.EMPTY
                .deal(perLane, ELEMENT, COLUMN)
                .deal(4, LANE, COLUMN)
                .deal(8, LANE, ROW)
                .deal(Math.min(rows, 16) / 8, ELEMENT, ROW)
                .deal(Math.max(rows, 16) / 16, WARP, ROW)
                .deal(columns / (4 * perLane), ELEMENT, COLUMN);
    }

    /// Four products at once, each in a quad of the lower and a quad of the upper half warp (PTX
    /// ISA 9.7.14.5.1, figures 46 to 52).
    private static BitLayout quadPair(Form form, Role role) {
        boolean rowMajorA = form.word(Qualifier.ALAYOUT).equals("row");
        boolean rowMajorB = form.word(Qualifier.BLAYOUT).equals("row");
        String own =
                switch (role) {
                    case A ->
                            rowMajorA
                                    ? "row = lane4 lane1 lane0; column = element1 element0"
                                    : "row = lane4 element1 element0; column = lane1 lane0";
                    case B ->
                            rowMajorB
                                    ? "row = lane1 lane0; column = lane4 element1 element0"
                                    : "row = element1 element0; column = lane4 lane1 lane0";
                    case C, D ->
                            form.type(role) == FloatFormat.F16
                                    ? "row = lane4 lane1 lane0; column = element2 element1 element0"
                                    : "row = lane4 element1 lane0; column = element2 lane1"
                                            + " element0";
                };
        return BitLayout.parse(own + "; computation = lane3 lane2");
    }
}
