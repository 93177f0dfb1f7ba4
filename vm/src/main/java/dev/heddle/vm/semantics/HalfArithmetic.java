package dev.heddle.vm.semantics;

import dev.heddle.formats.Rounding;

/// Arithmetic on `.f16` and `.bf16` in 16-bit registers (PTX ISA 9.7.4); the packed forms apply
/// these to each half. A NaN result is always 0x7fff. Sums and products are formed exactly (rounded
/// to odd in double) and rounded once.
public final class HalfArithmetic {
    /// The NaN that `.f16` and `.bf16` instructions produce.
    public static final int CANONICAL_NAN = 0x7fff;

    private static final int OUT_OF_BOUNDS_NAN = 0x7ff7;

    private HalfArithmetic() {}

    /// The `.f16` of a value, as `cvt.rn.f16` rounds.
    static int half(double exact, Rounding rounding) {
        if (Double.isNaN(exact)) {
            return CANONICAL_NAN;
        }
        float rounded = (float) Exactly.round(exact, 11, -14, 15, rounding);
        return Float.floatToFloat16(rounded) & 0xffff;
    }

    static int brain(double exact, Rounding rounding) {
        if (Double.isNaN(exact)) {
            return CANONICAL_NAN;
        }
        float rounded = (float) Exactly.round(exact, 8, -126, 127, rounding);
        return Float.floatToRawIntBits(rounded) >>> 16;
    }

    static float fromHalf(int a) {
        return Float.float16ToFloat((short) a);
    }

    static float fromBrain(int a) {
        return Float.intBitsToFloat(a << 16);
    }

    public static int addF16(int a, int b) {
        return half(Exactly.sum(fromHalf(a), fromHalf(b)), Rounding.NEAREST_EVEN);
    }

    public static int subtractF16(int a, int b) {
        return half(Exactly.sum(fromHalf(a), -fromHalf(b)), Rounding.NEAREST_EVEN);
    }

    public static int multiplyF16(int a, int b) {
        return half((double) fromHalf(a) * fromHalf(b), Rounding.NEAREST_EVEN);
    }

    public static int fusedF16(int a, int b, int c) {
        return half(
                Exactly.sum((double) fromHalf(a) * fromHalf(b), fromHalf(c)),
                Rounding.NEAREST_EVEN);
    }

    /// `.ftz`: subnormals become zero of the same sign.
    public static int flushF16(int a) {
        return (a & 0x7fff) < 0x0400 ? a & 0x8000 : a;
    }

    /// `.sat`: clamped to [+0, 1], NaN to +0.
    public static int saturateF16(int a) {
        if (isNanF16(a) || (a & 0x8000) != 0) {
            return 0;
        }
        return Math.min(a, 0x3c00);
    }

    /// `.relu`: negative results become +0, NaN canonical.
    public static int reluF16(int a) {
        if (isNanF16(a)) {
            return CANONICAL_NAN;
        }
        return (a & 0x8000) != 0 ? 0 : a;
    }

    static boolean isNanF16(int a) {
        return (a & 0x7fff) > 0x7c00;
    }

    static int canonicalF16(int a) {
        return isNanF16(a) ? CANONICAL_NAN : a;
    }

    public static int absoluteF16(int a) {
        return isNanF16(a) ? CANONICAL_NAN : a & 0x7fff;
    }

    public static int negateF16(int a) {
        return isNanF16(a) ? CANONICAL_NAN : a ^ 0x8000;
    }

    public static int minimumF16(int a, int b) {
        return isNanF16(a) ? canonicalF16(b) : isNanF16(b) ? a : minimumNanF16(a, b);
    }

    public static int minimumNanF16(int a, int b) {
        return half(Math.min(fromHalf(a), fromHalf(b)), Rounding.NEAREST_EVEN);
    }

    public static int maximumF16(int a, int b) {
        return isNanF16(a) ? canonicalF16(b) : isNanF16(b) ? a : maximumNanF16(a, b);
    }

    public static int maximumNanF16(int a, int b) {
        return half(Math.max(fromHalf(a), fromHalf(b)), Rounding.NEAREST_EVEN);
    }

    public static int addBf16(int a, int b) {
        return brain(Exactly.sum(fromBrain(a), fromBrain(b)), Rounding.NEAREST_EVEN);
    }

    public static int subtractBf16(int a, int b) {
        return brain(Exactly.sum(fromBrain(a), -fromBrain(b)), Rounding.NEAREST_EVEN);
    }

    public static int multiplyBf16(int a, int b) {
        return brain((double) fromBrain(a) * fromBrain(b), Rounding.NEAREST_EVEN);
    }

    public static int fusedBf16(int a, int b, int c) {
        return brain(
                Exactly.sum((double) fromBrain(a) * fromBrain(b), fromBrain(c)),
                Rounding.NEAREST_EVEN);
    }

    /// `.relu`: negative results become +0, NaN canonical.
    public static int reluBf16(int a) {
        if (isNanBf16(a)) {
            return CANONICAL_NAN;
        }
        return (a & 0x8000) != 0 ? 0 : a;
    }

    static boolean isNanBf16(int a) {
        return (a & 0x7fff) > 0x7f80;
    }

    static int canonicalBf16(int a) {
        return isNanBf16(a) ? CANONICAL_NAN : a;
    }

    public static int absoluteBf16(int a) {
        return isNanBf16(a) ? CANONICAL_NAN : a & 0x7fff;
    }

    public static int negateBf16(int a) {
        return isNanBf16(a) ? CANONICAL_NAN : a ^ 0x8000;
    }

    public static int minimumBf16(int a, int b) {
        return isNanBf16(a) ? canonicalBf16(b) : isNanBf16(b) ? a : minimumNanBf16(a, b);
    }

    public static int minimumNanBf16(int a, int b) {
        return brain(Math.min(fromBrain(a), fromBrain(b)), Rounding.NEAREST_EVEN);
    }

    public static int maximumBf16(int a, int b) {
        return isNanBf16(a) ? canonicalBf16(b) : isNanBf16(b) ? a : maximumNanBf16(a, b);
    }

    public static int maximumNanBf16(int a, int b) {
        return brain(Math.max(fromBrain(a), fromBrain(b)), Rounding.NEAREST_EVEN);
    }

    /// `.xorsign.abs`: the exclusive or of the operands' signs on a magnitude; a NaN has no sign.
    public static int xorSign16(int magnitude, int a, int b) {
        return magnitude == CANONICAL_NAN ? CANONICAL_NAN : magnitude & 0x7fff | (a ^ b) & 0x8000;
    }

    /// `fma.oob`: zero where a multiplicand is the NaN that stands for what is out of bounds. The
    /// manual does not give its bits: on an H200 it is this one, in both formats, with either sign,
    /// and the addend may be it.
    public static int withinBounds16(int result, int a, int b) {
        return (a & 0x7fff) == OUT_OF_BOUNDS_NAN || (b & 0x7fff) == OUT_OF_BOUNDS_NAN ? 0 : result;
    }

    public static int magnitude16(int a) {
        return a & 0x7fff;
    }

    /// `set.f16`: 1.0 where true.
    public static int oneWhereF16(boolean condition) {
        return condition ? 0x3c00 : 0;
    }

    public static int oneWhereBf16(boolean condition) {
        return condition ? 0x3f80 : 0;
    }
}
