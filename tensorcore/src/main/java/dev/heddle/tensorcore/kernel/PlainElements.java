package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;

import java.util.function.IntUnaryOperator;

/// All elements of an operand, by row (of B: column) and k: their values as `double`, and the
/// exponents with which they enter a sum.
final class PlainElements {
    private final Placement place;
    private final FloatFormat format;
    private final IntUnaryOperator exponent;
    private final double[] values;
    private final int[] exponents;

    /// @param exponent of a code
    PlainElements(Placement place, FloatFormat format, IntUnaryOperator exponent) {
        this.place = place;
        this.format = format;
        this.exponent = exponent;
        this.values = new double[place.word().length];
        this.exponents = new int[values.length];
    }

    int minors() {
        return place.minors();
    }

    double[] values() {
        return values;
    }

    int[] exponents() {
        return exponents;
    }

    void read(int[] words) {
        int mask = (int) (-1L >>> (Long.SIZE - format.bits()));
        for (int at = 0; at < values.length; at++) {
            int bits = words[place.word()[at]] >>> place.bit()[at] & mask;
            values[at] = format.toDouble(Integer.toUnsignedLong(bits));
            exponents[at] = exponent.applyAsInt(bits);
        }
    }
}
