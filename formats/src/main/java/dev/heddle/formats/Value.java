package dev.heddle.formats;

import java.math.BigDecimal;
import java.math.BigInteger;

/// An exact value: what a code stands for, without a format.
public sealed interface Value {

    /// `significand * 2^exponent`, negated if `negative`. The significand is odd, or it is zero and
    /// so is the exponent: equal values are equal records, except that -0 is not +0.
    record Finite(boolean negative, BigInteger significand, int exponent) implements Value {

        /// @throws IllegalArgumentException if the significand is negative
        public Finite {
            if (significand.signum() < 0) {
                throw new IllegalArgumentException(
                        "significand " + significand + ": the sign stands apart");
            }
            if (significand.signum() == 0) {
                exponent = 0;
            } else {
                int zeros = significand.getLowestSetBit();
                significand = significand.shiftRight(zeros);
                exponent = Math.addExact(exponent, zeros);
            }
        }

        /// The value of a decimal number that is a multiple of a power of two.
        ///
        /// @throws ArithmeticException if it is none, like one tenth
        public static Finite of(BigDecimal value) {
            int halvings = Math.max(0, value.stripTrailingZeros().scale());
            BigInteger significand =
                    value.multiply(new BigDecimal(BigInteger.TWO.pow(halvings)))
                            .toBigIntegerExact();
            return new Finite(significand.signum() < 0, significand.abs(), -halvings);
        }

        /// The same number in decimal notation; -0 becomes 0.
        public BigDecimal toBigDecimal() {
            BigDecimal magnitude = new BigDecimal(significand);
            BigDecimal power = new BigDecimal(BigInteger.TWO.pow(Math.abs(exponent)));
            BigDecimal scaled =
                    exponent >= 0
                            ? magnitude.multiply(power)
                            // A multiple of 2^-n has n decimal places, so the division is exact
                            : magnitude.divide(power);
            return negative ? scaled.negate() : scaled;
        }

        public boolean isZero() {
            return significand.signum() == 0;
        }
    }

    record Infinity(boolean negative) implements Value {}

    /// Not a number.
    ///
    /// @param payload the fraction field of its format
    record NaN(boolean negative, long payload) implements Value {}

    /// The exact value of a `double`.
    static Value of(double value) {
        return FloatFormat.F64.value(Double.doubleToRawLongBits(value));
    }

    /// The exact value of a `long`.
    static Finite of(long value) {
        return new Finite(value < 0, BigInteger.valueOf(value).abs(), 0);
    }
}
