package dev.heddle.vm.semantics;

import dev.heddle.formats.Rounding;

import java.math.BigDecimal;

/// Arithmetic on `.f64`, PTX ISA 9.7.3. Directed rounding goes through exact decimals: rare in
/// compiled code, and slow.
public final class DoubleArithmetic {
    private DoubleArithmetic() {}

    public static double addF64(double a, double b) {
        return canonicalF64(a + b);
    }

    public static double subtractF64(double a, double b) {
        return canonicalF64(a - b);
    }

    public static double multiplyF64(double a, double b) {
        return canonicalF64(a * b);
    }

    public static double fusedF64(double a, double b, double c) {
        return canonicalF64(Math.fma(a, b, c));
    }

    public static double divideF64(double a, double b) {
        return canonicalF64(a / b);
    }

    public static double squareRootF64(double a) {
        return canonicalF64(Math.sqrt(a));
    }

    /// NaN results of `.f64` arithmetic, as one pattern.
    static double canonicalF64(double a) {
        return Double.isNaN(a) ? Double.longBitsToDouble(0xfff8_0000_0000_0000L) : a;
    }

    public static double addF64(double a, double b, Rounding rounding) {
        return fused(a, 1, b, rounding);
    }

    public static double subtractF64(double a, double b, Rounding rounding) {
        return fused(a, 1, -b, rounding);
    }

    public static double multiplyF64(double a, double b, Rounding rounding) {
        return multiply(a, b, rounding);
    }

    public static double fusedF64(double a, double b, double c, Rounding rounding) {
        return fused(a, b, c, rounding);
    }

    public static double divideF64(double a, double b, Rounding rounding) {
        return divide(a, b, rounding);
    }

    public static double squareRootF64(double a, Rounding rounding) {
        return squareRoot(a, rounding);
    }

    private static double multiply(double a, double b, Rounding rounding) {
        double nearest = a * b;
        if (!Double.isFinite(a) || !Double.isFinite(b) || a == 0 || b == 0) {
            return canonicalF64(nearest);
        }
        return Exactly.toDouble(new BigDecimal(a).multiply(new BigDecimal(b)), rounding);
    }

    private static double fused(double a, double b, double c, Rounding rounding) {
        if (!Double.isFinite(a) || !Double.isFinite(b) || !Double.isFinite(c)) {
            return canonicalF64(Math.fma(a, b, c));
        }
        BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
        if (exact.signum() != 0) {
            return Exactly.toDouble(exact, rounding);
        }
        boolean negativeProduct =
                Double.doubleToRawLongBits(a) < 0 != Double.doubleToRawLongBits(b) < 0;
        boolean negativeAddend = Double.doubleToRawLongBits(c) < 0;
        boolean negative =
                rounding == Rounding.DOWN
                        ? negativeProduct || negativeAddend
                        : negativeProduct && negativeAddend;
        return negative ? -0.0 : 0.0;
    }

    private static double divide(double a, double b, Rounding rounding) {
        double nearest = a / b;
        if (a == 0 || b == 0 || !Double.isFinite(a) || !Double.isFinite(b)) {
            return canonicalF64(nearest);
        }
        return Exactly.toDouble(Exactly.quotientOf(a, b), rounding);
    }

    private static double squareRoot(double a, Rounding rounding) {
        double nearest = Math.sqrt(a);
        if (!(a > 0) || Double.isInfinite(a)) {
            return canonicalF64(nearest);
        }
        return Exactly.toDouble(Exactly.squareRootOf(a), rounding);
    }

    /// A NaN keeps its sign and becomes quiet, as on an H100.
    public static double absoluteF64(double a) {
        return Double.isNaN(a) ? quietF64(a) : Math.abs(a);
    }

    public static double negateF64(double a) {
        return Double.isNaN(a) ? quietF64(a) : -a;
    }

    private static double quietF64(double nan) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(nan) | 1L << 51);
    }

    public static double copysignF64(double a, double b) {
        return Double.longBitsToDouble(
                Double.doubleToRawLongBits(a) & Long.MIN_VALUE
                        | Double.doubleToRawLongBits(b) & Long.MAX_VALUE);
    }

    public static double minimumF64(double a, double b) {
        if (Double.isNaN(a)) {
            return Double.isNaN(b) ? quietF64(b) : b;
        }
        return Double.isNaN(b) ? a : Math.min(a, b);
    }

    public static double maximumF64(double a, double b) {
        if (Double.isNaN(a)) {
            return Double.isNaN(b) ? quietF64(b) : b;
        }
        return Double.isNaN(b) ? a : Math.max(a, b);
    }

    public static double saturateF64(double a) {
        return a > 0 ? Math.min(a, 1.0) : 0.0;
    }

    public static boolean testpFiniteF64(double a) {
        return Double.isFinite(a);
    }

    public static boolean testpInfiniteF64(double a) {
        return Double.isInfinite(a);
    }

    public static boolean testpNumberF64(double a) {
        return !Double.isNaN(a);
    }

    public static boolean testpNotanumberF64(double a) {
        return Double.isNaN(a);
    }

    public static boolean testpNormalF64(double a) {
        return Double.isFinite(a) && (a == 0 || Math.abs(a) >= Double.MIN_NORMAL);
    }

    public static boolean testpSubnormalF64(double a) {
        return a != 0 && Math.abs(a) < Double.MIN_NORMAL;
    }
}
