package dev.heddle.vm.semantics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;

/// `cvt` between numbers, PTX ISA 9.7.9.21; integers narrower than 32 bits are extended or cut by
/// the caller.
public final class Conversion {
    private Conversion() {}

    // Integer to float.

    public static float f32FromS32(int a) {
        return a;
    }

    public static double f64FromS32(int a) {
        return a;
    }

    public static int narrowFromS32(int a, Rounding rounding, FloatFormat format) {
        return HalfArithmetic.rounded(a, rounding, format);
    }

    public static float f32FromS32(int a, Rounding rounding) {
        return Exactly.toFloat((double) a, rounding);
    }

    public static float f32FromU32(int a) {
        return (float) (a & 0xffff_ffffL);
    }

    public static double f64FromU32(int a) {
        return a & 0xffff_ffffL;
    }

    public static int narrowFromU32(int a, Rounding rounding, FloatFormat format) {
        return HalfArithmetic.rounded((double) (a & 0xffff_ffffL), rounding, format);
    }

    public static float f32FromU32(int a, Rounding rounding) {
        return Exactly.toFloat((double) (a & 0xffff_ffffL), rounding);
    }

    public static float f32FromS64(long a) {
        return a;
    }

    public static double f64FromS64(long a) {
        return a;
    }

    public static int narrowFromS64(long a, Rounding rounding, FloatFormat format) {
        return HalfArithmetic.rounded(Exactly.integer(a, false), rounding, format);
    }

    public static float f32FromS64(long a, Rounding rounding) {
        return Exactly.toFloat(Exactly.integer(a, false), rounding);
    }

    public static double f64FromS64(long a, Rounding rounding) {
        return Exactly.toDouble(decimal(a, false), rounding);
    }

    public static float f32FromU64(long a) {
        return Exactly.toFloat(Exactly.integer(a, true), Rounding.NEAREST_EVEN);
    }

    public static double f64FromU64(long a) {
        return a >= 0 ? (double) a : (double) (a >>> 1 | a & 1) * 2;
    }

    public static int narrowFromU64(long a, Rounding rounding, FloatFormat format) {
        return HalfArithmetic.rounded(Exactly.integer(a, true), rounding, format);
    }

    public static float f32FromU64(long a, Rounding rounding) {
        return Exactly.toFloat(Exactly.integer(a, true), rounding);
    }

    public static double f64FromU64(long a, Rounding rounding) {
        return Exactly.toDouble(decimal(a, true), rounding);
    }

    private static java.math.BigDecimal decimal(long a, boolean unsigned) {
        java.math.BigInteger value = java.math.BigInteger.valueOf(a);
        return new java.math.BigDecimal(
                unsigned && a < 0 ? value.add(java.math.BigInteger.ONE.shiftLeft(64)) : value);
    }

    // Float to float. Widening keeps a NaN's payload, as measured on an H200 for f32 and f64.

    public static double f64FromF32(float a) {
        return a;
    }

    public static float f32FromNarrow(int a, FloatFormat format) {
        return FloatArithmetic.canonicalF32(HalfArithmetic.value(a, format));
    }

    /// A half's NaN keeps sign and payload, and is quiet.
    public static double f64FromNarrow(int a, FloatFormat format) {
        if (!HalfArithmetic.isNan(a, format)) {
            return HalfArithmetic.value(a, format);
        }
        int fraction = format.fractionBits();
        long payload = (a & (1L << fraction) - 1) << 52 - fraction;
        return Double.longBitsToDouble((a & 0x8000L) << 48 | 0x7ff8_0000_0000_0000L | payload);
    }

    public static float f32FromF64(double a) {
        return (float) a;
    }

    /// One element of what is packed, too. `.satfinite` makes a NaN the largest number of a format
    /// that has none. `.ue8m0` is that of a magnitude: what is beyond 2^127 once rounded is NaN. So
    /// CUDA's `cuda_fp8.hpp` has it for processors without the instruction.
    public static int narrowFromF32(float a, Rounding rounding, FloatFormat format) {
        return switch (format) {
            case F16, BF16 -> HalfArithmetic.rounded(a, rounding, format);
            case UE8M0 ->
                    Float.isInfinite(a)
                            ? (int) format.canonicalNaN()
                            : (int) format.encode(a, rounding, Overflow.IEEE);
            default -> (int) format.encode(a, rounding, Overflow.SATFINITE);
        };
    }

    /// NaN keeps sign and the payload bits that fit.
    public static int narrowFromF64(double a, Rounding rounding, FloatFormat format) {
        return Double.isNaN(a)
                ? HalfArithmetic.code((float) a, format)
                : HalfArithmetic.rounded(a, rounding, format);
    }

    public static float f32FromF64(double a, Rounding rounding) {
        return Double.isNaN(a) ? (float) a : Exactly.toFloat(a, rounding);
    }

    /// `cvt.tf32.f32`: ten fraction bits, the low thirteen zero.
    ///
    /// With `.rna` a NaN keeps its sign and the upper bits of its payload, as an H200 was seen to
    /// do (driver 580.159.04, 113 NaNs in random kernels); the manual does not say.
    public static int tf32FromF32(float a, Rounding rounding) {
        if (Float.isNaN(a)) {
            return rounding == Rounding.NEAREST_AWAY
                    ? Float.floatToRawIntBits(a) & 0xffff_e000
                    : 0x7fff_e000;
        }
        return Float.floatToRawIntBits((float) Exactly.round(a, 11, -126, 127, rounding));
    }

    public static int reluTf32(int a) {
        return Float.isNaN(Float.intBitsToFloat(a)) ? a : Math.max(a, 0);
    }

    /// `.satfinite` on the way to `.f16` and `.bf16`: an overflow is the largest finite value.
    public static int satfinite(int a, FloatFormat format) {
        return (a & 0x7fff) == format.infinity() ? a - 1 : a;
    }

    /// An H200 goes one step back from whatever has the greatest exponent: infinity becomes the
    /// largest number, a NaN the value before it.
    public static int satfiniteTf32(int a) {
        return (a & 0x7f80_0000) == 0x7f80_0000 ? a - 0x2000 : a;
    }

    /// One element widened to `.f16` or `.bf16`, bits above it ignored.
    public static int narrowFromNarrow(int a, FloatFormat to, FloatFormat from) {
        double value = from.toDouble(a & from.mask());
        return HalfArithmetic.rounded(value, Rounding.NEAREST_EVEN, to);
    }

    // Rounding to an integral value in the same format: .rni .rzi .rmi .rpi.

    public static float integralF32(float a) {
        return Float.isFinite(a) ? (float) Exactly.toIntegral(Rounding.NEAREST_EVEN, a) : a;
    }

    public static double integralF64(double a) {
        return Double.isFinite(a) ? Exactly.toIntegral(Rounding.NEAREST_EVEN, a) : quiet(a);
    }

    public static float integralF32(float a, Rounding rounding) {
        return Float.isFinite(a) ? (float) Exactly.toIntegral(rounding, a) : a;
    }

    public static double integralF64(double a, Rounding rounding) {
        return Double.isFinite(a) ? Exactly.toIntegral(rounding, a) : quiet(a);
    }

    private static double quiet(double a) {
        return Double.isNaN(a)
                ? Double.longBitsToDouble(Double.doubleToRawLongBits(a) | 0x0008_0000_0000_0000L)
                : a;
    }

    // Integral float to integer, clamped. NaN: zero from f32 to 32 bits or fewer, else the most
    // significant bit alone, as the manual says and an H200 does.

    public static int s8FromF32(float a) {
        return (int) clamp(a, -128f, 127f);
    }

    public static int u8FromF32(float a) {
        return (int) clamp(a, 0f, 255f);
    }

    public static int s16FromF32(float a) {
        return (int) clamp(a, -32768f, 32767f);
    }

    public static int u16FromF32(float a) {
        return (int) clamp(a, 0f, 65535f);
    }

    public static int s32FromF32(float a) {
        return Float.isNaN(a) ? 0 : (int) a;
    }

    public static int u32FromF32(float a) {
        return Float.isNaN(a) ? 0 : (int) Math.clamp((long) a, 0L, 0xffff_ffffL);
    }

    public static long s64FromF32(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : (long) a;
    }

    public static long u64FromF32(float a) {
        return u64FromF64(a);
    }

    public static int s8FromF64(double a) {
        return Double.isNaN(a) ? -128 : (int) clamp(a, -128d, 127d);
    }

    public static int u8FromF64(double a) {
        return Double.isNaN(a) ? 128 : (int) clamp(a, 0d, 255d);
    }

    public static int s16FromF64(double a) {
        return Double.isNaN(a) ? -32768 : (int) clamp(a, -32768d, 32767d);
    }

    public static int u16FromF64(double a) {
        return Double.isNaN(a) ? 32768 : (int) clamp(a, 0d, 65535d);
    }

    public static int s32FromF64(double a) {
        return Double.isNaN(a) ? 0x8000_0000 : (int) a;
    }

    public static int u32FromF64(double a) {
        return Double.isNaN(a) ? 0x8000_0000 : (int) Math.clamp((long) a, 0L, 0xffff_ffffL);
    }

    public static long s64FromF64(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : (long) a;
    }

    public static long u64FromF64(double a) {
        if (Double.isNaN(a)) {
            return Long.MIN_VALUE;
        }
        if (a < 0x1p63) {
            return a > 0 ? (long) a : 0;
        }
        return a < 0x1p64 ? (long) (a - 0x1p63) + Long.MIN_VALUE : -1;
    }

    /// Clamps to a range; NaN becomes zero.
    private static double clamp(double a, double least, double greatest) {
        return Double.isNaN(a) ? 0 : Math.min(Math.max(a, least), greatest);
    }
}
