package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Reads floating-point elements out of words into planes: a `float` and an exponent for each.
///
/// Vectors come in pairs, those of `i` = 0 and `i` = 1 of a quad (see [KOrder]). Pair `u` leaves
/// its values in vectors `2u` and `2u + 1` of the value plane. Its exponents go likewise to the
/// exponent plane, or packed, side by side in the halves of the words of vector `u`.
final class FloatPairReader {
    private final FloatCode code;
    private final PairTable table;
    private final boolean packed;

    FloatPairReader(FloatCode code, PairTable table, boolean packed) {
        this.code = code;
        this.table = table;
        this.packed = packed;
    }

    void read(int[] words, float[] values, int[] exponents) {
        if (table.shared()) {
            readShared(words, values, exponents);
        } else {
            readApart(words, values, exponents);
        }
    }

    private void readShared(int[] words, float[] values, int[] exponents) {
        int[] index = table.index0();
        int pairs = table.pairs();
        for (int u = 0; u < pairs; u++) {
            IntVector word = IntVector.fromArray(Lanes.INT, words, 0, index, u * Lanes.COUNT);
            IntVector first = word.lanewise(LSHR, table.bit0(u));
            IntVector second = word.lanewise(LSHR, table.bit1(u));
            store(first, second, u, values, exponents);
        }
    }

    private void readApart(int[] words, float[] values, int[] exponents) {
        int[] index0 = table.index0();
        int[] index1 = table.index1();
        int[] bit0 = table.bits0();
        int[] bit1 = table.bits1();
        int pairs = table.pairs();
        for (int u = 0; u < pairs; u++) {
            int at = u * Lanes.COUNT;
            IntVector first =
                    IntVector.fromArray(Lanes.INT, words, 0, index0, at)
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, bit0, at));
            IntVector second =
                    IntVector.fromArray(Lanes.INT, words, 0, index1, at)
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, bit1, at));
            store(first, second, u, values, exponents);
        }
    }

    private void store(IntVector first, IntVector second, int u, float[] values, int[] exponents) {
        FloatVector value0 = magnitude(first, code);
        FloatVector value1 = magnitude(second, code);
        IntVector exponent0 = exponent(first, value0, code);
        IntVector exponent1 = exponent(second, value1, code);
        signed(first, value0, code).intoArray(values, 2 * u * Lanes.COUNT);
        signed(second, value1, code).intoArray(values, (2 * u + 1) * Lanes.COUNT);
        if (packed) {
            exponent0
                    .and(0xFFFF)
                    .or(exponent1.lanewise(LSHL, Short.SIZE))
                    .intoArray(exponents, u * Lanes.COUNT);
        } else {
            exponent0.intoArray(exponents, 2 * u * Lanes.COUNT);
            exponent1.intoArray(exponents, (2 * u + 1) * Lanes.COUNT);
        }
    }

    static FloatVector magnitude(IntVector word, FloatCode code) {
        return word.and(code.magnitude())
                .lanewise(LSHL, code.toFloat())
                .reinterpretAsFloats()
                .mul(code.rebias());
    }

    static FloatVector signed(IntVector word, FloatVector magnitude, FloatCode code) {
        return word.and(code.sign())
                .lanewise(LSHL, code.toSign())
                .or(magnitude.reinterpretAsInts())
                .reinterpretAsFloats();
    }

    static IntVector exponent(IntVector word, FloatVector magnitude, FloatCode code) {
        IntVector bits = word.and(code.magnitude());
        return magnitude
                .reinterpretAsInts()
                .lanewise(LSHR, 23)
                .sub(127)
                .max(code.minimumExponent())
                .blend(FloatCode.ZERO, bits.compare(EQ, 0))
                .blend(FloatCode.SPECIAL, bits.compare(GE, code.special()));
    }
}
