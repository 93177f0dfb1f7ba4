package dev.heddle.vm.lowering;

/// Where the registers of a `wmma` fragment are in memory (PTX ISA 9.7.14.4.2).
///
/// Registers are made of units, each of which is in memory in one piece: an element, or all
/// elements of a register where they are narrower than a byte. Unit u of register r in lane l has
/// index `32 (r perRegister + u) + l` in both tables.
///
/// @param elementBits of one element
/// @param perRegister units of a register
/// @param registers that differ; where an instruction names more, they repeat
/// @param defaultStride elements from one row (or column) to the next where the instruction names
///     no stride
/// @param outer the row, or the column of a matrix stored by columns
/// @param inner the element in it that the unit begins with
@SuppressWarnings("ArrayRecordComponent")
record Tile(
        int elementBits,
        int perRegister,
        int registers,
        int defaultStride,
        int[] outer,
        int[] inner) {
    /// Bytes that a lane accesses at once, at most; and to multiples of which rows are aligned
    /// where CUDA's own interface asks for less than the fragment.
    private static final int MOST_BYTES = 16;

    /// The bytes of a unit.
    int unitBytes() {
        return elementBits < 8 ? Integer.BYTES : elementBits / 8;
    }

    int registerBytes() {
        return perRegister * unitBytes();
    }

    /// Where a unit stands in its register: from which bit on.
    int shift(int unit) {
        return unit % perRegister * 8 * unitBytes();
    }

    /// The bytes of elements, where they fill some.
    int bytes(int elements) {
        return elements * elementBits / 8;
    }

    int units() {
        return registers * perRegister;
    }

    /// To multiples of what number of bytes rows are aligned.
    ///
    /// @param named registers of an instruction
    int alignment(int named) {
        return Math.min(MOST_BYTES, named * registerBytes());
    }

    /// So many units stand one behind the other in every lane, from each multiple of that number
    /// on, and are aligned together where the tile is.
    int together() {
        int together = 1;
        while (2 * together * unitBytes() <= MOST_BYTES && areTogether(2 * together)) {
            together *= 2;
        }
        return together;
    }

    private boolean areTogether(int count) {
        int elements = unitBytes() * 8 / elementBits;
        for (int i = 0; i < outer.length; i++) {
            int ahead = i / 32 % count;
            int first = i - 32 * ahead;
            if (outer[i] != outer[first]
                    || inner[i] != inner[first] + ahead * elements
                    || inner[first] % (count * elements) != 0) {
                return false;
            }
        }
        return units() % count == 0;
    }
}
