package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;

/// Decoded elements of a floating-point operand: their values, and the exponents with which they
/// enter a fused sum.
///
/// Exponents are 16 bits wide: those of the two vectors of a pair are side by side in the halves
/// of the words of one vector, or those of one vector in both halves.
final class DecodedOperand {
    private static final int FRACTION_BITS = 23;
    private static final short FIELD = 0xFF;
    private static final short BIAS = 127;

    private final WordGather gather;
    private final FloatCode code;
    private final int pairStep;
    private final float[] values;
    private final int[] exponents;

    DecodedOperand(VectorTable table, FloatCode code) {
        this.gather = new WordGather(table);
        this.code = code;
        this.pairStep = table.pairStep() * Lanes.COUNT;
        this.values = new float[gather.vectors() * Lanes.COUNT];
        this.exponents = new int[pairStep == 0 ? values.length : values.length / 2];
    }

    float[] values() {
        return values;
    }

    int[] exponents() {
        return exponents;
    }

    void read(int[] words) {
        gather.read(words);
        if (code.rebias() == 0) {
            decodeWide();
        } else {
            decodeNarrow();
        }
        decodeExponents();
    }

    /// Formats with the exponents of a `float`. Infinities, NaN and subnormal numbers come out with
    /// the exponent field of infinity.
    private void decodeWide() {
        int magnitude = code.magnitude();
        int toFloat = code.toFloat();
        int sign = code.sign();
        int toSign = code.toSign();
        int firstNormal = code.firstNormal();
        int[] sources = gather.sources();
        int[] shifts = gather.bits();
        int[] words = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector element =
                    IntVector.fromArray(Lanes.INT, words, sources[vector])
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, shifts, at));
            IntVector bits = element.and(magnitude);
            VectorMask<Integer> subnormal = bits.compare(LT, firstNormal).and(bits.compare(NE, 0));
            bits.lanewise(LSHL, toFloat)
                    .blend(FloatCode.INFINITE, subnormal)
                    .or(element.and(sign).lanewise(LSHL, toSign))
                    .reinterpretAsFloats()
                    .intoArray(values, at);
        }
    }

    /// Formats with a smaller range. Infinities and NaN come out with the exponent field of
    /// infinity.
    void decodeNarrow() {
        int magnitude = code.magnitude();
        int toFloat = code.toFloat();
        int sign = code.sign();
        int toSign = code.toSign();
        int rebias = code.rebias() << FRACTION_BITS;
        float leadingOne = Float.intBitsToFloat(rebias + (1 << FRACTION_BITS));
        int firstNormal = code.firstNormal();
        int special = code.special();
        int[] sources = gather.sources();
        int[] shifts = gather.bits();
        int[] words = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector element =
                    IntVector.fromArray(Lanes.INT, words, sources[vector])
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, shifts, at));
            IntVector bits = element.and(magnitude);
            IntVector normal = bits.lanewise(LSHL, toFloat).add(rebias);
            // One exponent up, less the leading one that a subnormal has not: arithmetic on a
            // subnormal float would be slow
            IntVector subnormal =
                    normal.add(1 << FRACTION_BITS)
                            .reinterpretAsFloats()
                            .sub(leadingOne)
                            .reinterpretAsInts();
            normal.blend(subnormal, bits.compare(LT, firstNormal))
                    .blend(FloatCode.INFINITE, bits.compare(GE, special))
                    .or(element.and(sign).lanewise(LSHL, toSign))
                    .reinterpretAsFloats()
                    .intoArray(values, at);
        }
    }

    void decodeExponents() {
        short minimum = (short) code.minimumExponent();
        int step = pairStep;
        int within = step == 0 ? -1 : step - Lanes.COUNT;
        for (int at = 0; at < exponents.length; at += Lanes.COUNT) {
            int first = 2 * at - (at & within);
            IntVector low =
                    FloatVector.fromArray(Lanes.FLOAT, values, first)
                            .reinterpretAsInts()
                            .lanewise(LSHR, FRACTION_BITS)
                            .and(FIELD);
            IntVector high =
                    FloatVector.fromArray(Lanes.FLOAT, values, first + step)
                            .reinterpretAsInts()
                            .lanewise(LSHR, FRACTION_BITS - Short.SIZE)
                            .and(FIELD << Short.SIZE);
            ShortVector field = low.or(high).reinterpretAsShorts();
            field.sub(BIAS)
                    .max(minimum)
                    .blend(FloatCode.ZERO, field.compare(EQ, (short) 0))
                    .blend(FloatCode.SPECIAL, field.compare(EQ, FIELD))
                    .reinterpretAsInts()
                    .intoArray(exponents, at);
        }
    }
}
