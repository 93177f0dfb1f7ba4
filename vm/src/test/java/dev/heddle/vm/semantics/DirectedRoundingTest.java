package dev.heddle.vm.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Rounding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;

/// The oracle is the exact decimal value, rounded by walking to the neighbouring float.
@DisplayName("PTX ISA 6.5.2: rounding modifiers of .f32 arithmetic")
final class DirectedRoundingTest {
    private static final long SEED = 20_260_101;
    private static final int CASES = 20_000;
    private static final float[] EXTREMES = {
        0f,
        -0f,
        1f,
        -1f,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        0x1.fffffep-127f,
        0x1.000002p0f,
        3f,
        0x1p-75f,
        0x1p60f
    };

    private static float operand(SplittableRandom random) {
        if (random.nextInt(8) == 0) {
            return EXTREMES[random.nextInt(EXTREMES.length)];
        }
        float value = Float.intBitsToFloat(random.nextInt());
        return Float.isFinite(value) ? value : operand(random);
    }

    private static float rounded(BigDecimal exact, Rounding rounding) {
        float nearest = exact.floatValue();
        if (Float.isInfinite(nearest)) {
            return rounding.overflowsToInfinity(nearest < 0)
                    ? nearest
                    : Math.copySign(Float.MAX_VALUE, nearest);
        }
        int side = exact.compareTo(new BigDecimal(nearest));
        boolean up =
                rounding == Rounding.UP || rounding == Rounding.TOWARD_ZERO && exact.signum() < 0;
        float result =
                side > 0 && up
                        ? Math.nextUp(nearest)
                        : side < 0 && !up ? Math.nextDown(nearest) : nearest;
        return result == 0 ? Math.copySign(0f, (float) exact.signum()) : result;
    }

    private static void same(float got, BigDecimal exact, Rounding rounding, Object input) {
        if (exact.signum() == 0) {
            assertThat(got).as("seed %d, %s", SEED, input).isZero();
            return;
        }
        assertThat(Float.floatToRawIntBits(got))
                .as("seed %d, %s %s", SEED, input, rounding)
                .isEqualTo(Float.floatToRawIntBits(rounded(exact, rounding)));
    }

    @Test
    void sumsProductsAndFusedSumsAreRoundedOnce() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < CASES; i++) {
            float a = operand(random);
            float b = operand(random);
            float c = operand(random);
            String input = a + " " + b + " " + c;
            BigDecimal sum = new BigDecimal(a).add(new BigDecimal(b));
            same(
                    FloatArithmetic.addF32(a, b, Rounding.TOWARD_ZERO),
                    sum,
                    Rounding.TOWARD_ZERO,
                    input);
            same(FloatArithmetic.addF32(a, b, Rounding.DOWN), sum, Rounding.DOWN, input);
            same(FloatArithmetic.addF32(a, b, Rounding.UP), sum, Rounding.UP, input);
            BigDecimal product = new BigDecimal(a).multiply(new BigDecimal(b));
            same(
                    FloatArithmetic.multiplyF32(a, b, Rounding.TOWARD_ZERO),
                    product,
                    Rounding.TOWARD_ZERO,
                    input);
            same(FloatArithmetic.multiplyF32(a, b, Rounding.DOWN), product, Rounding.DOWN, input);
            same(FloatArithmetic.multiplyF32(a, b, Rounding.UP), product, Rounding.UP, input);
            BigDecimal fused = product.add(new BigDecimal(c));
            same(
                    FloatArithmetic.fusedF32(a, b, c, Rounding.TOWARD_ZERO),
                    fused,
                    Rounding.TOWARD_ZERO,
                    input);
            same(FloatArithmetic.fusedF32(a, b, c, Rounding.DOWN), fused, Rounding.DOWN, input);
            same(FloatArithmetic.fusedF32(a, b, c, Rounding.UP), fused, Rounding.UP, input);
        }
    }

    @Test
    void quotientsAreRoundedOnce() {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        MathContext enough = new MathContext(400);
        for (int i = 0; i < CASES / 10; i++) {
            float a = operand(random);
            float b = operand(random);
            if (b == 0 || a == 0) {
                continue;
            }
            BigDecimal quotient = new BigDecimal(a).divide(new BigDecimal(b), enough);
            same(
                    FloatArithmetic.divideF32(a, b, Rounding.TOWARD_ZERO),
                    quotient,
                    Rounding.TOWARD_ZERO,
                    a + " / " + b);
            same(
                    FloatArithmetic.divideF32(a, b, Rounding.DOWN),
                    quotient,
                    Rounding.DOWN,
                    a + " / " + b);
            same(
                    FloatArithmetic.divideF32(a, b, Rounding.UP),
                    quotient,
                    Rounding.UP,
                    a + " / " + b);
        }
    }

    @Test
    void anExactZeroSumIsNegativeTowardNegativeInfinity() {
        assertThat(Float.floatToRawIntBits(FloatArithmetic.addF32(1f, -1f, Rounding.DOWN)))
                .isEqualTo(0x8000_0000);
        assertThat(Float.floatToRawIntBits(FloatArithmetic.addF32(1f, -1f, Rounding.TOWARD_ZERO)))
                .isZero();
    }

    @Test
    void everyHalfRoundTripsThroughConversionAndArithmetic() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            if (HalfArithmetic.isNan(bits, FloatFormat.F16)) {
                assertThat(HalfArithmetic.add(bits, 0, FloatFormat.F16)).isEqualTo(0x7fff);
                continue;
            }
            float value = Float.float16ToFloat((short) bits);
            assertThat(Conversion.narrowFromF32(value, Rounding.NEAREST_EVEN, FloatFormat.F16))
                    .isEqualTo(bits);
            assertThat(HalfArithmetic.multiply(bits, 0x3c00, FloatFormat.F16)).isEqualTo(bits);
        }
    }

    @Test
    void halfSumsAreTheExactSumsRounded() {
        SplittableRandom random = new SplittableRandom(SEED + 2);
        for (int i = 0; i < CASES; i++) {
            int a = random.nextInt(0x7c00) | random.nextInt(2) << 15;
            int b = random.nextInt(0x7c00) | random.nextInt(2) << 15;
            int c = random.nextInt(0x7c00) | random.nextInt(2) << 15;
            BigDecimal exact = decimal(a).multiply(decimal(b)).add(decimal(c));
            if (exact.signum() == 0) {
                continue;
            }
            // The sum needs at most 80 bits: a double holds it after scaling only if exact, so
            // the oracle compares decimals.
            int got = HalfArithmetic.fused(a, b, c, FloatFormat.F16);
            if ((got & 0x7fff) == 0x7c00) {
                assertThat(exact.abs()).isGreaterThanOrEqualTo(new BigDecimal(65520));
                continue;
            }
            BigDecimal error = decimal(got).subtract(exact).abs();
            for (int neighbour : new int[] {got - 1, got + 1}) {
                if ((neighbour & 0x7fff) < 0x7c00 && (neighbour & 0x8000) == (got & 0x8000)) {
                    BigDecimal other = decimal(neighbour).subtract(exact).abs();
                    assertThat(error)
                            .as("seed %d: %x * %x + %x", SEED, a, b, c)
                            .isLessThanOrEqualTo(other);
                    if (error.compareTo(other) == 0) {
                        assertThat(got & 1).isZero();
                    }
                }
            }
        }
    }

    private static BigDecimal decimal(int half) {
        return new BigDecimal(Float.float16ToFloat((short) half));
    }
}
