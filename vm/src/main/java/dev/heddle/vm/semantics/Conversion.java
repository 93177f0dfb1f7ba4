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

    public static int f16FromS32(int a, Rounding rounding) {
        return HalfArithmetic.half((double) a, rounding);
    }

    public static int bf16FromS32(int a, Rounding rounding) {
        return HalfArithmetic.brain((double) a, rounding);
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

    public static int f16FromU32(int a, Rounding rounding) {
        return HalfArithmetic.half((double) (a & 0xffff_ffffL), rounding);
    }

    public static int bf16FromU32(int a, Rounding rounding) {
        return HalfArithmetic.brain((double) (a & 0xffff_ffffL), rounding);
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

    public static int f16FromS64(long a, Rounding rounding) {
        return HalfArithmetic.half(Exactly.integer(a, false), rounding);
    }

    public static int bf16FromS64(long a, Rounding rounding) {
        return HalfArithmetic.brain(Exactly.integer(a, false), rounding);
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

    public static int f16FromU64(long a, Rounding rounding) {
        return HalfArithmetic.half(Exactly.integer(a, true), rounding);
    }

    public static int bf16FromU64(long a, Rounding rounding) {
        return HalfArithmetic.brain(Exactly.integer(a, true), rounding);
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

    public static float f32FromF16(int a) {
        return FloatArithmetic.canonicalF32(HalfArithmetic.fromHalf(a));
    }

    public static float f32FromBf16(int a) {
        return FloatArithmetic.canonicalF32(HalfArithmetic.fromBrain(a));
    }

    public static double f64FromF16(int a) {
        return HalfArithmetic.isNanF16(a) ? nanF64(a, 10) : HalfArithmetic.fromHalf(a);
    }

    public static double f64FromBf16(int a) {
        return HalfArithmetic.isNanBf16(a) ? nanF64(a, 7) : HalfArithmetic.fromBrain(a);
    }

    /// A half's NaN keeps sign and payload, and is quiet.
    private static double nanF64(int a, int fraction) {
        long payload = (a & (1L << fraction) - 1) << 52 - fraction;
        return Double.longBitsToDouble((a & 0x8000L) << 48 | 0x7ff8_0000_0000_0000L | payload);
    }

    /// NaN keeps sign and the payload bits that fit.
    private static int nanF16(double a) {
        return Float.floatToFloat16((float) a) & 0xffff;
    }

    private static int nanBf16(double a) {
        return Float.floatToRawIntBits((float) a) >>> 16;
    }

    public static float f32FromF64(double a) {
        return (float) a;
    }

    public static int f16FromF32(float a, Rounding rounding) {
        return HalfArithmetic.half(a, rounding);
    }

    public static int f16FromF64(double a, Rounding rounding) {
        return Double.isNaN(a) ? nanF16(a) : HalfArithmetic.half(a, rounding);
    }

    public static int bf16FromF32(float a, Rounding rounding) {
        return HalfArithmetic.brain(a, rounding);
    }

    public static int bf16FromF64(double a, Rounding rounding) {
        return Double.isNaN(a) ? nanBf16(a) : HalfArithmetic.brain(a, rounding);
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

    /// `.satfinite` on the way to `.f16`: an overflow is the largest finite value.
    public static int satfiniteF16(int a) {
        return (a & 0x7fff) == 0x7c00 ? a - 1 : a;
    }

    public static int satfiniteBf16(int a) {
        return (a & 0x7fff) == 0x7f80 ? a - 1 : a;
    }

    /// An H200 goes one step back from whatever has the greatest exponent: infinity becomes the
    /// largest number, a NaN the value before it.
    public static int satfiniteTf32(int a) {
        return (a & 0x7f80_0000) == 0x7f80_0000 ? a - 0x2000 : a;
    }

    /// `cvt.rn.satfinite.e4m3x2.f32`, one element.
    public static int e4m3FromF32(float a, Rounding rounding) {
        return (int) FloatFormat.E4M3.encode(a, rounding, Overflow.SATFINITE);
    }

    /// `cvt.rn.satfinite.e5m2x2.f32`, one element.
    public static int e5m2FromF32(float a, Rounding rounding) {
        return (int) FloatFormat.E5M2.encode(a, rounding, Overflow.SATFINITE);
    }

    /// One `.e4m3` element widened to `.f16`.
    public static int f16FromE4m3(int a) {
        return HalfArithmetic.half(FloatFormat.E4M3.toDouble(a & 0xff), Rounding.NEAREST_EVEN);
    }

    /// One `.e5m2` element widened to `.f16`: the same bits, eight zeros below.
    public static int f16FromE5m2(int a) {
        return HalfArithmetic.canonicalF16((a & 0xff) << 8);
    }

    /// `cvt.rn.satfinite.e2m3x2.f32`, one element; a NaN becomes the largest number.
    public static int e2m3FromF32(float a, Rounding rounding) {
        return (int) FloatFormat.E2M3.encode(a, rounding, Overflow.SATFINITE);
    }

    /// `cvt.rn.satfinite.e3m2x2.f32`, one element; a NaN becomes the largest number.
    public static int e3m2FromF32(float a, Rounding rounding) {
        return (int) FloatFormat.E3M2.encode(a, rounding, Overflow.SATFINITE);
    }

    /// `cvt.rn.satfinite.e2m1x2.f32`, one element; a NaN becomes the largest number.
    public static int e2m1FromF32(float a, Rounding rounding) {
        return (int) FloatFormat.E2M1.encode(a, rounding, Overflow.SATFINITE);
    }

    /// `cvt.rp.ue8m0x2.f32`, one element, of a magnitude: what is beyond 2^127 once rounded is NaN.
    /// So CUDA's `cuda_fp8.hpp` has it for processors without the instruction.
    public static int ue8m0FromF32(float a, Rounding rounding) {
        return Float.isInfinite(a)
                ? (int) FloatFormat.UE8M0.canonicalNaN()
                : (int) FloatFormat.UE8M0.encode(a, rounding, Overflow.IEEE);
    }

    /// One `.e2m3` element widened to `.f16`, its two upper bits ignored.
    public static int f16FromE2m3(int a) {
        return HalfArithmetic.half(FloatFormat.E2M3.toDouble(a & 0x3f), Rounding.NEAREST_EVEN);
    }

    /// One `.e3m2` element widened to `.f16`, its two upper bits ignored.
    public static int f16FromE3m2(int a) {
        return HalfArithmetic.half(FloatFormat.E3M2.toDouble(a & 0x3f), Rounding.NEAREST_EVEN);
    }

    /// One `.e2m1` element widened to `.f16`.
    public static int f16FromE2m1(int a) {
        return HalfArithmetic.half(FloatFormat.E2M1.toDouble(a & 15), Rounding.NEAREST_EVEN);
    }

    /// One `.ue8m0` element as `.bf16`.
    public static int bf16FromUe8m0(int a) {
        return HalfArithmetic.brain(FloatFormat.UE8M0.toDouble(a & 0xff), Rounding.NEAREST_EVEN);
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
