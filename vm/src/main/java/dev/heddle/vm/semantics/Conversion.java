package dev.heddle.vm.semantics;

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

    public static int f16FromS32(int a) {
        return HalfArithmetic.half((double) a, Rounding.NEAREST_EVEN);
    }

    public static int bf16FromS32(int a) {
        return HalfArithmetic.brain((double) a, Rounding.NEAREST_EVEN);
    }

    public static float f32FromS32Rz(int a) {
        return Exactly.toFloat((double) a, Rounding.ZERO);
    }

    public static int f16FromS32Rz(int a) {
        return HalfArithmetic.half((double) a, Rounding.ZERO);
    }

    public static int bf16FromS32Rz(int a) {
        return HalfArithmetic.brain((double) a, Rounding.ZERO);
    }

    public static float f32FromS32Rm(int a) {
        return Exactly.toFloat((double) a, Rounding.DOWN);
    }

    public static int f16FromS32Rm(int a) {
        return HalfArithmetic.half((double) a, Rounding.DOWN);
    }

    public static int bf16FromS32Rm(int a) {
        return HalfArithmetic.brain((double) a, Rounding.DOWN);
    }

    public static float f32FromS32Rp(int a) {
        return Exactly.toFloat((double) a, Rounding.UP);
    }

    public static int f16FromS32Rp(int a) {
        return HalfArithmetic.half((double) a, Rounding.UP);
    }

    public static int bf16FromS32Rp(int a) {
        return HalfArithmetic.brain((double) a, Rounding.UP);
    }

    public static float f32FromU32(int a) {
        return (float) (a & 0xffff_ffffL);
    }

    public static double f64FromU32(int a) {
        return a & 0xffff_ffffL;
    }

    public static int f16FromU32(int a) {
        return HalfArithmetic.half((double) (a & 0xffff_ffffL), Rounding.NEAREST_EVEN);
    }

    public static int bf16FromU32(int a) {
        return HalfArithmetic.brain((double) (a & 0xffff_ffffL), Rounding.NEAREST_EVEN);
    }

    public static float f32FromU32Rz(int a) {
        return Exactly.toFloat((double) (a & 0xffff_ffffL), Rounding.ZERO);
    }

    public static int f16FromU32Rz(int a) {
        return HalfArithmetic.half((double) (a & 0xffff_ffffL), Rounding.ZERO);
    }

    public static int bf16FromU32Rz(int a) {
        return HalfArithmetic.brain((double) (a & 0xffff_ffffL), Rounding.ZERO);
    }

    public static float f32FromU32Rm(int a) {
        return Exactly.toFloat((double) (a & 0xffff_ffffL), Rounding.DOWN);
    }

    public static int f16FromU32Rm(int a) {
        return HalfArithmetic.half((double) (a & 0xffff_ffffL), Rounding.DOWN);
    }

    public static int bf16FromU32Rm(int a) {
        return HalfArithmetic.brain((double) (a & 0xffff_ffffL), Rounding.DOWN);
    }

    public static float f32FromU32Rp(int a) {
        return Exactly.toFloat((double) (a & 0xffff_ffffL), Rounding.UP);
    }

    public static int f16FromU32Rp(int a) {
        return HalfArithmetic.half((double) (a & 0xffff_ffffL), Rounding.UP);
    }

    public static int bf16FromU32Rp(int a) {
        return HalfArithmetic.brain((double) (a & 0xffff_ffffL), Rounding.UP);
    }

    public static float f32FromS64(long a) {
        return a;
    }

    public static double f64FromS64(long a) {
        return a;
    }

    public static int f16FromS64(long a) {
        return HalfArithmetic.half(Exactly.integer(a, false), Rounding.NEAREST_EVEN);
    }

    public static int bf16FromS64(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, false), Rounding.NEAREST_EVEN);
    }

    public static float f32FromS64Rz(long a) {
        return Exactly.toFloat(Exactly.integer(a, false), Rounding.ZERO);
    }

    public static double f64FromS64Rz(long a) {
        return Exactly.toDouble(decimal(a, false), Rounding.ZERO);
    }

    public static int f16FromS64Rz(long a) {
        return HalfArithmetic.half(Exactly.integer(a, false), Rounding.ZERO);
    }

    public static int bf16FromS64Rz(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, false), Rounding.ZERO);
    }

    public static float f32FromS64Rm(long a) {
        return Exactly.toFloat(Exactly.integer(a, false), Rounding.DOWN);
    }

    public static double f64FromS64Rm(long a) {
        return Exactly.toDouble(decimal(a, false), Rounding.DOWN);
    }

    public static int f16FromS64Rm(long a) {
        return HalfArithmetic.half(Exactly.integer(a, false), Rounding.DOWN);
    }

    public static int bf16FromS64Rm(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, false), Rounding.DOWN);
    }

    public static float f32FromS64Rp(long a) {
        return Exactly.toFloat(Exactly.integer(a, false), Rounding.UP);
    }

    public static double f64FromS64Rp(long a) {
        return Exactly.toDouble(decimal(a, false), Rounding.UP);
    }

    public static int f16FromS64Rp(long a) {
        return HalfArithmetic.half(Exactly.integer(a, false), Rounding.UP);
    }

    public static int bf16FromS64Rp(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, false), Rounding.UP);
    }

    public static float f32FromU64(long a) {
        return Exactly.toFloat(Exactly.integer(a, true), Rounding.NEAREST_EVEN);
    }

    public static double f64FromU64(long a) {
        return a >= 0 ? (double) a : (double) (a >>> 1 | a & 1) * 2;
    }

    public static int f16FromU64(long a) {
        return HalfArithmetic.half(Exactly.integer(a, true), Rounding.NEAREST_EVEN);
    }

    public static int bf16FromU64(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, true), Rounding.NEAREST_EVEN);
    }

    public static float f32FromU64Rz(long a) {
        return Exactly.toFloat(Exactly.integer(a, true), Rounding.ZERO);
    }

    public static double f64FromU64Rz(long a) {
        return Exactly.toDouble(decimal(a, true), Rounding.ZERO);
    }

    public static int f16FromU64Rz(long a) {
        return HalfArithmetic.half(Exactly.integer(a, true), Rounding.ZERO);
    }

    public static int bf16FromU64Rz(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, true), Rounding.ZERO);
    }

    public static float f32FromU64Rm(long a) {
        return Exactly.toFloat(Exactly.integer(a, true), Rounding.DOWN);
    }

    public static double f64FromU64Rm(long a) {
        return Exactly.toDouble(decimal(a, true), Rounding.DOWN);
    }

    public static int f16FromU64Rm(long a) {
        return HalfArithmetic.half(Exactly.integer(a, true), Rounding.DOWN);
    }

    public static int bf16FromU64Rm(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, true), Rounding.DOWN);
    }

    public static float f32FromU64Rp(long a) {
        return Exactly.toFloat(Exactly.integer(a, true), Rounding.UP);
    }

    public static double f64FromU64Rp(long a) {
        return Exactly.toDouble(decimal(a, true), Rounding.UP);
    }

    public static int f16FromU64Rp(long a) {
        return HalfArithmetic.half(Exactly.integer(a, true), Rounding.UP);
    }

    public static int bf16FromU64Rp(long a) {
        return HalfArithmetic.brain(Exactly.integer(a, true), Rounding.UP);
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

    /// `cvt.f32.bf16`: the manual leaves the bits of a NaN open; an H200 leaves them as they are.
    public static int f32BitsFromBf16(int a) {
        return a << 16;
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

    public static int f16FromF32(float a) {
        return HalfArithmetic.half(a, Rounding.NEAREST_EVEN);
    }

    public static int f16FromF64(double a) {
        return Double.isNaN(a) ? nanF16(a) : HalfArithmetic.half(a, Rounding.NEAREST_EVEN);
    }

    public static int bf16FromF32(float a) {
        return HalfArithmetic.brain(a, Rounding.NEAREST_EVEN);
    }

    public static int bf16FromF64(double a) {
        return Double.isNaN(a) ? nanBf16(a) : HalfArithmetic.brain(a, Rounding.NEAREST_EVEN);
    }

    public static float f32FromF64Rz(double a) {
        return Double.isNaN(a) ? (float) a : Exactly.toFloat(a, Rounding.ZERO);
    }

    public static int f16FromF32Rz(float a) {
        return HalfArithmetic.half(a, Rounding.ZERO);
    }

    public static int f16FromF64Rz(double a) {
        return Double.isNaN(a) ? nanF16(a) : HalfArithmetic.half(a, Rounding.ZERO);
    }

    public static int bf16FromF32Rz(float a) {
        return HalfArithmetic.brain(a, Rounding.ZERO);
    }

    public static int bf16FromF64Rz(double a) {
        return Double.isNaN(a) ? nanBf16(a) : HalfArithmetic.brain(a, Rounding.ZERO);
    }

    public static float f32FromF64Rm(double a) {
        return Double.isNaN(a) ? (float) a : Exactly.toFloat(a, Rounding.DOWN);
    }

    public static int f16FromF32Rm(float a) {
        return HalfArithmetic.half(a, Rounding.DOWN);
    }

    public static int f16FromF64Rm(double a) {
        return Double.isNaN(a) ? nanF16(a) : HalfArithmetic.half(a, Rounding.DOWN);
    }

    public static int bf16FromF32Rm(float a) {
        return HalfArithmetic.brain(a, Rounding.DOWN);
    }

    public static int bf16FromF64Rm(double a) {
        return Double.isNaN(a) ? nanBf16(a) : HalfArithmetic.brain(a, Rounding.DOWN);
    }

    public static float f32FromF64Rp(double a) {
        return Double.isNaN(a) ? (float) a : Exactly.toFloat(a, Rounding.UP);
    }

    public static int f16FromF32Rp(float a) {
        return HalfArithmetic.half(a, Rounding.UP);
    }

    public static int f16FromF64Rp(double a) {
        return Double.isNaN(a) ? nanF16(a) : HalfArithmetic.half(a, Rounding.UP);
    }

    public static int bf16FromF32Rp(float a) {
        return HalfArithmetic.brain(a, Rounding.UP);
    }

    public static int bf16FromF64Rp(double a) {
        return Double.isNaN(a) ? nanBf16(a) : HalfArithmetic.brain(a, Rounding.UP);
    }

    /// `cvt.rna.tf32.f32`: ten fraction bits, the low thirteen zero.
    ///
    /// A NaN keeps its sign and the upper bits of its payload, as an H200 was seen to do (driver
    /// 580.159.04, 113 NaNs in random kernels); the manual does not say.
    public static int tf32FromF32Rna(float a) {
        return Float.isNaN(a)
                ? Float.floatToRawIntBits(a) & 0xffff_e000
                : tf32(a, Rounding.NEAREST_AWAY);
    }

    public static int tf32FromF32(float a) {
        return tf32(a, Rounding.NEAREST_EVEN);
    }

    public static int tf32FromF32Rz(float a) {
        return tf32(a, Rounding.ZERO);
    }

    private static int tf32(float a, Rounding rounding) {
        return Float.isNaN(a)
                ? 0x7fff_e000
                : Float.floatToRawIntBits((float) Exactly.round(a, 11, -126, 127, rounding));
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

    /// `cvt.rn.satfinite.e4m3x2.f32`, one element: largest value 448, NaN 0x7f.
    public static int e4m3FromF32(float a) {
        return quarter(a, 4, -6, 8, 448, 0x7f);
    }

    /// `cvt.rn.satfinite.e5m2x2.f32`, one element: largest value 57344, NaN 0x7f.
    public static int e5m2FromF32(float a) {
        return quarter(a, 3, -14, 15, 57344, 0x7f);
    }

    private static int quarter(
            float a, int precision, int least, int greatest, float largest, int nan) {
        int sign = Float.floatToRawIntBits(a) >>> 31 << 7;
        if (Float.isNaN(a)) {
            return nan;
        }
        double rounded =
                Exactly.round(Math.abs(a), precision, least, greatest, Rounding.NEAREST_EVEN);
        rounded = Math.min(rounded, largest);
        if (rounded < Math.scalb(1.0, least)) {
            return sign | (int) Math.scalb(rounded, precision - 1 - least);
        }
        int exponent = Math.getExponent(rounded);
        int fraction = (int) Math.scalb(rounded, precision - 1 - exponent) - (1 << precision - 1);
        return sign | exponent - least + 1 << precision - 1 | fraction;
    }

    /// One `.e4m3` element widened to `.f16`.
    public static int f16FromE4m3(int a) {
        int magnitude = a & 0x7f;
        if (magnitude == 0x7f) {
            return HalfArithmetic.CANONICAL_NAN;
        }
        double value =
                magnitude < 8
                        ? Math.scalb((double) magnitude, -9)
                        : Math.scalb((double) (8 | magnitude & 7), (magnitude >> 3) - 10);
        return HalfArithmetic.half(value, Rounding.NEAREST_EVEN) | (a & 0x80) << 8;
    }

    /// One `.e5m2` element widened to `.f16`: the same bits, eight zeros below.
    public static int f16FromE5m2(int a) {
        return HalfArithmetic.canonicalF16((a & 0xff) << 8);
    }

    // Rounding to an integral value in the same format: .rni .rzi .rmi .rpi.

    public static float integralF32Rni(float a) {
        return Float.isFinite(a) ? (float) Rounding.NEAREST_EVEN.toIntegral(a) : a;
    }

    public static double integralF64Rni(double a) {
        return Double.isFinite(a) ? Rounding.NEAREST_EVEN.toIntegral(a) : quiet(a);
    }

    public static float integralF32Rzi(float a) {
        return Float.isFinite(a) ? (float) Rounding.ZERO.toIntegral(a) : a;
    }

    public static double integralF64Rzi(double a) {
        return Double.isFinite(a) ? Rounding.ZERO.toIntegral(a) : quiet(a);
    }

    public static float integralF32Rmi(float a) {
        return Float.isFinite(a) ? (float) Rounding.DOWN.toIntegral(a) : a;
    }

    public static double integralF64Rmi(double a) {
        return Double.isFinite(a) ? Rounding.DOWN.toIntegral(a) : quiet(a);
    }

    public static float integralF32Rpi(float a) {
        return Float.isFinite(a) ? (float) Rounding.UP.toIntegral(a) : a;
    }

    public static double integralF64Rpi(double a) {
        return Double.isFinite(a) ? Rounding.UP.toIntegral(a) : quiet(a);
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
        if (Float.isNaN(a)) {
            return Long.MIN_VALUE;
        }
        if (a < 0x1p63) {
            return a > 0 ? (long) a : 0;
        }
        return a < 0x1p64 ? (long) (a - 0x1p63) + Long.MIN_VALUE : -1;
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

    // Integer to narrower integer with .sat.

    public static int saturateS32ToS8(int a) {
        return Math.clamp((long) a, -128, 127);
    }

    public static int saturateS32ToU8(int a) {
        return Math.clamp((long) a, 0, 255);
    }

    public static int saturateS32ToS16(int a) {
        return Math.clamp((long) a, -32768, 32767);
    }

    public static int saturateS32ToU16(int a) {
        return Math.clamp((long) a, 0, 65535);
    }

    public static int saturateS32ToU32(int a) {
        return (int) Math.clamp((long) a, 0L, 0xffff_ffffL);
    }

    public static int saturateU32ToS8(int a) {
        return Math.clamp(a & 0xffff_ffffL, -128, 127);
    }

    public static int saturateU32ToU8(int a) {
        return Math.clamp(a & 0xffff_ffffL, 0, 255);
    }

    public static int saturateU32ToS16(int a) {
        return Math.clamp(a & 0xffff_ffffL, -32768, 32767);
    }

    public static int saturateU32ToU16(int a) {
        return Math.clamp(a & 0xffff_ffffL, 0, 65535);
    }

    public static int saturateU32ToS32(int a) {
        return Math.clamp(a & 0xffff_ffffL, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public static int saturateS64ToS8(long a) {
        return Math.clamp(a, -128, 127);
    }

    public static int saturateS64ToU8(long a) {
        return Math.clamp(a, 0, 255);
    }

    public static int saturateS64ToS16(long a) {
        return Math.clamp(a, -32768, 32767);
    }

    public static int saturateS64ToU16(long a) {
        return Math.clamp(a, 0, 65535);
    }

    public static int saturateS64ToS32(long a) {
        return Math.clamp(a, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public static int saturateS64ToU32(long a) {
        return (int) Math.clamp(a, 0L, 0xffff_ffffL);
    }

    public static int saturateU64ToS8(long a) {
        return a < 0 ? 127 : Math.clamp(a, -128, 127);
    }

    public static int saturateU64ToU8(long a) {
        return a < 0 ? 255 : Math.clamp(a, 0, 255);
    }

    public static int saturateU64ToS16(long a) {
        return a < 0 ? 32767 : Math.clamp(a, -32768, 32767);
    }

    public static int saturateU64ToU16(long a) {
        return a < 0 ? 65535 : Math.clamp(a, 0, 65535);
    }

    public static int saturateU64ToS32(long a) {
        return a < 0 ? Integer.MAX_VALUE : Math.clamp(a, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public static int saturateU64ToU32(long a) {
        return a < 0 ? -1 : (int) Math.clamp(a, 0L, 0xffff_ffffL);
    }

    public static long saturateS64ToU64(long a) {
        return Math.max(a, 0);
    }

    public static long saturateU64ToS64(long a) {
        return a < 0 ? Long.MAX_VALUE : a;
    }
}
