package dev.heddle.conformance.kernels;

/// The two 16-bit float formats, by way of `float`.
enum Halves {
    F16(0x3c00) {
        @Override
        float value(int bits) {
            return Float.float16ToFloat((short) bits);
        }

        @Override
        int nearestNumber(float value) {
            return Float.floatToFloat16(value) & 0xffff;
        }
    },
    BF16(0x3f80) {
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

    Halves(int one) {
        this.one = one;
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
