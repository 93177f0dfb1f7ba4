package dev.heddle.vm.ir;

/// Where the registers of a `wmma` fragment are in memory (PTX ISA 9.7.14.4.2).
///
/// Registers are made of units, each of which is in memory in one piece: an element, or all
/// elements of a register where they are narrower than a byte. Unit u of register r in lane l has
/// index `32 (r perRegister + u) + l` in both tables.
///
/// @param elementBits of one element
/// @param perRegister units of a register
/// @param defaultStride elements from one row (or column) to the next where the instruction names
///     no stride
/// @param outer the row, or the column of a matrix stored by columns
/// @param inner the element in it that the unit begins with
@SuppressWarnings("ArrayRecordComponent")
public record Tile(int elementBits, int perRegister, int defaultStride, int[] outer, int[] inner)
        implements MatrixLayout {

    /// The bytes of a unit.
    public int unitBytes() {
        return elementBits < 8 ? 4 : elementBits / 8;
    }

    @Override
    public String words() {
        return "tile";
    }
}
