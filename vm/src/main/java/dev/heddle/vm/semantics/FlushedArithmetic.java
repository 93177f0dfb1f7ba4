package dev.heddle.vm.semantics;

import static dev.heddle.formats.FloatFormat.F16;

import dev.heddle.formats.Rounding;
import dev.heddle.tensorcore.functions.FlushedProduct;

/// Products, fused sums, quotients and conversions with `.ftz`, operands and result flushed.
///
/// A result is flushed where it is below 2^-126 *after* rounding to 24 bits with an unbounded
/// exponent: 2^-126 * (1 - 2^-24) becomes zero, though without `.ftz` it rounds to 2^-126. The
/// manual says only that subnormal results are flushed (PTX ISA 9.7.3.5); this is what an H100
/// does, in every rounding, and for `.f16` with 11 bits and 2^-14. Sums of two numbers need no
/// such care: below twice the least normal number they are exact.
public final class FlushedArithmetic {
    private static final int LEAST_NORMAL_F16 = 0x0400;

    private FlushedArithmetic() {}

    public static float multiplyFtzF32(float a, float b) {
        return FlushedProduct.of(a, b);
    }

    public static float multiplyFtzF32(float a, float b, Rounding rounding) {
        return multiply(a, b, rounding);
    }

    public static float fusedFtzF32(float a, float b, float c) {
        return fused(a, b, c, Rounding.NEAREST_EVEN);
    }

    public static float fusedFtzF32(float a, float b, float c, Rounding rounding) {
        return fused(a, b, c, rounding);
    }

    public static float divideFtzF32(float a, float b) {
        return divide(a, b, Rounding.NEAREST_EVEN);
    }

    public static float divideFtzF32(float a, float b, Rounding rounding) {
        return divide(a, b, rounding);
    }

    public static float f32FromF64Ftz(double a) {
        return narrow(Conversion.f32FromF64(a), a, Rounding.NEAREST_EVEN);
    }

    public static float f32FromF64Ftz(double a, Rounding rounding) {
        return narrow(Conversion.f32FromF64(a, rounding), a, rounding);
    }

    public static int multiplyFtzF16(int a, int b) {
        int x = HalfArithmetic.flush(a, F16);
        int y = HalfArithmetic.flush(b, F16);
        double exact = (double) HalfArithmetic.value(x, F16) * HalfArithmetic.value(y, F16);
        return half(HalfArithmetic.multiply(x, y, F16), exact);
    }

    public static int fusedFtzF16(int a, int b, int c) {
        int x = HalfArithmetic.flush(a, F16);
        int y = HalfArithmetic.flush(b, F16);
        int z = HalfArithmetic.flush(c, F16);
        double product = (double) HalfArithmetic.value(x, F16) * HalfArithmetic.value(y, F16);
        double exact = Exactly.sum(product, HalfArithmetic.value(z, F16));
        return half(HalfArithmetic.fused(x, y, z, F16), exact);
    }

    /// @param exact rounded to odd
    private static int half(int result, double exact) {
        if ((result & 0x7fff) == LEAST_NORMAL_F16) {
            double rounded =
                    Exactly.round(exact, 11, Double.MIN_EXPONENT, 15, Rounding.NEAREST_EVEN);
            if (Math.abs(rounded) < 0x1p-14) {
                return result & 0x8000;
            }
        }
        return HalfArithmetic.flush(result, F16);
    }

    private static float narrow(float result, double exact, Rounding rounding) {
        return Math.abs(result) == Float.MIN_NORMAL
                ? atTheEdge(result, exact, rounding)
                : FloatArithmetic.flushF32(result);
    }

    private static float divide(float a, float b, Rounding rounding) {
        float x = FloatArithmetic.flushF32(a);
        float y = FloatArithmetic.flushF32(b);
        float quotient =
                rounding == Rounding.NEAREST_EVEN
                        ? FloatArithmetic.divideF32(x, y)
                        : FloatArithmetic.divideF32(x, y, rounding);
        return Math.abs(quotient) == Float.MIN_NORMAL
                ? atTheEdge(quotient, (double) x / y, rounding)
                : FloatArithmetic.flushF32(quotient);
    }

    private static float multiply(float a, float b, Rounding rounding) {
        float x = FloatArithmetic.flushF32(a);
        float y = FloatArithmetic.flushF32(b);
        float product =
                rounding == Rounding.NEAREST_EVEN
                        ? FloatArithmetic.multiplyF32(x, y)
                        : FloatArithmetic.multiplyF32(x, y, rounding);
        return Math.abs(product) == Float.MIN_NORMAL
                ? atTheEdge(product, (double) x * y, rounding)
                : FloatArithmetic.flushF32(product);
    }

    private static float fused(float a, float b, float c, Rounding rounding) {
        float x = FloatArithmetic.flushF32(a);
        float y = FloatArithmetic.flushF32(b);
        float z = FloatArithmetic.flushF32(c);
        float sum =
                rounding == Rounding.NEAREST_EVEN
                        ? FloatArithmetic.fusedF32(x, y, z)
                        : FloatArithmetic.fusedF32(x, y, z, rounding);
        return Math.abs(sum) == Float.MIN_NORMAL
                ? atTheEdge(sum, Exactly.sum((double) x * y, z), rounding)
                : FloatArithmetic.flushF32(sum);
    }

    /// What rounds to 2^-126 as a subnormal may be below it with all 24 bits.
    ///
    /// @param exact rounded to odd
    private static float atTheEdge(float result, double exact, Rounding rounding) {
        double unbounded = Exactly.round(exact, 24, Double.MIN_EXPONENT, 127, rounding);
        return Math.abs(unbounded) < Float.MIN_NORMAL ? Math.copySign(0f, result) : result;
    }
}
