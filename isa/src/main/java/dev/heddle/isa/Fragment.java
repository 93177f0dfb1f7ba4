package dev.heddle.isa;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.COMPUTATION;
import static dev.heddle.layout.Axis.ELEMENT;
import static dev.heddle.layout.Axis.LANE;
import static dev.heddle.layout.Axis.ROW;
import static dev.heddle.layout.Axis.WARP;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.Packing;
import dev.heddle.layout.BitLayout;
import dev.heddle.layout.Point;

/// The fragment of one matrix: which element of its tile is in which lane, register and bits.
///
/// @param role    the matrix
/// @param rows    rows of the tile
/// @param columns columns of the tile; of a sparse A the stored ones, K/2
/// @param format  the element type
/// @param packing where an element is in a register
/// @param layout  (lane, element, warp) to (row, column, computation)
/// @param source  where the manual gives it
public record Fragment(
        Role role,
        int rows,
        int columns,
        Format format,
        Packing packing,
        BitLayout layout,
        Citation source) {

    /// Elements in one lane.
    public int elements() {
        return layout.extent(ELEMENT);
    }

    /// Lanes that hold the tile: 32 or 128.
    public int lanes() {
        return layout.extent(LANE) * layout.extent(WARP);
    }

    /// Products computed at once: 4 for `mma.m8n8k4` with `.f16`, else 1.
    public int computations() {
        return layout.extent(COMPUTATION);
    }

    /// The width of a register as PTX declares it: 64 for f64, else 32.
    public int registerBits() {
        return format == FloatFormat.F64 ? 64 : 32;
    }

    /// Registers in one lane, the length of the operand's vector.
    public int registers() {
        return elements() / elementsPerRegister();
    }

    /// Elements in one register.
    public int elementsPerRegister() {
        return packing.perRegister(registerBits());
    }

    /// The register of the vector that holds an element.
    public int register(int element) {
        return element / elementsPerRegister();
    }

    /// The lowest bit of the element's code in its register.
    public int bitLow(int element) {
        return packing.lowBit(element % elementsPerRegister());
    }

    /// The highest bit of the element's code in its register.
    public int bitHigh(int element) {
        return packing.highBit(element % elementsPerRegister());
    }

    /// What a lane holds.
    ///
    /// @param lane    0 up to [#lanes]
    /// @param element 0 up to [#elements]
    /// @throws IndexOutOfBoundsException if there is no such lane or element
    public Position position(int lane, int element) {
        check("lane", lane, lanes());
        check("element", element, elements());
        Point at = layout.apply(Point.of(LANE, lane & 31, ELEMENT, element).with(WARP, lane >> 5));
        return new Position(at.get(ROW), at.get(COLUMN), at.get(COMPUTATION));
    }

    /// Who holds an element of the tile.
    ///
    /// @throws IndexOutOfBoundsException if the position is outside the tile
    public Owner holder(Position position) {
        check("row", position.row(), rows);
        check("column", position.column(), columns);
        check("computation", position.computation(), computations());
        Point at =
                layout.inverse()
                        .apply(
                                Point.of(ROW, position.row(), COLUMN, position.column())
                                        .with(COMPUTATION, position.computation()));
        return new Owner(at.get(WARP) << 5 | at.get(LANE), at.get(ELEMENT));
    }

    private static void check(String what, int value, int extent) {
        if (value < 0 || value >= extent) {
            throw new IndexOutOfBoundsException(
                    what + " " + value + ": expected 0.." + (extent - 1));
        }
    }
}
