package dev.heddle.vm.semantics;

/// Functions that the manual bounds instead of defining. Each computes in `double` with
/// `StrictMath`, so that every
/// JVM gives the same bits, and rounds once: the error is half an ulp of `f32` where the manual
/// allows more.
public final class Approximation {
    private Approximation() {}

    private static float rounded(double value) {
        return FloatArithmetic.canonicalF32((float) value);
    }

    @Modelled("maximum relative error 2^-23, PTX ISA 9.7.3.13")
    public static float reciprocalApproximateF32(float a) {
        return rounded(1.0 / a);
    }

    @Modelled("maximum relative error 2^-23, PTX ISA 9.7.3.15")
    public static float squareRootApproximateF32(float a) {
        return rounded(Math.sqrt(a));
    }

    @Modelled("maximum relative error 2^-22.9, PTX ISA 9.7.3.16")
    public static float reciprocalRootApproximateF32(float a) {
        return rounded(1.0 / Math.sqrt(a));
    }

    @Modelled("2 ulp for divisors in [2^-126, 2^126], PTX ISA 9.7.3.8")
    public static float divideApproximateF32(float a, float b) {
        float magnitude = Math.abs(b);
        // Beyond 2^126 the reciprocal underflows: the manual asks for zero, or NaN from an
        // infinite
        // dividend.
        if (magnitude > 0x1p126f && magnitude < Float.POSITIVE_INFINITY) {
            return Float.isInfinite(a)
                    ? Float.intBitsToFloat(FloatArithmetic.CANONICAL_NAN)
                    : rounded(
                            Math.copySign(0.0, (double) a * b) + (Float.isNaN(a) ? Double.NaN : 0));
        }
        return rounded((double) a / b);
    }

    @Modelled("2 ulp over the full range, PTX ISA 9.7.3.8")
    public static float divideFullF32(float a, float b) {
        return rounded((double) a / b);
    }

    @Modelled("maximum absolute error 2^-20.5 in [-pi, pi], PTX ISA 9.7.3.18")
    public static float sineApproximateF32(float a) {
        return rounded(StrictMath.sin(a));
    }

    @Modelled("maximum absolute error 2^-20.5 in [-pi, pi], PTX ISA 9.7.3.19")
    public static float cosineApproximateF32(float a) {
        return rounded(StrictMath.cos(a));
    }

    @Modelled("maximum relative error 2^-22 away from one, PTX ISA 9.7.3.20")
    public static float logarithmApproximateF32(float a) {
        return rounded(binaryLogarithm(a));
    }

    private static double binaryLogarithm(double a) {
        if (!(a > 0) || Double.isInfinite(a)) {
            return StrictMath.log(a);
        }
        int exponent = Math.getExponent(a);
        double fraction = Math.scalb(a, -exponent);
        if (fraction > 1.5) {
            exponent++;
            fraction /= 2;
        }
        return exponent + StrictMath.log1p(fraction - 1) / StrictMath.log(2);
    }

    @Modelled("maximum relative error 2^-22.5, PTX ISA 9.7.3.21")
    public static float exponentialApproximateF32(float a) {
        return rounded(StrictMath.pow(2, a));
    }

    @Modelled("maximum relative error 2^-11, PTX ISA 9.7.3.22")
    public static float tangentApproximateF32(float a) {
        return rounded(StrictMath.tanh(a));
    }

    @Modelled("maximum relative error 2^-9.9, PTX ISA 9.7.4.10")
    public static int exponentialApproximateF16(int a) {
        return HalfArithmetic.half(
                StrictMath.pow(2, HalfArithmetic.fromHalf(a)), Rounding.NEAREST_EVEN);
    }

    @Modelled("maximum relative error 2^-7, PTX ISA 9.7.4.10")
    public static int exponentialApproximateBf16(int a) {
        return HalfArithmetic.brain(
                StrictMath.pow(2, HalfArithmetic.fromBrain(a)), Rounding.NEAREST_EVEN);
    }

    @Modelled("maximum absolute error 2^-10.987, PTX ISA 9.7.4.9")
    public static int tangentApproximateF16(int a) {
        return HalfArithmetic.half(
                StrictMath.tanh(HalfArithmetic.fromHalf(a)), Rounding.NEAREST_EVEN);
    }

    @Modelled("maximum absolute error 2^-8, PTX ISA 9.7.4.9")
    public static int tangentApproximateBf16(int a) {
        return HalfArithmetic.brain(
                StrictMath.tanh(HalfArithmetic.fromBrain(a)), Rounding.NEAREST_EVEN);
    }

    /// `rcp.approx.ftz.f64`: the low 32 bits of the result are zero, subnormal inputs count as
    /// zero.
    @Modelled("20 bits of the upper word, PTX ISA 9.7.3.14")
    public static double reciprocalApproximateF64(double a) {
        return upperWord(1.0 / flush(a));
    }

    /// `rsqrt.approx.f64`, which supports subnormals and is nearly exact.
    @Modelled("within an ulp or so, PTX ISA 9.7.3.16 gives no bound")
    public static double reciprocalRootFullF64(double a) {
        return DoubleArithmetic.canonicalF64(1.0 / Math.sqrt(a));
    }

    @Modelled("20 bits of the upper word, PTX ISA 9.7.3.17")
    public static double reciprocalRootApproximateF64(double a) {
        return upperWord(1.0 / Math.sqrt(flush(a)));
    }

    private static double flush(double a) {
        return Math.abs(a) < Double.MIN_NORMAL ? Math.copySign(0.0, a) : a;
    }

    private static double upperWord(double a) {
        if (Double.isNaN(a)) {
            return Double.longBitsToDouble(0x7fff_ffff_0000_0000L);
        }
        return Double.longBitsToDouble(Double.doubleToRawLongBits(flush(a)) & ~0xffff_ffffL);
    }
}
