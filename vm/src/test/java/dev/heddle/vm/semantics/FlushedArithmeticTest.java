package dev.heddle.vm.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Rounding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.SplittableRandom;

/// The oracle rounds the exact decimal to 24 bits with an unbounded exponent, by integers.
@DisplayName("PTX ISA 9.7.3.5 and 9.7.3.6: which results of .ftz are subnormal")
final class FlushedArithmeticTest {
    private static final long SEED = 20_261_122;
    private static final int CASES = 40_000;
    private static final BigDecimal LEAST = new BigDecimal(Float.MIN_NORMAL);

    private interface Multiply {
        float of(float a, float b);
    }

    private interface Fuse {
        float of(float a, float b, float c);
    }

    private record Mode(Rounding rounding, Multiply multiply, Fuse fuse) {}

    private static final Mode[] MODES = {
        new Mode(
                Rounding.NEAREST_EVEN,
                FlushedArithmetic::multiplyFtzF32,
                FlushedArithmetic::fusedFtzF32),
        directed(Rounding.TOWARD_ZERO),
        directed(Rounding.DOWN),
        directed(Rounding.UP)
    };

    private static Mode directed(Rounding rounding) {
        return new Mode(
                rounding,
                (a, b) -> FlushedArithmetic.multiplyFtzF32(a, b, rounding),
                (a, b, c) -> FlushedArithmetic.fusedFtzF32(a, b, c, rounding));
    }

    /// The magnitude of an exact value after rounding to 24 bits with any exponent.
    private static BigDecimal rounded(BigDecimal exact, Rounding rounding) {
        // Scaled by 2^400 all of them are integers.
        BigInteger value =
                exact.abs()
                        .multiply(new BigDecimal(BigInteger.ONE.shiftLeft(400)))
                        .toBigIntegerExact();
        int excess = Math.max(0, value.bitLength() - 24);
        BigInteger kept = value.shiftRight(excess);
        BigInteger rest = value.subtract(kept.shiftLeft(excess));
        int half = rest.shiftLeft(1).compareTo(BigInteger.ONE.shiftLeft(excess));
        boolean negative = exact.signum() < 0;
        boolean away =
                switch (rounding) {
                    case NEAREST_EVEN, NEAREST_AWAY -> half > 0 || half == 0 && kept.testBit(0);
                    case TOWARD_ZERO -> false;
                    case DOWN -> negative && rest.signum() != 0;
                    case UP -> !negative && rest.signum() != 0;
                };
        BigInteger result = (away ? kept.add(BigInteger.ONE) : kept).shiftLeft(excess);
        return new BigDecimal(result).divide(new BigDecimal(BigInteger.ONE.shiftLeft(400)));
    }

    private static void check(float got, BigDecimal exact, Rounding rounding, String input) {
        if (exact.signum() == 0) {
            assertThat(got).as(input).isZero();
            return;
        }
        BigDecimal expected = rounded(exact, rounding);
        if (expected.compareTo(LEAST) < 0) {
            expected = BigDecimal.ZERO;
        }
        assertThat(new BigDecimal(got).abs())
                .as("seed %d: %s %s", SEED, input, rounding)
                .isEqualByComparingTo(expected);
        assertThat(Float.floatToRawIntBits(got) < 0).as(input).isEqualTo(exact.signum() < 0);
    }

    @Test
    void productsNearTheLeastNormalNumber() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < CASES; i++) {
            int shift = random.nextInt(-120, -1);
            float a = Math.scalb(1 + random.nextInt(1 << 23) * 0x1p-23f, shift);
            // The quotient's neighbours, so that products fall on both sides of the edge.
            float b = (float) (0x1p-126 / a) * (random.nextBoolean() ? 1 : -1);
            b = Float.intBitsToFloat(Float.floatToRawIntBits(b) + random.nextInt(-2, 3));
            BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b));
            for (Mode mode : MODES) {
                check(mode.multiply.of(a, b), exact, mode.rounding, a + " * " + b);
            }
        }
    }

    @Test
    void fusedSumsNearTheLeastNormalNumber() {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        for (int i = 0; i < CASES; i++) {
            float a = Math.scalb(1 + random.nextInt(1 << 23) * 0x1p-23f, random.nextInt(-60, -40));
            float c =
                    Math.scalb(1 + random.nextInt(1 << 23) * 0x1p-23f, random.nextInt(-126, -122));
            c = random.nextBoolean() ? c : -c;
            double rest = (random.nextBoolean() ? 0x1p-126 : -0x1p-126) - c;
            float b = (float) (rest / a);
            b = Float.intBitsToFloat(Float.floatToRawIntBits(b) + random.nextInt(-1, 2));
            if (Math.abs(b) < Float.MIN_NORMAL) {
                continue;
            }
            BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
            for (Mode mode : MODES) {
                check(mode.fuse.of(a, b, c), exact, mode.rounding, a + " * " + b + " + " + c);
            }
        }
    }

    /// As measured on an H100: the first two would both be 2^-126 without `.ftz`.
    @Test
    void theMeasuredExamples() {
        float least = Float.MIN_NORMAL;
        assertThat(FlushedArithmetic.multiplyFtzF32(0x1.fffffep-64f, 0x1p-63f)).isZero();
        float below = 1 - 0x1p-23f;
        assertThat(FlushedArithmetic.multiplyFtzF32(0x1p-126f * (1 + 0x1p-23f), below))
                .isEqualTo(least);
        assertThat(FloatArithmetic.multiplyF32(0x1.fffffep-64f, 0x1p-63f)).isEqualTo(least);
    }
}
