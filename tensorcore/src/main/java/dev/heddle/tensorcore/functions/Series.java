package dev.heddle.tensorcore.functions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/// Transcendental functions to more than 60 digits, by their power series.
final class Series {
    /// Of what is computed: some of the 80 are lost on the way.
    static final MathContext DIGITS = new MathContext(80);

    /// Where an argument's multiple of pi is taken away: a `.f32` may have 39 digits in front of
    /// its point, and what is left may begin some 30 digits behind it.
    private static final MathContext WIDE = new MathContext(180);

    private static final BigDecimal TWO = BigDecimal.TWO;
    private static final BigDecimal SMALLEST = BigDecimal.ONE.movePointLeft(90);
    private static final BigDecimal LN2 =
            twiceArtanh(BigDecimal.ONE.divide(new BigDecimal(3), WIDE), WIDE);
    private static final BigDecimal HALF_PI = halfPi();

    /// Beyond it tanh differs from one by less than 10^-86.
    private static final BigDecimal SATURATED = new BigDecimal(100);

    private Series() {}

    /// 2^x.
    static BigDecimal exponential(BigDecimal x) {
        int whole = x.setScale(0, RoundingMode.FLOOR).intValueExact();
        BigDecimal power = exp(x.subtract(new BigDecimal(whole)).multiply(LN2, DIGITS));
        BigDecimal scale = TWO.pow(Math.abs(whole));
        return whole < 0 ? power.divide(scale, DIGITS) : power.multiply(scale, DIGITS);
    }

    /// The logarithm to base 2.
    static BigDecimal logarithm(BigDecimal x) {
        if (x.signum() <= 0) {
            throw new ArithmeticException("the logarithm of " + x);
        }
        // x = m * 2^e with m about 1, so that nothing cancels near 1.
        int e = Math.getExponent(x.doubleValue());
        BigDecimal m = e < 0 ? x.multiply(TWO.pow(-e)) : x.divide(TWO.pow(e), DIGITS);
        while (m.compareTo(new BigDecimal("1.5")) > 0) {
            m = m.divide(TWO, DIGITS);
            e++;
        }
        while (m.compareTo(new BigDecimal("0.75")) < 0) {
            m = m.multiply(TWO);
            e--;
        }
        BigDecimal t = m.subtract(BigDecimal.ONE).divide(m.add(BigDecimal.ONE), DIGITS);
        return twiceArtanh(t, DIGITS).divide(LN2, DIGITS).add(new BigDecimal(e), DIGITS);
    }

    static BigDecimal sine(BigDecimal x) {
        return wave(x, 0);
    }

    static BigDecimal cosine(BigDecimal x) {
        return wave(x, 1);
    }

    /// sin(x + quarters * pi / 2).
    private static BigDecimal wave(BigDecimal x, int quarters) {
        BigInteger multiple =
                x.divide(HALF_PI, WIDE).setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
        BigDecimal rest = x.subtract(HALF_PI.multiply(new BigDecimal(multiple)), WIDE);
        int quadrant = multiple.add(BigInteger.valueOf(quarters)).intValue() & 3;
        BigDecimal value = (quadrant & 1) == 0 ? sineSum(rest, -1) : cosineSum(rest, -1);
        return quadrant >= 2 ? value.negate() : value;
    }

    static BigDecimal hyperbolicTangent(BigDecimal x) {
        if (x.abs().compareTo(SATURATED) > 0) {
            return new BigDecimal(x.signum());
        }
        if (x.abs().compareTo(BigDecimal.ONE) < 0) {
            return sineSum(x, 1).divide(cosineSum(x, 1), DIGITS);
        }
        BigDecimal power = exp(x.abs().multiply(TWO).negate());
        BigDecimal value = BigDecimal.ONE.subtract(power).divide(BigDecimal.ONE.add(power), DIGITS);
        return x.signum() < 0 ? value.negate() : value;
    }

    /// e^x.
    private static BigDecimal exp(BigDecimal x) {
        // Of a 1024th few terms are needed; ten squares bring it back.
        BigDecimal small = x.divide(new BigDecimal(1024), DIGITS);
        BigDecimal sum = cosineSum(small, 1).add(sineSum(small, 1), DIGITS);
        for (int i = 0; i < 10; i++) {
            sum = sum.multiply(sum, DIGITS);
        }
        return sum;
    }

    /// x, and the terms of odd order after it: sine with signs in turn, hyperbolic without.
    private static BigDecimal sineSum(BigDecimal x, int sign) {
        return sum(x, x, 2, sign);
    }

    /// 1, and the terms of even order after it.
    private static BigDecimal cosineSum(BigDecimal x, int sign) {
        return sum(BigDecimal.ONE, x, 1, sign);
    }

    private static BigDecimal sum(BigDecimal first, BigDecimal x, int factor, int sign) {
        if (first.signum() == 0) {
            return first;
        }
        BigDecimal square = x.multiply(x, DIGITS).multiply(new BigDecimal(sign));
        BigDecimal term = first.round(DIGITS);
        BigDecimal sum = term;
        BigDecimal least = first.abs().multiply(SMALLEST);
        for (int n = factor; term.abs().compareTo(least) > 0; n += 2) {
            term = term.multiply(square).divide(new BigDecimal((long) n * (n + 1)), DIGITS);
            sum = sum.add(term, DIGITS);
        }
        return sum;
    }

    /// ln((1 + t) / (1 - t)).
    private static BigDecimal twiceArtanh(BigDecimal t, MathContext digits) {
        if (t.signum() == 0) {
            return t;
        }
        BigDecimal square = t.multiply(t, digits);
        BigDecimal power = t.multiply(TWO);
        BigDecimal sum = power;
        BigDecimal least = t.abs().movePointLeft(digits.getPrecision() + 2);
        for (int n = 3; power.abs().compareTo(least) > 0; n += 2) {
            power = power.multiply(square, digits);
            sum = sum.add(power.divide(new BigDecimal(n), digits), digits);
        }
        return sum;
    }

    /// Machin's formula: pi / 4 = 4 arctan(1/5) - arctan(1/239).
    private static BigDecimal halfPi() {
        return arctangent(5)
                .multiply(new BigDecimal(8))
                .subtract(arctangent(239).multiply(TWO), WIDE);
    }

    /// The arctangent of 1 / n.
    private static BigDecimal arctangent(int n) {
        BigDecimal power = BigDecimal.ONE.divide(new BigDecimal(n), WIDE);
        BigDecimal square = new BigDecimal((long) n * n);
        BigDecimal sum = power;
        BigDecimal least = BigDecimal.ONE.movePointLeft(WIDE.getPrecision() + 2);
        for (int k = 3; power.compareTo(least) > 0; k += 2) {
            power = power.divide(square, WIDE);
            BigDecimal term = power.divide(new BigDecimal(k), WIDE);
            sum = (k & 2) == 0 ? sum.add(term, WIDE) : sum.subtract(term, WIDE);
        }
        return sum;
    }
}
