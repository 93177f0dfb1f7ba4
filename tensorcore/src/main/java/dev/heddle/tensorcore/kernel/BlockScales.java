package dev.heddle.tensorcore.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The scale factors of rows and columns in the memory of a product: powers of two, of which each
/// row and column has one.
///
/// @param a     A's factors by row
/// @param b     B's by column
/// @param place four vectors: the factors of sixteen rows, their exponents in the halves of words,
///     and those of the columns likewise
record BlockScales(Placement a, Placement b, int place) {
    static final int VECTORS = 4;

    /// From here to the vectors of the columns.
    static final int COLUMNS = 2 * VectorCode.VECTOR;

    /// Exponents with which neither scaled operands nor sums of them leave the range of normal
    /// `float` values unseen.
    private static final int MOST = 60;

    /// Puts the factors of an instruction there.
    ///
    /// @return false where one takes another way
    boolean write(Inputs in, MemorySegment memory) {
        return write(a, in.scaleA(), memory, place)
                && write(b, in.scaleB(), memory, place + COLUMNS);
    }

    private static boolean write(Placement factors, int[] words, MemorySegment memory, int place) {
        for (int lane = 0; lane < Lanes.COUNT; lane++) {
            int code = factors.load(words, lane % factors.majors(), 0) & 0xff;
            int exponent = code - VectorCode.BIAS;
            if (Math.abs(exponent) > MOST) {
                return false;
            }
            long at = place + (long) lane * Integer.BYTES;
            memory.set(ValueLayout.JAVA_INT, at, code << VectorCode.FRACTION);
            int both = VectorCode.twice(exponent);
            memory.set(ValueLayout.JAVA_INT, at + VectorCode.VECTOR, both);
        }
        return true;
    }
}
