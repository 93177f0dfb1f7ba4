package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

@DisplayName("PTX ISA 5.2.1, 5.2.3: f64, f32, tf32, seeded samples and extremes")
final class WideFormatsTest {
    private static final long SEED = 20260101;
    private static final int SAMPLES = 50_000;

    private static final long[] F64_EXTREMES = {
        0,
        1,
        2,
        0x000F_FFFF_FFFF_FFFFL,
        0x0010_0000_0000_0000L,
        0x0010_0000_0000_0001L,
        0x3FF0_0000_0000_0000L,
        0x7FEF_FFFF_FFFF_FFFFL,
        0x7FEF_FFFF_FFFF_FFFEL,
    };

    private static final int[] F32_EXTREMES = {
        0, 1, 2, 0x007F_FFFF, 0x0080_0000, 0x0080_0001, 0x3F80_0000, 0x7F7F_FFFF, 0x7F7F_FFFE,
    };

    private final RandomGenerator random =
            RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);

    @Test
    void doublesMeanWhatJavaSays() {
        for (int i = 0; i < SAMPLES; i++) {
            assertDouble(random.nextLong());
        }
        for (long code : F64_EXTREMES) {
            assertDouble(code);
            assertDouble(code | Long.MIN_VALUE);
        }
    }

    private static void assertDouble(long code) {
        double expected = Double.longBitsToDouble(code);
        if (Double.isFinite(expected)) {
            Value.Finite value = (Value.Finite) FloatFormat.F64.value(code);
            assertThat(value.toBigDecimal()).isEqualByComparingTo(new BigDecimal(expected));
            assertThat(value.negative()).isEqualTo(code < 0);
            for (Rounding rounding : Rounding.values()) {
                assertThat(FloatFormat.F64.encode(value, rounding, Overflow.IEEE)).isEqualTo(code);
            }
        } else {
            assertThat(FloatFormat.F64.isNaN(code)).isEqualTo(Double.isNaN(expected));
            assertThat(FloatFormat.F64.isInfinite(code)).isEqualTo(Double.isInfinite(expected));
        }
    }

    @Test
    void floatsMeanWhatJavaSays() {
        for (int i = 0; i < SAMPLES; i++) {
            assertFloat(random.nextInt());
        }
        for (int code : F32_EXTREMES) {
            assertFloat(code);
            assertFloat(code | Integer.MIN_VALUE);
        }
    }

    private static void assertFloat(int code) {
        float expected = Float.intBitsToFloat(code);
        assertThat(FloatFormat.F32.toDouble(code))
                .as("0x%x", code)
                .isEqualTo(Double.valueOf(expected));
        if (Float.isFinite(expected)) {
            Value.Finite value = (Value.Finite) FloatFormat.F32.value(code);
            assertThat(value.toBigDecimal()).isEqualByComparingTo(new BigDecimal(expected));
        }
    }

    @Test
    void doublesRoundToFloatsAsJavaRoundsThem() {
        for (int i = 0; i < SAMPLES; i++) {
            assertToFloat(nearFloat());
        }
        for (double value :
                new double[] {
                    Float.MAX_VALUE,
                    0x1.FFFFFFp127,
                    Math.nextDown(0x1.FFFFFFp127),
                    0x1p128,
                    Double.MAX_VALUE,
                    Float.MIN_VALUE / 2.0,
                    Math.nextUp(Float.MIN_VALUE / 2.0),
                    Double.MIN_VALUE,
                    0x1.FFFFFFFp-127,
                }) {
            assertToFloat(value);
            assertToFloat(-value);
        }
    }

    private static void assertToFloat(double value) {
        long code = FloatFormat.F32.encode(value, Rounding.NEAREST_EVEN, Overflow.IEEE);
        assertThat(code)
                .as("%s", value)
                .isEqualTo(Float.floatToRawIntBits((float) value) & 0xFFFF_FFFFL);
    }

    /// A double in the range of f32, half of them within a few units of a tie.
    private double nearFloat() {
        float base = Float.intBitsToFloat(random.nextInt());
        if (!Float.isFinite(base)) {
            return base > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        double middle = ((double) base + Math.nextUp(base)) / 2;
        return random.nextBoolean()
                ? middle + random.nextInt(-2, 3) * Math.ulp(middle)
                : base * (1 + random.nextDouble());
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "TF32", "F64"})
    void everyModeChoosesTheNeighbourItShould(FloatFormat format) {
        for (int i = 0; i < SAMPLES / 10; i++) {
            int precision = format.fractionBits() + 1;
            // One to 80 bits more than the format holds, at every exponent it has and some it has
            // not
            int bits = precision + random.nextInt(1, 80);
            BigInteger significand = new BigInteger(1, bytes(bits)).setBit(bits - 1);
            if (random.nextBoolean()) {
                significand =
                        significand
                                .shiftRight(bits - precision - 1)
                                .setBit(0)
                                .shiftLeft(bits - precision - 1);
            }
            int range = 2 * format.bias() + 2 * precision;
            int exponent = random.nextInt(-range / 2 - precision, range / 2) - bits;
            assertNeighbours(format, new Value.Finite(random.nextBoolean(), significand, exponent));
        }
    }

    /// The neighbours come from the code: the format's own decoding is checked above against Java.
    private static void assertNeighbours(FloatFormat format, Value.Finite value) {
        BigDecimal exact = value.toBigDecimal();
        BigDecimal max = decimal(format, format.maxFinite());
        long step = format == FloatFormat.TF32 ? 1L << 13 : 1;
        for (Rounding rounding : Rounding.values()) {
            long code = format.encode(value, rounding, Overflow.SATFINITE);
            assertThat(format.isNegative(code)).isEqualTo(value.negative());
            assertThat(code % step).isZero();
            BigDecimal found = decimal(format, code);
            if (exact.abs().compareTo(max) > 0) {
                assertThat(found.abs()).isEqualByComparingTo(max);
                continue;
            }
            int side = found.compareTo(exact);
            if (side == 0) {
                continue;
            }
            // The neighbour on the other side of the exact value
            boolean larger = side < 0;
            long magnitude = code & ~Long.MIN_VALUE >> (64 - format.bits());
            boolean crossesZero = found.signum() == 0 && larger == value.negative();
            long sign = value.negative() ? 1L << (format.bits() - 1) : 0;
            long next = (larger != value.negative() ? magnitude + step : magnitude - step) | sign;
            BigDecimal other = decimal(format, next);
            String place = "%s of %s, %s".formatted(format, value, rounding);
            assertThat(crossesZero).as(place).isFalse();
            assertThat(other.compareTo(exact)).as(place).isEqualTo(-side);
            int nearer = exact.subtract(found).abs().compareTo(other.subtract(exact).abs());
            switch (rounding) {
                case NEAREST_EVEN -> {
                    assertThat(nearer).as(place).isNotPositive();
                    if (nearer == 0) {
                        assertThat(code / step % 2).as(place).isZero();
                    }
                }
                case NEAREST_AWAY -> {
                    assertThat(nearer).as(place).isNotPositive();
                    if (nearer == 0) {
                        assertThat(found.abs()).as(place).isGreaterThan(exact.abs());
                    }
                }
                case TOWARD_ZERO -> assertThat(found.abs()).as(place).isLessThan(exact.abs());
                case DOWN -> assertThat(side).as(place).isNegative();
                case UP -> assertThat(side).as(place).isPositive();
            }
        }
    }

    private static BigDecimal decimal(FloatFormat format, long code) {
        return ((Value.Finite) format.value(code)).toBigDecimal();
    }

    private byte[] bytes(int bits) {
        byte[] bytes = new byte[(bits + 7) / 8];
        random.nextBytes(bytes);
        bytes[0] &= (byte) (0xFF >>> (bytes.length * 8 - bits));
        return bytes;
    }

    @Test
    @DisplayName("tf32 ignores the low 13 bits when read")
    void tf32IgnoresItsLowBits() {
        for (int i = 0; i < SAMPLES; i++) {
            int code = random.nextInt();
            float high = Float.intBitsToFloat(code & 0xFFFF_E000);
            assertThat(FloatFormat.TF32.toDouble(code & 0xFFFF_FFFFL))
                    .as("0x%x", code)
                    .isEqualTo(Double.valueOf(high));
        }
        assertThat(FloatFormat.TF32.isInfinite(0x7F80_0001L)).isTrue();
        assertThat(FloatFormat.TF32.isZero(0x0000_1FFFL)).isTrue();
    }

    @Test
    void roundingTwiceWouldDiffer() {
        // Just above the middle of two e4m3 neighbours, and nearest in f16 to the middle itself
        double value = 1.0625 + 0x1p-30;
        assertThat(FloatFormat.E4M3.encode(value, Rounding.NEAREST_EVEN, Overflow.IEEE))
                .isEqualTo(0x39);
        long half = FloatFormat.F16.encode(value, Rounding.NEAREST_EVEN, Overflow.IEEE);
        assertThat(
                        FloatFormat.E4M3.encode(
                                FloatFormat.F16.toDouble(half),
                                Rounding.NEAREST_EVEN,
                                Overflow.IEEE))
                .isEqualTo(0x38);
    }
}
