package dev.heddle.conformance.functions;

import dev.heddle.tensorcore.functions.Approximate;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound.Inputs;
import dev.heddle.tensorcore.functions.ErrorBound.Measure;
import dev.heddle.tensorcore.functions.ErrorProfile;
import dev.heddle.tensorcore.functions.LargestError;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The errors of a division, in ulp, over some of its 2^64 pairs of operands.
///
/// While nothing is subnormal the error depends on the two fractions alone: 2^46 pairs, too many.
/// Taken are every fraction of the divisor with 128 of the dividend; the 128 divisors of whose
/// reciprocal the error is largest with every fraction of the dividend; and 2^30 pairs of uniform
/// bits.
final class DivisionSurvey {
    private static final int FRACTIONS = 1 << 23;
    private static final int ONE = 0x3f80_0000;
    private static final int TAKEN = 128;
    private static final int PARTS = 256;
    private static final int EXPONENTS = 512;
    private static final float LEAST_NORMAL = 0x1p-126f;

    /// From here on an error of some ulps makes infinity of the largest values.
    private static final double OVERFLOWING = 0x1.fffff0p127;

    private final ApproximateFunction function;
    private final InputSpace.Division division;
    private final Inputs inputs;
    private final int every;
    private final Found found;

    /// @param every takes every so many of the 256 parts only
    DivisionSurvey(ApproximateFunction function, int every) {
        this.function = function;
        this.division = InputSpace.division(function);
        this.inputs = function.bounds().getFirst().inputs();
        this.every = every;
        int[] worst = worstDivisors();
        found =
                IntStream.range(0, PARTS)
                        .filter(part -> part % every == 0)
                        .parallel()
                        .mapToObj(
                                part -> {
                                    Found one = new Found();
                                    everyDivisor(part, one);
                                    everyDividend(part, worst, one);
                                    uniform(part, one);
                                    return one;
                                })
                        .reduce(new Found(), Found::larger);
    }

    /// The largest error and its operands; the errors by sign and exponent of the divisor, and by
    /// the upper bits of its fraction.
    private static final class Found {
        private double largest = -1;
        private int a;
        private int b;
        private final double[] exponents = new double[EXPONENTS];
        private final double[] low = new double[PARTS];
        private final double[] high = new double[PARTS];

        Found larger(Found other) {
            Found both = new Found();
            Found more = other.largest > largest ? other : this;
            both.largest = more.largest;
            both.a = more.a;
            both.b = more.b;
            Arrays.setAll(both.exponents, i -> Math.max(exponents[i], other.exponents[i]));
            Arrays.setAll(both.low, i -> Math.min(low[i], other.low[i]));
            Arrays.setAll(both.high, i -> Math.max(high[i], other.high[i]));
            return both;
        }

        void take(double error, int dividend, int divisor) {
            if (Math.abs(error) > largest) {
                largest = Math.abs(error);
                a = dividend;
                b = divisor;
            }
        }
    }

    LargestError largest() {
        float result = division.of(Float.intBitsToFloat(found.a), Float.intBitsToFloat(found.b));
        List<Long> operands =
                List.of(Integer.toUnsignedLong(found.a), Integer.toUnsignedLong(found.b));
        long word = Integer.toUnsignedLong(Float.floatToRawIntBits(result));
        return new LargestError(
                function,
                Measure.ULPS,
                inputs,
                ErrorTables.error(function, Measure.ULPS, operands, word),
                operands,
                word,
                "%,d pairs of 2^64".formatted(3L * (1L << 30) / every));
    }

    ErrorProfile profile() {
        return new ErrorProfile(
                function,
                Measure.ULPS,
                inputs,
                Arrays.stream(found.exponents).boxed().toList(),
                Arrays.stream(found.low).boxed().toList(),
                Arrays.stream(found.high).boxed().toList());
    }

    private void everyDivisor(int part, Found found) {
        int span = FRACTIONS / PARTS;
        for (int b = part * span; b < (part + 1) * span; b++) {
            for (int i = 0; i < TAKEN; i++) {
                int a = InputSpace.mixed(b * TAKEN + i) & FRACTIONS - 1;
                double error = error(ONE | a, ONE | b);
                found.take(error, ONE | a, ONE | b);
                found.low[part] = Math.min(found.low[part], error);
                found.high[part] = Math.max(found.high[part], error);
            }
        }
    }

    private void everyDividend(int part, int[] worst, Found found) {
        int span = FRACTIONS / PARTS;
        for (int a = part * span; a < (part + 1) * span; a++) {
            for (int b : worst) {
                found.take(error(ONE | a, ONE | b), ONE | a, ONE | b);
            }
        }
    }

    private void uniform(int part, Found found) {
        int span = (1 << 30) / PARTS;
        for (int n = part * span; n < (part + 1) * span; n++) {
            int a = InputSpace.mixed(n * 0x9e37_79b9);
            int b = InputSpace.mixed(n * 0x85eb_ca6b + 0x27d4_eb2f);
            double error = error(a, b);
            found.exponents[b >>> 23] = Math.max(found.exponents[b >>> 23], Math.abs(error));
            if (ErrorTables.include(inputs, Float.intBitsToFloat(b))) {
                found.take(error, a, b);
            }
        }
    }

    /// In ulp; of what is infinite or no number, and of overflows, none.
    private double error(int dividend, int divisor) {
        float a = Float.intBitsToFloat(dividend);
        float b = Float.intBitsToFloat(divisor);
        double exact = (double) flushed(a) / flushed(b);
        double result = division.of(a, b);
        double magnitude = Math.abs(exact);
        if (!(magnitude < OVERFLOWING) || magnitude == 0 || Double.isNaN(result)) {
            return 0;
        }
        if (magnitude < LEAST_NORMAL && result == 0 && function.flushes()) {
            return 0;
        }
        long exponent =
                (Double.doubleToRawLongBits(Math.max(magnitude, LEAST_NORMAL)) >>> 52) - 1023;
        return (result - exact) * Double.longBitsToDouble(23 - exponent + 1023 << 52);
    }

    private float flushed(float value) {
        return function.flushes() && Math.abs(value) < LEAST_NORMAL
                ? Math.copySign(0, value)
                : value;
    }

    /// The fractions of the divisors of whose reciprocal the relative error is largest.
    private static int[] worstDivisors() {
        record Divisor(double error, int fraction) {}
        return IntStream.range(0, FRACTIONS)
                .parallel()
                .mapToObj(
                        fraction -> {
                            float b = Float.intBitsToFloat(ONE | fraction);
                            return new Divisor(
                                    Math.abs((double) Approximate.rcpApproxFtzF32(b) * b - 1),
                                    fraction);
                        })
                .sorted(Comparator.comparingDouble(Divisor::error).reversed())
                .limit(TAKEN)
                .mapToInt(Divisor::fraction)
                .toArray();
    }
}
