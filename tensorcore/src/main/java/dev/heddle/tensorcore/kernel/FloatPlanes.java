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
/// Exponents stand like the values, or packed: those of the vectors of a pair side by side in the
/// halves of the words of one vector.
final class FloatPlanes {
    private static final int INFINITE = 0x7F80_0000;
    private static final int FRACTION_BITS = 23;
    private static final short FIELD = 0xFF;
    private static final short BIAS = 127;

    private final WordGather gather;
    private final FloatCode code;
    private final boolean packed;
    private final int pairStep;
    private final float[] values;
    private final int[] exponents;

    FloatPlanes(VectorTable table, FloatCode code, boolean packed) {
        this.gather = new WordGather(table);
        this.code = code;
        this.packed = packed;
        this.pairStep = table.pairStep() * Lanes.COUNT;
        this.values = new float[gather.vectors() * Lanes.COUNT];
        this.exponents = new int[packed ? values.length / 2 : values.length];
    }

    float[] values() {
        return values;
    }

    int[] exponents() {
        return exponents;
    }

    void read(int[] words) {
        gather.read(words);
        decodeValues();
        if (packed) {
            decodePackedExponents();
        } else {
            decodeExponents();
        }
    }

    /// Infinities, NaN and numbers that are subnormal even in a `float` come out with the exponent
    /// field of infinity.
    private void decodeValues() {
        int magnitude = code.magnitude();
        int toFloat = code.toFloat();
        int sign = code.sign();
        int toSign = code.toSign();
        float rebias = code.rebias();
        int special = code.special();
        int smallest = code.smallest();
        int[] sources = gather.sources();
        int[] shifts = gather.bits();
        int[] words = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector element =
                    IntVector.fromArray(Lanes.INT, words, sources[vector])
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, shifts, at));
            IntVector bits = element.and(magnitude);
            IntVector value =
                    bits.lanewise(LSHL, toFloat)
                            .reinterpretAsFloats()
                            .mul(rebias)
                            .reinterpretAsInts();
            VectorMask<Integer> apart =
                    bits.compare(GE, special)
                            .or(bits.compare(LT, smallest).and(bits.compare(NE, 0)));
            value.blend(INFINITE, apart)
                    .or(element.and(sign).lanewise(LSHL, toSign))
                    .reinterpretAsFloats()
                    .intoArray(values, at);
        }
    }

    private void decodeExponents() {
        int minimum = code.minimumExponent();
        for (int at = 0; at < exponents.length; at += Lanes.COUNT) {
            IntVector field =
                    FloatVector.fromArray(Lanes.FLOAT, values, at)
                            .reinterpretAsInts()
                            .lanewise(LSHR, FRACTION_BITS)
                            .and(FIELD);
            field.sub(BIAS)
                    .max(minimum)
                    .blend(FloatCode.ZERO, field.compare(EQ, 0))
                    .blend(FloatCode.SPECIAL, field.compare(EQ, FIELD))
                    .intoArray(exponents, at);
        }
    }

    private void decodePackedExponents() {
        short minimum = (short) code.minimumExponent();
        int step = pairStep;
        for (int at = 0; at < exponents.length; at += Lanes.COUNT) {
            int first = 2 * at - (at & step - Lanes.COUNT);
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
