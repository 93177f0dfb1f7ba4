package dev.heddle.vm.semantics;

import dev.heddle.formats.Rounding;

/// Arithmetic on `.f32`, PTX ISA 9.7.3. A NaN result is always 0x7fffffff.
public final class FloatArithmetic {
    /// The NaN that `.f32` instructions produce.
    public static final int CANONICAL_NAN = 0x7fffffff;

    private FloatArithmetic() {}

    /// The value itself, with any NaN replaced by the one that GPUs produce.
    public static float canonicalF32(float a) {
        return Float.isNaN(a) ? Float.intBitsToFloat(CANONICAL_NAN) : a;
    }

    /// `.ftz`: subnormals become zero of the same sign.
    public static float flushF32(float a) {
        return Math.abs(a) < Float.MIN_NORMAL ? Math.copySign(0f, a) : a;
    }

    /// `.sat`: clamped to [+0, 1], NaN to +0.
    public static float saturateF32(float a) {
        return a > 0 ? Math.min(a, 1f) : 0f;
    }

    public static float addF32(float a, float b) {
        return canonicalF32(a + b);
    }

    public static float addF32(float a, float b, Rounding rounding) {
        return add(a, b, rounding);
    }

    public static float subtractF32(float a, float b) {
        return canonicalF32(a - b);
    }

    public static float subtractF32(float a, float b, Rounding rounding) {
        return add(a, -b, rounding);
    }

    public static float multiplyF32(float a, float b) {
        return canonicalF32(a * b);
    }

    public static float multiplyF32(float a, float b, Rounding rounding) {
        return round((double) a * b, rounding);
    }

    public static float fusedF32(float a, float b, float c) {
        return canonicalF32(Math.fma(a, b, c));
    }

    public static float fusedF32(float a, float b, float c, Rounding rounding) {
        return sum((double) a * b, c, rounding);
    }

    public static float divideF32(float a, float b) {
        return canonicalF32(a / b);
    }

    public static float divideF32(float a, float b, Rounding rounding) {
        return round((double) a / b, rounding);
    }

    public static float squareRootF32(float a) {
        return canonicalF32((float) Math.sqrt(a));
    }

    public static float squareRootF32(float a, Rounding rounding) {
        return round(Math.sqrt(a), rounding);
    }

    private static float add(float a, float b, Rounding rounding) {
        return sum(a, b, rounding);
    }

    private static float sum(double a, double b, Rounding rounding) {
        double sum = Exactly.sum(a, b);
        if (sum == 0) {
            return zeroSum(a, b, rounding == Rounding.DOWN);
        }
        return round(sum, rounding);
    }

    /// An exact zero sum is -0 toward negative infinity unless both terms are +0, and +0 otherwise
    /// unless both are -0.
    private static float zeroSum(double a, double b, boolean down) {
        boolean negativeA = Double.doubleToRawLongBits(a) < 0;
        boolean negativeB = Double.doubleToRawLongBits(b) < 0;
        return (down ? negativeA || negativeB : negativeA && negativeB) ? -0f : 0f;
    }

    private static float round(double exact, Rounding rounding) {
        return canonicalF32(Exactly.toFloat(exact, rounding));
    }

    // Sign operations leave a NaN's payload alone but make it canonical on the way out, as abs
    // and
    // neg do.

    public static float absoluteF32(float a) {
        return canonicalF32(Math.abs(a));
    }

    public static float negateF32(float a) {
        return canonicalF32(-a);
    }

    /// `copysign.f32 d, a, b`: the sign of `a` on the magnitude of `b`.
    public static float copysignF32(float a, float b) {
        return Float.intBitsToFloat(
                Float.floatToRawIntBits(a) & 0x8000_0000
                        | Float.floatToRawIntBits(b) & 0x7fff_ffff);
    }

    /// `min.f32`: the other operand if one is NaN; -0 below +0.
    public static float minimumF32(float a, float b) {
        if (Float.isNaN(a)) {
            return canonicalF32(b);
        }
        return Float.isNaN(b) ? a : Math.min(a, b);
    }

    public static float maximumF32(float a, float b) {
        if (Float.isNaN(a)) {
            return canonicalF32(b);
        }
        return Float.isNaN(b) ? a : Math.max(a, b);
    }

    /// `min.NaN.f32`: NaN if one operand is.
    public static float minimumNanF32(float a, float b) {
        return canonicalF32(Math.min(a, b));
    }

    public static float maximumNanF32(float a, float b) {
        return canonicalF32(Math.max(a, b));
    }

    /// `.xorsign.abs`: the sign of the result, the exclusive or of the operands' signs, on a
    /// magnitude; a NaN has no sign.
    public static float xorSignF32(float magnitude, float a, float b) {
        if (Float.isNaN(magnitude)) {
            return magnitude;
        }
        int sign = (Float.floatToRawIntBits(a) ^ Float.floatToRawIntBits(b)) & 0x8000_0000;
        return Float.intBitsToFloat(Float.floatToRawIntBits(magnitude) & 0x7fff_ffff | sign);
    }

    /// The magnitude alone, payload of a NaN kept.
    public static float magnitudeF32(float a) {
        return Math.abs(a);
    }

    /// `set.f32`: 1.0 where true.
    public static float oneWhereF32(boolean condition) {
        return condition ? 1f : 0f;
    }

    public static boolean testpFiniteF32(float a) {
        return Float.isFinite(a);
    }

    public static boolean testpInfiniteF32(float a) {
        return Float.isInfinite(a);
    }

    public static boolean testpNumberF32(float a) {
        return !Float.isNaN(a);
    }

    public static boolean testpNotanumberF32(float a) {
        return Float.isNaN(a);
    }

    /// `testp.normal`: zeros count as normal.
    public static boolean testpNormalF32(float a) {
        return Float.isFinite(a) && (a == 0 || Math.abs(a) >= Float.MIN_NORMAL);
    }

    public static boolean testpSubnormalF32(float a) {
        return a != 0 && Math.abs(a) < Float.MIN_NORMAL;
    }
}
