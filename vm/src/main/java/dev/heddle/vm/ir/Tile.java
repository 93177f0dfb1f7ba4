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
/// @param together so many units stand one behind the other in every lane, from each multiple of
///     that number on
/// @param outer the row, or the column of a matrix stored by columns
/// @param inner the element in it that the unit begins with
@SuppressWarnings("ArrayRecordComponent")
public record Tile(
        int elementBits, int perRegister, int defaultStride, int together, int[] outer, int[] inner)
        implements MatrixLayout {
    /// Bytes that a lane accesses at once, at most.
    private static final int MOST_BYTES = 16;

    /// A tile whose units stand as these tables say.
    public static Tile of(
            int elementBits, int perRegister, int defaultStride, int[] outer, int[] inner) {
        int together = 1;
        while (2 * together * unitBytes(elementBits) <= MOST_BYTES
                && areTogether(
                        2 * together, unitBytes(elementBits) * 8 / elementBits, outer, inner)) {
            together *= 2;
        }
        return new Tile(elementBits, perRegister, defaultStride, together, outer, inner);
    }

    private static boolean areTogether(int count, int elements, int[] outer, int[] inner) {
        for (int i = 0; i < outer.length; i++) {
            int ahead = i / 32 % count;
            int first = i - 32 * ahead;
            if (outer[i] != outer[first] || inner[i] != inner[first] + ahead * elements) {
                return false;
            }
        }
        return outer.length % (32 * count) == 0;
    }

    /// The bytes of a unit.
    public int unitBytes() {
        return unitBytes(elementBits);
    }

    private static int unitBytes(int elementBits) {
        return elementBits < 8 ? 4 : elementBits / 8;
    }

    @Override
    public String words() {
        return "tile";
    }
}
