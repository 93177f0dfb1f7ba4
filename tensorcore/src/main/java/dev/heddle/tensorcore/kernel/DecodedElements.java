package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/// Elements of a floating-point operand, one after the other: their values as `float`, and the
/// exponents with which they enter a fused sum.
///
/// [DecodedOperand] does the same for rows across the lanes, whose exponents are packed. A loop
/// that both shared would hand vectors over, which makes them objects.
final class DecodedElements {
    private static final int FRACTION_BITS = 23;
    private static final int BIAS = 127;
    // One more in the exponent field
    private static final int ONE_UP = 1 << FRACTION_BITS;

    private final int[] words;
    private final int[] bits;
    private final FloatCode code;
    private final float[] values;
    private final int[] exponents;

    DecodedElements(ElementOrder order, FloatCode code) {
        this.words = order.words();
        this.bits = order.bits();
        this.code = code;
        this.values = new float[words.length];
        this.exponents = new int[words.length];
    }

    float[] values() {
        return values;
    }

    int[] exponents() {
        return exponents;
    }

    void read(int[] source) {
        int magnitude = code.magnitude();
        int toFloat = code.toFloat();
        int sign = code.sign();
        int toSign = code.toSign();
        int rebias = code.rebias() << FRACTION_BITS;
        float leadingOne = Float.intBitsToFloat(rebias + ONE_UP);
        int firstNormal = code.firstNormal();
        int special = code.special();
        int minimum = code.minimumExponent();
        for (int at = 0; at < values.length; at += ColumnLanes.COUNT) {
            IntVector element =
                    IntVector.fromArray(ColumnLanes.INT, source, 0, words, at)
                            .lanewise(LSHR, IntVector.fromArray(ColumnLanes.INT, bits, at));
            IntVector code = element.and(magnitude);
            IntVector normal = code.lanewise(LSHL, toFloat).add(rebias);
            // One exponent up, less the leading one that a subnormal has not: arithmetic on a
            // subnormal float would be slow
            IntVector subnormal =
                    normal.add(ONE_UP).reinterpretAsFloats().sub(leadingOne).reinterpretAsInts();
            VectorMask<Integer> infinite = code.compare(GE, special);
            IntVector value =
                    normal.blend(subnormal, code.compare(LT, firstNormal))
                            .blend(FloatCode.INFINITE, infinite);
            value.or(element.and(sign).lanewise(LSHL, toSign))
                    .reinterpretAsFloats()
                    .intoArray(values, at);
            value.lanewise(LSHR, FRACTION_BITS)
                    .sub(BIAS)
                    .max(minimum)
                    .blend(FloatCode.ZERO, code.compare(EQ, 0))
                    .blend(FloatCode.SPECIAL, infinite)
                    .intoArray(exponents, at);
        }
    }
}
