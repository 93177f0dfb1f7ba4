package dev.heddle.tensorcore.functions;

/// The approximate functions of PTX on sm_90: one or two [Mufu] instructions, and the IEEE steps
/// that `ptxas` 13.0 puts around them.
///
/// The methods are named by instruction: `ex2.approx.ftz.f32` is `ex2ApproxFtzF32`.
public final class Approximate {
    private static final float TWO_24 = 0x1p24f;
    private static final float LEAST_NORMAL = 0x1p-126f;

    /// Beyond it the reciprocal is subnormal, which the unit would flush.
    private static final float GREATEST_DIVISOR = 0x1p126f;

    /// 1 / (2 pi), rounded toward zero.
    private static final float REVOLUTION = Float.intBitsToFloat(0x3e22f983);

    private Approximate() {}

    private static float f32(int bits) {
        return Float.intBitsToFloat(bits);
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private static float canonical(float a) {
        return Float.isNaN(a) ? f32(Mufu.NAN) : a;
    }

    /// Whether a magnitude is one that the unit would take for zero.
    private static boolean tiny(float a) {
        return Math.abs(a) < LEAST_NORMAL;
    }

    /// `ex2.approx.ftz.f32`.
    public static float ex2ApproxFtzF32(float a) {
        return f32(Mufu.ex2(bits(a)));
    }

    /// `ex2.approx.f32`: half of an argument whose result may be subnormal, the result squared.
    public static float ex2ApproxF32(float a) {
        if (!(a < -126f)) {
            return ex2ApproxFtzF32(a);
        }
        float root = ex2ApproxFtzF32(a * 0.5f);
        return root * root;
    }

    /// `lg2.approx.ftz.f32`.
    public static float lg2ApproxFtzF32(float a) {
        return f32(Mufu.lg2(bits(a)));
    }

    /// `lg2.approx.f32`: subnormals times 2^24, 24 taken from the result.
    public static float lg2ApproxF32(float a) {
        return tiny(a) ? canonical(lg2ApproxFtzF32(a * TWO_24) - 24f) : lg2ApproxFtzF32(a);
    }

    /// `rcp.approx.ftz.f32`.
    public static float rcpApproxFtzF32(float a) {
        return f32(Mufu.rcp(bits(a)));
    }

    /// `rcp.approx.f32`: the argument and the result times the same power of two.
    public static float rcpApproxF32(float a) {
        float magnitude = Math.abs(a);
        float scale = magnitude < LEAST_NORMAL ? TWO_24 : magnitude > GREATEST_DIVISOR ? 0.25f : 1f;
        return canonical(scale * rcpApproxFtzF32(scale * a));
    }

    /// `rsqrt.approx.ftz.f32`.
    public static float rsqrtApproxFtzF32(float a) {
        return f32(Mufu.rsq(bits(a)));
    }

    /// `rsqrt.approx.f32`: subnormals times 2^24, their results times 2^12.
    public static float rsqrtApproxF32(float a) {
        return tiny(a) ? canonical(rsqrtApproxFtzF32(a * TWO_24) * 4096f) : rsqrtApproxFtzF32(a);
    }

    /// `sqrt.approx.ftz.f32`.
    public static float sqrtApproxFtzF32(float a) {
        return f32(Mufu.sqrt(bits(a)));
    }

    /// `sqrt.approx.f32`: subnormals times 2^24, their results times 2^-12.
    public static float sqrtApproxF32(float a) {
        return tiny(a) ? canonical(sqrtApproxFtzF32(a * TWO_24) * 0x1p-12f) : sqrtApproxFtzF32(a);
    }

    /// `sin.approx.ftz.f32`.
    public static float sinApproxFtzF32(float a) {
        return sinApproxF32(a);
    }

    /// `sin.approx.f32`.
    public static float sinApproxF32(float a) {
        return f32(Mufu.sin(bits(revolutions(a))));
    }

    /// `cos.approx.ftz.f32`.
    public static float cosApproxFtzF32(float a) {
        return cosApproxF32(a);
    }

    /// `cos.approx.f32`.
    public static float cosApproxF32(float a) {
        return f32(Mufu.cos(bits(revolutions(a))));
    }

    /// Radians as revolutions, rounded toward zero. The product of two `.f32` is exact in double.
    private static float revolutions(float a) {
        double exact = (double) a * REVOLUTION;
        float nearest = (float) exact;
        return Math.abs(nearest) > Math.abs(exact) ? f32(bits(nearest) - 1) : nearest;
    }

    /// `tanh.approx.f32`.
    public static float tanhApproxF32(float a) {
        return f32(Mufu.tanh(bits(a)));
    }

    /// `ex2.approx.f16`.
    public static int ex2ApproxF16(int bits) {
        return Mufu.ex2F16(bits);
    }

    /// `ex2.approx.ftz.bf16`.
    public static int ex2ApproxFtzBf16(int bits) {
        return Mufu.ex2Bf16(bits);
    }

    /// `tanh.approx.f16`.
    public static int tanhApproxF16(int bits) {
        return Mufu.tanhF16(bits);
    }

    /// `tanh.approx.bf16`.
    public static int tanhApproxBf16(int bits) {
        return Mufu.tanhBf16(bits);
    }

    /// `div.approx.ftz.f32`.
    public static float divApproxFtzF32(float a, float b) {
        return FlushedProduct.of(rcpApproxFtzF32(b), a);
    }

    /// `div.approx.f32`: both operands times 2^24 where the divisor is subnormal.
    public static float divApproxF32(float a, float b) {
        return tiny(b)
                ? canonical(a * TWO_24 * rcpApproxFtzF32(b * TWO_24))
                : canonical(a * rcpApproxFtzF32(b));
    }

    /// `div.full.ftz.f32`: both operands divided by four where the divisor is beyond 2^126.
    public static float divFullFtzF32(float a, float b) {
        return Math.abs(b) > GREATEST_DIVISOR
                ? FlushedProduct.of(rcpApproxFtzF32(b * 0.25f), FlushedProduct.of(a, 0.25f))
                : FlushedProduct.of(rcpApproxFtzF32(b), a);
    }

    /// `div.full.f32`: both operands times 2^24, or divided by four, at the ends of the range.
    public static float divFullF32(float a, float b) {
        float magnitude = Math.abs(b);
        float scale = magnitude < LEAST_NORMAL ? TWO_24 : magnitude > GREATEST_DIVISOR ? 0.25f : 1f;
        return canonical(a * scale * rcpApproxFtzF32(b * scale));
    }

    /// `rcp.approx.ftz.f64`: the high word alone.
    public static double rcpApproxFtzF64(double a) {
        return high(Mufu.rcp64h((int) (Double.doubleToRawLongBits(a) >>> 32)));
    }

    /// `rsqrt.approx.ftz.f64`: the high word alone.
    public static double rsqrtApproxFtzF64(double a) {
        return high(Mufu.rsq64h((int) (Double.doubleToRawLongBits(a) >>> 32)));
    }

    /// `rsqrt.approx.f64`: the seed and one step of third order.
    public static double rsqrtApproxF64(double a) {
        if (Double.isNaN(a)) {
            return Double.longBitsToDouble(Double.doubleToRawLongBits(a) | 1L << 51);
        }
        if (a == 0) {
            return Math.copySign(Double.POSITIVE_INFINITY, a);
        }
        if (a < 0) {
            return Double.longBitsToDouble(0xfff8L << 48);
        }
        if (a == Double.POSITIVE_INFINITY) {
            return 0;
        }
        return a < Double.MIN_NORMAL ? refined(a * 0x1p54) * 0x1p27 : refined(a);
    }

    private static double refined(double a) {
        double y = rsqrtApproxFtzF64(a);
        double r = Math.fma(-(y * y), a, 1);
        return Math.fma(Math.fma(r, 0.375, 0.5), y * r, y);
    }

    private static double high(int word) {
        return Double.longBitsToDouble((long) word << 32);
    }
}
