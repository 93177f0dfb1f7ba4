package dev.heddle.cli;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.tensorcore.functions.RealFunction;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/// What a scalar instruction with a floating-point result would give without rounding.
///
/// @param kind of the instruction
/// @param function of its one operand, for kinds that have one
/// @param format of the result
/// @param flushes subnormal operands and results become zeros
/// @param clamp `sat`, `relu` or nothing
record ExactScalar(
        InstructionKind kind,
        RealFunction function,
        FloatFormat format,
        boolean flushes,
        String clamp) {
    private static final MathContext DIGITS = new MathContext(60);

    /// @throws UsageError where the result is no rounded number
    static ExactScalar of(ScalarInstruction instruction) {
        ScalarType type = instruction.destination().type();
        Format half = ScalarArrays.half(type);
        Format format = half == null ? ScalarArrays.format(type) : half;
        if (!(format instanceof FloatFormat floating)) {
            throw new UsageError(
                    "--against exact: the result of %s is .%s, no rounded number"
                            .formatted(instruction.mnemonic(), type.keyword()));
        }
        InstructionKind kind = instruction.match().form().kind();
        boolean packed = kind == InstructionKind.CONVERT && half != null;
        if (packed || !isKnown(kind)) {
            throw new UsageError(
                    "--against exact: not for %s, which rounds nothing or more than one value"
                            .formatted(instruction.mnemonic()));
        }
        List<String> words = List.of(instruction.mnemonic().split("[.]", -1));
        return new ExactScalar(
                kind,
                function(kind),
                floating,
                words.contains("ftz"),
                words.contains("sat") ? "sat" : words.contains("relu") ? "relu" : "");
    }

    private static boolean isKnown(InstructionKind kind) {
        return switch (kind) {
            case FLOAT_ADD,
                    FLOAT_SUBTRACT,
                    FLOAT_MULTIPLY,
                    FUSED_MULTIPLY_ADD,
                    FLOAT_DIVIDE,
                    RECIPROCAL,
                    SQUARE_ROOT,
                    RECIPROCAL_SQUARE_ROOT,
                    SINE,
                    COSINE,
                    LOGARITHM,
                    EXPONENTIAL,
                    HYPERBOLIC_TANGENT,
                    CONVERT ->
                    true;
            default -> false;
        };
    }

    private static RealFunction function(InstructionKind kind) {
        return switch (kind) {
            case SQUARE_ROOT -> RealFunction.SQRT;
            case RECIPROCAL_SQUARE_ROOT -> RealFunction.RSQRT;
            case SINE -> RealFunction.SIN;
            case COSINE -> RealFunction.COS;
            case LOGARITHM -> RealFunction.LG2;
            case EXPONENTIAL -> RealFunction.EX2;
            case HYPERBOLIC_TANGENT -> RealFunction.TANH;
            default -> RealFunction.RCP;
        };
    }

    /// An operand as it is computed with.
    double operand(Format of, long code) {
        double value = of.toDouble(code);
        return flushes
                        && of instanceof FloatFormat floating
                        && Math.abs(value) < floating.toDouble(floating.minNormal())
                ? Math.copySign(0, value)
                : value;
    }

    /// The value within 2^-50 of it, for results of 32 bits or less; of `.f64` only its kind.
    double near(double[] x) {
        double value =
                switch (kind) {
                    case FLOAT_ADD -> x[0] + x[1];
                    case FLOAT_SUBTRACT -> x[0] - x[1];
                    case FLOAT_MULTIPLY -> x[0] * x[1];
                    case FUSED_MULTIPLY_ADD -> Math.fma(x[0], x[1], x[2]);
                    case FLOAT_DIVIDE -> x[0] / x[1];
                    case CONVERT -> x[0];
                    default -> function.near(x[0]);
                };
        return switch (clamp) {
            case "sat" -> Double.isNaN(value) ? 0 : Math.clamp(value, 0.0, 1.0);
            case "relu" -> Math.max(value, 0);
            default -> value;
        };
    }

    /// The value to sixty digits; sums and products of finite operands wholly.
    BigDecimal exact(double[] x) {
        BigDecimal a = new BigDecimal(x[0]);
        BigDecimal value =
                switch (kind) {
                    case FLOAT_ADD -> a.add(new BigDecimal(x[1]));
                    case FLOAT_SUBTRACT -> a.subtract(new BigDecimal(x[1]));
                    case FLOAT_MULTIPLY -> a.multiply(new BigDecimal(x[1]));
                    case FUSED_MULTIPLY_ADD ->
                            a.multiply(new BigDecimal(x[1])).add(new BigDecimal(x[2]));
                    case FLOAT_DIVIDE -> a.divide(new BigDecimal(x[1]), DIGITS);
                    case CONVERT -> a;
                    default -> function.at(a);
                };
        return switch (clamp) {
            case "sat" -> value.max(BigDecimal.ZERO).min(BigDecimal.ONE);
            case "relu" -> value.max(BigDecimal.ZERO);
            default -> value;
        };
    }

    /// The error of a result in ulp; NaN where it or the exact value is not finite.
    double ulps(double[] x, double result) {
        double near = near(x);
        if (!Double.isFinite(near) || !Double.isFinite(result)) {
            return Double.NaN;
        }
        if (flushes && result == 0 && Math.abs(near) < format.toDouble(format.minNormal())) {
            return 0;
        }
        if (format == FloatFormat.F64) {
            return exactUlps(x, result);
        }
        double least = Math.max(Math.abs(near), format.toDouble(format.minNormal()));
        return Math.abs(result - near)
                * Math.scalb(1.0, format.fractionBits() - Math.getExponent(least));
    }

    /// The same, exactly.
    double exactUlps(double[] x, double result) {
        BigDecimal exact = exact(x);
        return new BigDecimal(result)
                .subtract(exact)
                .abs()
                .divide(format.ulp(exact), MathContext.DECIMAL64)
                .doubleValue();
    }
}
