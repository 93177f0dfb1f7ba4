package dev.heddle.vm.semantics;

import dev.heddle.formats.Rounding;

import java.math.BigDecimal;
import java.math.BigInteger;

/// Intermediate results that lose nothing on the way to a narrower format.
///
/// Operations on `f32` and narrower formats are carried out in `double` and *rounded to odd*: when
/// the double is inexact its last bit is forced to one. A later rounding to at most 51 bits, in any
/// direction, then gives what rounding the exact result would have given. Quotients and square
/// roots of `f32` need no such care: a double has more than twice their bits, so that none of them
/// comes near enough to what divides two roundings. Directed rounding of `f64` itself goes through
/// rational arithmetic.
final class Exactly {
    private Exactly() {}

    /// The sum of two doubles, rounded to odd.
    static double sum(double a, double b) {
        double sum = a + b;
        if (!Double.isFinite(sum)) {
            return sum;
        }
        double virtual = sum - a;
        double error = (a - (sum - virtual)) + (b - virtual);
        return toOdd(sum, error);
    }

    /// A 64-bit integer, rounded to odd.
    static double integer(long value, boolean unsigned) {
        boolean negative = !unsigned && value < 0;
        long magnitude = negative ? -value : value;
        int excess = 64 - Long.numberOfLeadingZeros(magnitude) - 53;
        if (excess > 0) {
            long sticky = (magnitude & ((1L << excess) - 1)) != 0 ? 1 : 0;
            double kept = Math.scalb((double) (magnitude >>> excess | sticky), excess);
            return negative ? -kept : kept;
        }
        return negative ? -(double) magnitude : (double) magnitude;
    }

    private static double toOdd(double rounded, double error) {
        long bits = Double.doubleToRawLongBits(rounded);
        if (error == 0 || (bits & 1) != 0) {
            return rounded;
        }
        return Double.longBitsToDouble(error > 0 == rounded > 0 ? bits + 1 : bits - 1);
    }

    /// Rounds to a binary format given by its precision (hidden bit included) and the exponents of
    /// its normal numbers.
    static double round(double value, int precision, int least, int greatest, Rounding rounding) {
        if (value == 0 || !Double.isFinite(value)) {
            return value;
        }
        int quantum = Math.max(Math.getExponent(value), least) - (precision - 1);
        double result = Math.scalb(toIntegral(rounding, Math.scalb(value, -quantum)), quantum);
        double largest = Math.scalb(2 - Math.scalb(1.0, 1 - precision), greatest);
        if (Math.abs(result) > largest) {
            return Math.copySign(
                    rounding.overflowsToInfinity(value < 0) ? Double.POSITIVE_INFINITY : largest,
                    value);
        }
        return Math.copySign(result, value);
    }

    /// A finite value rounded to an integral one.
    static double toIntegral(Rounding rounding, double value) {
        return switch (rounding) {
            case NEAREST_EVEN -> Math.rint(value);
            case TOWARD_ZERO -> Math.copySign(Math.floor(Math.abs(value)), value);
            case DOWN -> Math.floor(value);
            case UP -> Math.ceil(value);
            case NEAREST_AWAY -> {
                double below = Math.floor(Math.abs(value));
                yield Math.copySign(Math.abs(value) - below >= 0.5 ? below + 1 : below, value);
            }
        };
    }

    static float toFloat(double value, Rounding rounding) {
        return (float) round(value, 24, -126, 127, rounding);
    }

    /// The `f64` nearest to an exact decimal in a direction.
    static double toDouble(BigDecimal exact, Rounding rounding) {
        double nearest = exact.doubleValue();
        if (Double.isInfinite(nearest)) {
            return rounding.overflowsToInfinity(nearest < 0)
                    ? nearest
                    : Math.copySign(Double.MAX_VALUE, nearest);
        }
        int side = exact.compareTo(new BigDecimal(nearest));
        boolean negative = exact.signum() < 0;
        double result =
                switch (rounding) {
                    case NEAREST_EVEN, NEAREST_AWAY -> nearest;
                    case DOWN -> side < 0 ? Math.nextDown(nearest) : nearest;
                    case UP -> side > 0 ? Math.nextUp(nearest) : nearest;
                    case TOWARD_ZERO -> {
                        if (negative) {
                            yield side > 0 ? Math.nextUp(nearest) : nearest;
                        }
                        yield side < 0 ? Math.nextDown(nearest) : nearest;
                    }
                };
        return result == 0 ? Math.copySign(0.0, negative ? -1.0 : 1.0) : result;
    }

    /// The quotient cut to 2,400 binary places. A quotient of doubles is a double, or half way
    /// between two, or at least 2^-108 of itself away from all of these: what is cut off decides
    /// no rounding.
    static BigDecimal quotientOf(double a, double b) {
        BigDecimal numerator = new BigDecimal(a);
        BigDecimal denominator = new BigDecimal(b);
        int scale = Math.max(numerator.scale(), denominator.scale());
        BigInteger top = numerator.movePointRight(scale).toBigIntegerExact().shiftLeft(2400);
        return new BigDecimal(top.divide(denominator.movePointRight(scale).toBigIntegerExact()))
                .multiply(powerOfTwo(-2400));
    }

    /// The square root cut to at least 128 significant bits, enough for the same reason.
    static BigDecimal squareRootOf(double a) {
        // a = m * 2^e with e even, so that the root of m carries half the exponent.
        int exponent = Math.max(Math.getExponent(a), Double.MIN_EXPONENT) - 52;
        exponent -= Math.floorMod(exponent, 2);
        BigInteger root =
                new BigDecimal(a)
                        .multiply(powerOfTwo(-exponent))
                        .toBigIntegerExact()
                        .shiftLeft(256)
                        .sqrt();
        return new BigDecimal(root).multiply(powerOfTwo(exponent / 2 - 128));
    }

    private static BigDecimal powerOfTwo(int exponent) {
        return exponent >= 0
                ? new BigDecimal(BigInteger.ONE.shiftLeft(exponent))
                : BigDecimal.ONE.divide(new BigDecimal(BigInteger.ONE.shiftLeft(-exponent)));
    }
}
