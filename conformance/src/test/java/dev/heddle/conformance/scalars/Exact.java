package dev.heddle.conformance.scalars;

import dev.heddle.formats.Rounding;

import java.math.BigInteger;

/// A number of a binary format, exactly: `significand * 2^exponent` with a sign, which zero has,
/// too.
///
/// @param kind what it is
/// @param negative its sign
/// @param significand not negative
/// @param exponent of its last bit
record Exact(Kind kind, boolean negative, BigInteger significand, int exponent) {
    enum Kind {
        NAN,
        INFINITE,
        FINITE
    }

    static final Exact NAN = new Exact(Kind.NAN, false, BigInteger.ZERO, 0);

    static Exact finite(boolean negative, BigInteger significand, int exponent) {
        return new Exact(Kind.FINITE, negative, significand, exponent);
    }

    static Exact of(BigInteger integer) {
        return finite(integer.signum() < 0, integer.abs(), 0);
    }

    boolean isNan() {
        return kind == Kind.NAN;
    }

    boolean isInfinite() {
        return kind == Kind.INFINITE;
    }

    boolean isZero() {
        return kind == Kind.FINITE && significand.signum() == 0;
    }

    Exact negated() {
        return new Exact(kind, !negative, significand, exponent);
    }

    private BigInteger at(int lower) {
        BigInteger shifted = significand.shiftLeft(exponent - lower);
        return negative ? shifted.negate() : shifted;
    }

    /// Infinities are beyond all numbers; neither is a NaN.
    int compareTo(Exact other) {
        if (isInfinite() || other.isInfinite()) {
            return Integer.compare(rank(), other.rank());
        }
        int lower = Math.min(exponent, other.exponent);
        return at(lower).compareTo(other.at(lower));
    }

    private int rank() {
        return isInfinite() ? negative ? -1 : 1 : 0;
    }

    /// IEEE 754, 6.3: a sum of zero is positive but for `.rm`, unless both are negative zeros.
    Exact plus(Exact other, Rounding rounding) {
        if (isNan() || other.isNan()) {
            return NAN;
        }
        if (isInfinite() || other.isInfinite()) {
            boolean opposed = isInfinite() && other.isInfinite() && negative != other.negative;
            return opposed ? NAN : isInfinite() ? this : other;
        }
        int lower = Math.min(exponent, other.exponent);
        BigInteger sum = at(lower).add(other.at(lower));
        if (sum.signum() == 0) {
            boolean both = isZero() && other.isZero() && negative == other.negative;
            return finite(both ? negative : rounding == Rounding.DOWN, sum, lower);
        }
        return finite(sum.signum() < 0, sum.abs(), lower);
    }

    Exact times(Exact other) {
        if (isNan() || other.isNan()) {
            return NAN;
        }
        boolean sign = negative != other.negative;
        if (isInfinite() || other.isInfinite()) {
            return isZero() || other.isZero()
                    ? NAN
                    : new Exact(Kind.INFINITE, sign, BigInteger.ONE, 0);
        }
        return finite(sign, significand.multiply(other.significand), exponent + other.exponent);
    }

    long over(Exact other, Binary format, Rounding rounding) {
        boolean sign = negative != other.negative;
        if (isNan()
                || other.isNan()
                || isInfinite() && other.isInfinite()
                || isZero() && other.isZero()) {
            return format.nan();
        }
        if (isInfinite() || other.isZero()) {
            return format.code(new Exact(Kind.INFINITE, sign, BigInteger.ONE, 0), rounding);
        }
        if (isZero() || other.isInfinite()) {
            return format.signed(sign, 0);
        }
        return format.code(
                sign, significand, other.significand, exponent - other.exponent, rounding);
    }

    long root(Binary format, Rounding rounding) {
        if (isNan() || negative && !isZero()) {
            return format.nan();
        }
        if (isInfinite() || isZero()) {
            return format.code(this, rounding);
        }
        boolean odd = (exponent & 1) != 0;
        return format.rootCode(
                odd ? significand.shiftLeft(1) : significand,
                odd ? exponent - 1 : exponent,
                rounding);
    }

    /// As an integer; a finite number only.
    Exact integral(Rounding rounding) {
        return finite(
                negative, Binary.rounded(negative, significand, false, -exponent, rounding), 0);
    }

    BigInteger integer() {
        return at(0);
    }
}
