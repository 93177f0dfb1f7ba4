package dev.heddle.conformance.kernels;

import java.util.function.IntBinaryOperator;

/// The two 16-bit float formats, by way of `float`.
enum Halves {
    F16(
            0x3c00,
            new int[] {
                0x0000, 0x8000, 0x3c00, 0xbc01, 0x0001, 0x8001, 0x03ff, 0x8400, 0x7bff, 0xfbff,
                0x1400, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01
            }) {
        @Override
        float value(int bits) {
            return Float.float16ToFloat((short) bits);
        }

        @Override
        int nearestNumber(float value) {
            return Float.floatToFloat16(value) & 0xffff;
        }
    },
    BF16(
            0x3f80,
            new int[] {
                0x0000, 0x8000, 0x3f80, 0xbf81, 0x0001, 0x8001, 0x007f, 0x8080, 0x7f7f, 0xff7f,
                0x3b80, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81
            }) {
        @Override
        float value(int bits) {
            return Float.intBitsToFloat(bits << 16);
        }

        @Override
        int nearestNumber(float value) {
            int bits = Float.floatToRawIntBits(value);
            return bits + 0x7fff + (bits >>> 16 & 1) >>> 16;
        }
    };

    static final int NAN = 0x7fff;

    /// The bits of 1.
    final int one;

    /// Sixteen codes: zeros, numbers, the least and the largest, and behind the eleventh infinities
    /// and NaNs.
    final int[] samples;

    Halves(int one, int[] samples) {
        this.one = one;
        this.samples = samples;
    }

    /// The same operation on both halves of words.
    static int each(IntBinaryOperator operation, int a, int b) {
        int low = operation.applyAsInt(a & 0xffff, b & 0xffff) & 0xffff;
        return operation.applyAsInt(a >>> 16, b >>> 16) << 16 | low;
    }

    /// The operation on the low half; the high one stays.
    static int low(IntBinaryOperator operation, int a, int b) {
        return a & 0xffff_0000 | operation.applyAsInt(a & 0xffff, b & 0xffff) & 0xffff;
    }

    abstract float value(int bits);

    /// The bits nearest to a number, ties to even.
    abstract int nearestNumber(float value);

    int nearest(float value) {
        return Float.isNaN(value) ? NAN : nearestNumber(value);
    }

    /// The sum rounded to nearest even. That `float` has rounded it before does no harm: it has
    /// more than twice the digits and two.
    int sum(int a, int b) {
        return nearest(value(a) + value(b));
    }

    /// PTX ISA 9.7.4.7 and 9.7.4.8: the other one of a NaN, the canonical NaN of two; -0 is less
    /// than +0.
    int extremum(int a, int b, boolean least) {
        float x = value(a);
        float y = value(b);
        if (Float.isNaN(x)) {
            return Float.isNaN(y) ? NAN : b;
        }
        if (Float.isNaN(y)) {
            return a;
        }
        return Float.compare(x, y) < 0 == least ? a : b;
    }
}
