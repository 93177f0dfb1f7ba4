package dev.heddle.vm.semantics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Rounding;

/// Arithmetic on `.f16` and `.bf16` in 16-bit registers (PTX ISA 9.7.4); the packed forms apply
/// these to each half. A NaN result is always 0x7fff. Sums and products are formed in `double`, so
/// that rounding them gives what rounding the exact ones would: two rounded one after the other are
/// as one where the first keeps twice the bits of the second and two more (Figueroa, 1995).
public final class HalfArithmetic {
    /// The NaN that `.f16` and `.bf16` instructions produce.
    public static final int CANONICAL_NAN = 0x7fff;

    /// The NaN that stands for what is out of bounds, as `fma.oob` knows it.
    public static final int OUT_OF_BOUNDS_NAN = 0x7ff7;

    /// Bits of a double that a float lacks.
    private static final long BELOW = (1L << 29) - 1;

    private HalfArithmetic() {}

    /// A value rounded to a format, as `cvt.rn.f16` rounds.
    static int rounded(double exact, Rounding rounding, FloatFormat format) {
        if (Double.isNaN(exact)) {
            return CANONICAL_NAN;
        }
        if (rounding == Rounding.NEAREST_EVEN
                && (format == FloatFormat.F16 || Math.abs(exact) >= Float.MIN_NORMAL)) {
            return ofOdd(toOdd(exact), format);
        }
        double rounded =
                format == FloatFormat.F16
                        ? Exactly.round(exact, 11, -14, 15, rounding)
                        : Exactly.round(exact, 8, -126, 127, rounding);
        return code((float) rounded, format);
    }

    private static int nearest(double exact, FloatFormat format) {
        return rounded(exact, Rounding.NEAREST_EVEN, format);
    }

    /// The float of a double that is no subnormal float, rounded to odd. What is below these, and
    /// no float, is zero as `f16`, whichever float it becomes.
    private static float toOdd(double exact) {
        long bits = Double.doubleToRawLongBits(exact);
        // Adding carries into the last bit that stays if any below it is set.
        return (float) Double.longBitsToDouble((bits | (bits & BELOW) + BELOW) & ~BELOW);
    }

    /// A float that is no NaN and was rounded to odd, to the nearest.
    private static int ofOdd(float odd, FloatFormat format) {
        if (format == FloatFormat.F16) {
            return code(odd, format);
        }
        int bits = Float.floatToRawIntBits(odd);
        return bits + 0x7fff + (bits >>> 16 & 1) >>> 16;
    }

    /// The code of a value that a format has; of a NaN, its sign and what fits of its payload.
    static int code(float value, FloatFormat format) {
        return format == FloatFormat.F16
                ? Float.floatToFloat16(value) & 0xffff
                : Float.floatToRawIntBits(value) >>> 16;
    }

    static float value(int a, FloatFormat format) {
        return format == FloatFormat.F16
                ? Float.float16ToFloat((short) a)
                : Float.intBitsToFloat(a << 16);
    }

    static boolean isNan(int a, FloatFormat format) {
        return (a & 0x7fff) > (format == FloatFormat.F16 ? 0x7c00 : 0x7f80);
    }

    private static int canonical(int a, FloatFormat format) {
        return isNan(a, format) ? CANONICAL_NAN : a;
    }

    public static int add(int a, int b, FloatFormat format) {
        return nearest((double) value(a, format) + value(b, format), format);
    }

    public static int subtract(int a, int b, FloatFormat format) {
        return nearest((double) value(a, format) - value(b, format), format);
    }

    public static int multiply(int a, int b, FloatFormat format) {
        return nearest((double) value(a, format) * value(b, format), format);
    }

    /// A sum of `bf16` may be as long as it likes, and is rounded to odd. One of `f16` that is too
    /// long for a double is an addend of at least 2^31 times the product, and rounds to the addend,
    /// or it is beyond all numbers.
    public static int fused(int a, int b, int c, FloatFormat format) {
        double product = (double) value(a, format) * value(b, format);
        float addend = value(c, format);
        return nearest(
                format == FloatFormat.F16 ? product + addend : Exactly.sum(product, addend),
                format);
    }

    /// `.ftz`: subnormals become zero of the same sign.
    public static int flush(int a, FloatFormat format) {
        return (a & 0x7fff) < format.minNormal() ? a & 0x8000 : a;
    }

    /// `.sat`: clamped to [+0, 1], NaN to +0.
    public static int saturate(int a, FloatFormat format) {
        if (isNan(a, format) || (a & 0x8000) != 0) {
            return 0;
        }
        return Math.min(a, oneWhere(true, format));
    }

    /// `.relu`: negative results become +0, NaN canonical.
    public static int relu(int a, FloatFormat format) {
        if (isNan(a, format)) {
            return CANONICAL_NAN;
        }
        return (a & 0x8000) != 0 ? 0 : a;
    }

    public static int absolute(int a, FloatFormat format) {
        return isNan(a, format) ? CANONICAL_NAN : a & 0x7fff;
    }

    public static int negate(int a, FloatFormat format) {
        return isNan(a, format) ? CANONICAL_NAN : a ^ 0x8000;
    }

    public static int minimum(int a, int b, FloatFormat format) {
        if (isNan(a, format)) {
            return canonical(b, format);
        }
        return isNan(b, format) ? a : minimumNan(a, b, format);
    }

    public static int minimumNan(int a, int b, FloatFormat format) {
        return nearest(Math.min(value(a, format), value(b, format)), format);
    }

    public static int maximum(int a, int b, FloatFormat format) {
        if (isNan(a, format)) {
            return canonical(b, format);
        }
        return isNan(b, format) ? a : maximumNan(a, b, format);
    }

    public static int maximumNan(int a, int b, FloatFormat format) {
        return nearest(Math.max(value(a, format), value(b, format)), format);
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
    public static int oneWhere(boolean condition, FloatFormat format) {
        return condition ? code(1f, format) : 0;
    }
}
