package dev.heddle.tensorcore.functions;

import static dev.heddle.tensorcore.functions.Interpolator.X_BITS;
import static dev.heddle.tensorcore.functions.Interpolator.X_MASK;

/// The multi-function unit: what one `MUFU` instruction of the machine computes, on the bits of
/// `.f32` values and on the high words of `.f64` values.
///
/// A NaN result is 0x7fffffff whatever the NaN that went in. Subnormal inputs count as zeros and
/// results below 2^-126 become zeros of their sign; only `MUFU.TANH` lets subnormals through.
public final class Mufu {
    /// The NaN of `.f32` results, and the high word of the one of `.f64` results.
    public static final int NAN = 0x7fffffff;

    private static final int SIGN = 0x8000_0000;
    private static final int INFINITY = 0x7f80_0000;
    private static final int ONE = 0x3f80_0000;
    private static final int FRACTION = 0x7f_ffff;
    private static final int HIDDEN = 0x80_0000;
    private static final int BIAS = 127;

    /// The binades of tanh, from exponent field 119 on: 2^r rows each, V of weight 2^(u - 44).
    private static final int[] TANH_R = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};

    private static final int[] TANH_U = {5, 6, 7, 6, 7, 6, 7, 8, 7, 5, 7};
    private static final int[] TANH_FIRST = firstRows();
    /// The least exponent field of the binades.
    static final int TANH_LEAST = 119;

    private Mufu() {}

    private static int[] firstRows() {
        int[] first = new int[TANH_R.length];
        for (int i = 1; i < first.length; i++) {
            first[i] = first[i - 1] + (1 << TANH_R[i - 1]);
        }
        return first;
    }

    /// Of each binade, from the low bits: 3 with how many bits of the fraction are dropped, u above
    /// bit 8, the first row above bit 16.
    static int[] tanhBinades() {
        int[] packed = new int[TANH_R.length];
        for (int i = 0; i < packed.length; i++) {
            packed[i] = 6 - TANH_R[i] | TANH_U[i] << 8 | TANH_FIRST[i] << 16;
        }
        return packed;
    }

    private static int exponent(int bits) {
        return bits >>> 23 & 0xff;
    }

    private static boolean isNan(int bits) {
        return (bits & ~SIGN) > INFINITY;
    }

    /// `MUFU.RCP`.
    public static int rcp(int bits) {
        int sign = bits & SIGN;
        int exponent = exponent(bits);
        int fraction = bits & FRACTION;
        if (exponent == 0xff) {
            return fraction != 0 ? NAN : sign;
        }
        if (exponent == 0) {
            return sign | INFINITY;
        }
        if (fraction == 0) {
            return sign | normal(254 - exponent, HIDDEN);
        }
        return sign | normal(253 - exponent, (int) (rcpValue(fraction) >> 15));
    }

    /// Its rows are twice as many, so x has 16 bits only, and the squarer reads it doubled.
    private static long rcpValue(int fraction) {
        int x = fraction & 0xffff;
        return Interpolator.RCP.value(fraction >>> 16, x, Interpolator.square(x << 1));
    }

    /// A number from its exponent field and 24 significant bits; zero below the normal ones.
    private static int normal(int exponent, int significand) {
        return exponent <= 0 ? 0 : (exponent << 23) + (significand - HIDDEN);
    }

    /// `MUFU.RSQ`.
    public static int rsq(int bits) {
        int exponent = exponent(bits);
        int fraction = bits & FRACTION;
        if (isNan(bits)) {
            return NAN;
        }
        if (exponent == 0) {
            return bits & SIGN | INFINITY;
        }
        if (bits < 0) {
            return NAN;
        }
        if (exponent == 0xff) {
            return 0;
        }
        int half = exponent - BIAS >> 1;
        int parity = exponent - BIAS & 1;
        return (parity | fraction) == 0
                ? normal(BIAS - half, HIDDEN)
                : normal(BIAS - 1 - half, (int) (rsqValue(parity, fraction) >> 16));
    }

    private static long rsqValue(int parity, int fraction) {
        return Interpolator.RSQ.value(parity << 6 | fraction >>> X_BITS, fraction & X_MASK);
    }

    /// `MUFU.SQRT`.
    public static int sqrt(int bits) {
        int exponent = exponent(bits);
        int fraction = bits & FRACTION;
        if (isNan(bits)) {
            return NAN;
        }
        if (exponent == 0) {
            return bits & SIGN;
        }
        if (bits < 0) {
            return NAN;
        }
        if (exponent == 0xff) {
            return INFINITY;
        }
        int half = exponent - BIAS >> 1;
        int parity = exponent - BIAS & 1;
        if ((parity | fraction) == 0) {
            return normal(BIAS + half, HIDDEN);
        }
        Interpolator rows = parity == 0 ? Interpolator.SQRT_EVEN : Interpolator.SQRT_ODD;
        return normal(
                BIAS + half, (int) (rows.value(fraction >>> X_BITS, fraction & X_MASK) >> 17));
    }

    /// `MUFU.EX2`.
    public static int ex2(int bits) {
        int exponent = exponent(bits);
        if (isNan(bits)) {
            return NAN;
        }
        if (exponent >= BIAS + 7) {
            return bits < 0 ? 0 : INFINITY;
        }
        // The magnitude as a fixed-point number, 7.23 bits, cut.
        int significand = bits & FRACTION | HIDDEN;
        int distance = exponent - BIAS;
        int fixed =
                exponent == 0 || distance < -23
                        ? 0
                        : distance >= 0 ? significand << distance : significand >>> -distance;
        if (bits < 0) {
            fixed = (fixed & FRACTION) == 0 ? -fixed : ~fixed;
        }
        int fraction = fixed & FRACTION;
        long value = Interpolator.EX2.value(fraction >>> X_BITS, fraction & X_MASK);
        return normal((fixed >> 23) + BIAS, (int) (value >> 15));
    }

    /// `MUFU.LG2`.
    public static int lg2(int bits) {
        int exponent = exponent(bits);
        int fraction = bits & FRACTION;
        if (isNan(bits)) {
            return NAN;
        }
        if (exponent == 0) {
            return SIGN | INFINITY;
        }
        if (bits < 0) {
            return NAN;
        }
        if (exponent == 0xff) {
            return INFINITY;
        }
        if (bits == ONE) {
            return 0;
        }
        long sum =
                (Interpolator.LG2.value(fraction >>> X_BITS, fraction & X_MASK) >> 2)
                        + ((long) (exponent - BIAS) << 36);
        return sum < 0 ? SIGN | cut(~sum, 36) : cut(sum, 36);
    }

    /// A magnitude of so many fraction bits as `.f32`, cut to 24 significant bits.
    private static int cut(long magnitude, int fractionBits) {
        if (magnitude == 0) {
            return 0;
        }
        int top = 63 - Long.numberOfLeadingZeros(magnitude);
        long significand = top >= 23 ? magnitude >>> top - 23 : magnitude << 23 - top;
        return normal(top - fractionBits + BIAS, (int) significand);
    }

    /// `MUFU.SIN`, of an argument in revolutions.
    public static int sin(int bits) {
        if (exponent(bits) == 0xff) {
            return NAN;
        }
        int turn = turn(bits);
        return bits & SIGN ^ quadrant(turn >>> 23 & 3, turn);
    }

    /// `MUFU.COS`, of an argument in revolutions.
    public static int cos(int bits) {
        if (exponent(bits) == 0xff) {
            return NAN;
        }
        if (exponent(bits) < BIAS - 25) {
            return ONE;
        }
        int turn = turn(bits);
        return quadrant((turn >>> 23) + 1 & 3, turn);
    }

    /// The magnitude modulo 1, cut to 25 fraction bits.
    private static int turn(int bits) {
        int significand = bits & FRACTION | HIDDEN;
        int left = exponent(bits) - BIAS - 23 + 25;
        if (left <= -24 || left >= 25 || exponent(bits) == 0) {
            return 0;
        }
        return (left >= 0 ? significand << left : significand >>> -left) & 0x1ff_ffff;
    }

    private static int quadrant(int quadrant, int turn) {
        int fraction = ((quadrant & 1) != 0 ? ~turn : turn) & FRACTION;
        long value = Interpolator.SIN.value(fraction >>> X_BITS, fraction & X_MASK);
        return (quadrant >= 2 ? SIGN : 0) | cut(value, 37);
    }

    /// `MUFU.TANH`.
    public static int tanh(int bits) {
        int exponent = exponent(bits);
        if (isNan(bits)) {
            return NAN;
        }
        if (exponent < TANH_LEAST) {
            return bits;
        }
        int binade = exponent - TANH_LEAST;
        if (binade >= TANH_R.length) {
            return bits & SIGN | ONE;
        }
        int fraction = bits & FRACTION;
        int r = TANH_R[binade];
        long value =
                Interpolator.TANH.value(
                        TANH_FIRST[binade] + (fraction >>> 23 - r), fraction >>> 6 - r & X_MASK);
        return bits & SIGN | cut(value, 44 - TANH_U[binade]);
    }

    // The half types: the core on the widened input, its result cut.

    /// `MUFU.EX2.F16`.
    public static int ex2F16(int bits) {
        return cutToF16(ex2(f16(bits)));
    }

    /// `MUFU.EX2.BF16`.
    public static int ex2Bf16(int bits) {
        return ex2(bits << 16) >>> 16;
    }

    /// `MUFU.TANH.F16`.
    public static int tanhF16(int bits) {
        return cutToF16(tanh(f16(bits)));
    }

    /// `MUFU.TANH.BF16`.
    public static int tanhBf16(int bits) {
        return tanh(bits << 16) >>> 16;
    }

    private static int f16(int bits) {
        return Float.floatToRawIntBits(Float.float16ToFloat((short) bits));
    }

    /// Toward zero, but to infinity from 65536 on.
    private static int cutToF16(int bits) {
        if (isNan(bits)) {
            return 0x7fff;
        }
        int sign = bits >>> 16 & 0x8000;
        int exponent = exponent(bits) - BIAS + 15;
        int significand = bits & FRACTION | HIDDEN;
        if (exponent >= 31) {
            return sign | 0x7c00;
        }
        if (exponent <= 0) {
            return sign | (exponent < -10 ? 0 : significand >>> 14 - exponent);
        }
        return sign | exponent << 10 | (significand & FRACTION) >>> 13;
    }

    // The seeds of .f64: high words in, high words out; the low word of the result is zero.

    /// `MUFU.RCP64H`. The low word is not looked at: a NaN whose payload is there counts as
    /// infinity.
    public static int rcp64h(int high) {
        int sign = high & SIGN;
        int exponent = high >>> 20 & 0x7ff;
        int fraction = high & 0xf_ffff;
        if (exponent == 0x7ff) {
            return fraction != 0 ? NAN : sign;
        }
        if (exponent == 0) {
            return sign | 0x7ff0_0000;
        }
        if (fraction == 0) {
            return sign | normal64(2046 - exponent, 1 << 20);
        }
        return sign | normal64(2045 - exponent, (int) (rcpValue(fraction << 3) >> 18));
    }

    /// `MUFU.RSQ64H`, likewise.
    public static int rsq64h(int high) {
        int exponent = high >>> 20 & 0x7ff;
        int fraction = high & 0xf_ffff;
        if (exponent == 0x7ff && fraction != 0) {
            return NAN;
        }
        if (exponent == 0) {
            return high & SIGN | 0x7ff0_0000;
        }
        if (high < 0) {
            return NAN;
        }
        if (exponent == 0x7ff) {
            return 0;
        }
        int half = exponent - 1023 >> 1;
        int parity = exponent - 1023 & 1;
        return (parity | fraction) == 0
                ? normal64(1023 - half, 1 << 20)
                : normal64(1022 - half, (int) (rsqValue(parity, fraction << 3) >> 19));
    }

    private static int normal64(int exponent, int significand) {
        return exponent <= 0 ? 0 : (exponent << 20) + (significand - (1 << 20));
    }
}
