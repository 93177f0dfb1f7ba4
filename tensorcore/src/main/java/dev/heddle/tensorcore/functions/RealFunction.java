package dev.heddle.tensorcore.functions;

import java.math.BigDecimal;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/// The functions of real numbers that the approximate instructions stand for.
public enum RealFunction {
    EX2(x -> Math.pow(2, x), Series::exponential),
    LG2(x -> Math.log(x) / Math.log(2), Series::logarithm),
    RCP(x -> 1 / x, x -> BigDecimal.ONE.divide(x, Series.DIGITS)),
    RSQRT(x -> 1 / Math.sqrt(x), x -> BigDecimal.ONE.divide(x.sqrt(Series.DIGITS), Series.DIGITS)),
    SQRT(Math::sqrt, x -> x.sqrt(Series.DIGITS)),
    SIN(Math::sin, Series::sine),
    COS(Math::cos, Series::cosine),
    TANH(Math::tanh, Series::hyperbolicTangent);

    private final DoubleUnaryOperator near;
    private final UnaryOperator<BigDecimal> exact;

    RealFunction(DoubleUnaryOperator near, UnaryOperator<BigDecimal> exact) {
        this.near = near;
        this.exact = exact;
    }

    /// The function within 2^-50 of its value; of zeros, infinities and NaNs what the manual's
    /// tables say.
    ///
    /// `java.lang.Math` promises one unit in the last place (2^-52) for `pow`, `log`, `sin` and
    /// `cos`, 2.5 for `tanh`, and a right rounding of roots and quotients.
    public double near(double x) {
        return near.applyAsDouble(x);
    }

    /// The function to 60 digits or more.
    ///
    /// @throws ArithmeticException where it has no value
    public BigDecimal at(BigDecimal x) {
        return exact.apply(x);
    }
}
