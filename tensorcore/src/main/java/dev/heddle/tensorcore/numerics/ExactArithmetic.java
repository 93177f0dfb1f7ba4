package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;

import java.math.BigInteger;

/// Products, sums and roundings of exact values, by IEEE 754 where one is not finite. A sum that is
/// zero is +0.
final class ExactArithmetic {
    private ExactArithmetic() {}

    static Value multiply(Value x, Value y) {
        boolean negative = negative(x) != negative(y);
        if (x instanceof Value.NaN || y instanceof Value.NaN) {
            return new Value.NaN(false, 0);
        }
        if (x instanceof Value.Finite a && y instanceof Value.Finite b) {
            return new Value.Finite(
                    negative,
                    a.significand().multiply(b.significand()),
                    a.exponent() + b.exponent());
        }
        return isZero(x) || isZero(y) ? new Value.NaN(false, 0) : new Value.Infinity(negative);
    }

    static Value add(Value x, Value y) {
        if (x instanceof Value.NaN || y instanceof Value.NaN) {
            return new Value.NaN(false, 0);
        }
        if (x instanceof Value.Infinity(boolean negative)) {
            return y instanceof Value.Infinity(boolean other) && other != negative
                    ? new Value.NaN(false, 0)
                    : x;
        }
        if (y instanceof Value.Infinity) {
            return y;
        }
        Value.Finite a = (Value.Finite) x;
        Value.Finite b = (Value.Finite) y;
        int unit = Math.min(a.exponent(), b.exponent());
        BigInteger sum =
                shift(signed(a), a.exponent() - unit).add(shift(signed(b), b.exponent() - unit));
        return new Value.Finite(sum.signum() < 0, sum.abs(), unit);
    }

    static Value subtract(Value x, Value y) {
        return add(x, negate(y));
    }

    static Value negate(Value value) {
        return switch (value) {
            case Value.Finite(boolean negative, BigInteger significand, int exponent) ->
                    new Value.Finite(!negative, significand, exponent);
            case Value.Infinity(boolean negative) -> new Value.Infinity(!negative);
            case Value.NaN nan -> nan;
        };
    }

    static boolean negative(Value value) {
        return switch (value) {
            case Value.Finite finite -> finite.negative();
            case Value.Infinity(boolean negative) -> negative;
            case Value.NaN _ -> false;
        };
    }

    static boolean isZero(Value value) {
        return value instanceof Value.Finite finite && finite.isZero();
    }

    /// The exponent of the leading place of a number that is not zero.
    static int leading(Value.Finite value) {
        return value.exponent() + value.significand().bitLength() - 1;
    }

    /// A number without the places below a power of two, toward zero.
    static Value.Finite truncate(Value.Finite value, int lastPlace) {
        int cut = lastPlace - value.exponent();
        return cut <= 0
                ? value
                : new Value.Finite(
                        value.negative(), value.significand().shiftRight(cut), lastPlace);
    }

    /// Toward zero to that many fraction bits of f32's exponent range; from 2^128 on, infinity;
    /// zero is +0.
    static Value truncateToF32(Value.Finite value, int fractionBits) {
        if (value.isZero()) {
            return Value.of(0);
        }
        int leading = leading(value);
        if (leading > FloatFormat.F32.bias()) {
            return new Value.Infinity(value.negative());
        }
        int lowest = 1 - FloatFormat.F32.bias();
        Value.Finite kept = truncate(value, Math.max(leading, lowest) - fractionBits);
        return kept.isZero() ? Value.of(0) : kept;
    }

    /// To the nearest number of a format; zero is +0.
    static Value round(Value value, FloatFormat format) {
        Value rounded = format.value(format.encode(value, Rounding.NEAREST_EVEN, Overflow.IEEE));
        return isZero(rounded) ? Value.of(0) : rounded;
    }

    static BigInteger toInteger(Value value) {
        Value.Finite integer = (Value.Finite) value;
        return shift(signed(integer), integer.exponent());
    }

    private static BigInteger signed(Value.Finite value) {
        return value.negative() ? value.significand().negate() : value.significand();
    }

    private static BigInteger shift(BigInteger value, int places) {
        return places >= 0 ? value.shiftLeft(places) : value.shiftRight(-places);
    }
}
