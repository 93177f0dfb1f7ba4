package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

@DisplayName("PTX ISA 5.2.1, 9.7.14.2: integer formats")
final class IntegerFormatTest {
    private static final long SEED = 20260102;

    private final RandomGenerator random =
            RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);

    @ParameterizedTest
    @CsvSource({
        "S64, 64, -9223372036854775808, 9223372036854775807",
        "U64, 64, 0, 18446744073709551615",
        "S32, 32, -2147483648, 2147483647",
        "U32, 32, 0, 4294967295",
        "S16, 16, -32768, 32767",
        "U16, 16, 0, 65535",
        "S8, 8, -128, 127",
        "U8, 8, 0, 255",
        "S4, 4, -8, 7",
        "U4, 4, 0, 15",
        "B1, 1, 0, 1",
    })
    void ranges(IntegerFormat format, int bits, BigInteger min, BigInteger max) {
        assertThat(format.bits()).isEqualTo(bits);
        assertThat(format.min()).isEqualTo(min);
        assertThat(format.max()).isEqualTo(max);
        assertThat(integer(format, format.clamp(min.subtract(BigInteger.ONE)))).isEqualTo(min);
        assertThat(integer(format, format.clamp(max.add(BigInteger.ONE)))).isEqualTo(max);
        assertThat(integer(format, format.clamp(Long.MIN_VALUE))).isEqualTo(min);
        assertThat(integer(format, format.clamp(Long.MAX_VALUE)))
                .isEqualTo(max.min(BigInteger.valueOf(Long.MAX_VALUE)));
    }

    @ParameterizedTest
    @EnumSource(names = {"S16", "U16", "S8", "U8", "S4", "U4", "B1"})
    void everyCodeIsTwosComplementOrUnsigned(IntegerFormat format) {
        int codes = 1 << format.bits();
        for (int code = 0; code < codes; code++) {
            int value = format.signed() && code >= codes / 2 ? code - codes : code;
            assertThat(format.toLong(code | -1L << format.bits())).isEqualTo(value);
            assertThat(format.toDouble(code)).isEqualTo(value);
            assertThat(format.value(code)).isEqualTo(Value.of(value));
            assertThat(format.wrap(value)).isEqualTo(code);
            assertThat(format.wrap(value + 3L * codes)).isEqualTo(code);
            assertThat(format.clamp(value)).isEqualTo(code);
            for (Rounding rounding : Rounding.values()) {
                assertThat(format.encode(Value.of(value), rounding, Overflow.IEEE)).isEqualTo(code);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void randomValuesClampAndWrap(IntegerFormat format) {
        for (int i = 0; i < 20_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            BigInteger exact = BigInteger.valueOf(value);
            assertThat(integer(format, format.clamp(value)))
                    .as("%s of %d", format, value)
                    .isEqualTo(exact.max(format.min()).min(format.max()));
            assertThat(integer(format, format.wrap(value)).subtract(exact))
                    .as("%s of %d", format, value)
                    .matches(difference -> difference.mod(modulus(format)).signum() == 0);
        }
    }

    @Test
    void unsignedLongsComeOutAsTheNearestDouble() {
        for (int i = 0; i < 100_000; i++) {
            long code = random.nextLong();
            BigInteger exact = new BigInteger(Long.toUnsignedString(code));
            assertThat(integer(IntegerFormat.U64, code)).isEqualTo(exact);
            assertThat(IntegerFormat.U64.toDouble(code)).isEqualTo(exact.doubleValue());
        }
        assertThat(IntegerFormat.U64.toDouble(-1)).isEqualTo(0x1p64);
        assertThat(IntegerFormat.U64.toDouble(0x8000_0000_0000_0401L))
                .isEqualTo(0x1.0000000000001p63);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("6.5.2: fractions round by .rni .rzi .rmi .rpi, and by ties away")
    void fractionsRound(Rounding rounding) {
        RoundingMode mode =
                switch (rounding) {
                    case NEAREST_EVEN -> RoundingMode.HALF_EVEN;
                    case NEAREST_AWAY -> RoundingMode.HALF_UP;
                    case TOWARD_ZERO -> RoundingMode.DOWN;
                    case DOWN -> RoundingMode.FLOOR;
                    case UP -> RoundingMode.CEILING;
                };
        for (int eighths = -1100; eighths <= 1100; eighths++) {
            BigDecimal exact = new BigDecimal(eighths).divide(new BigDecimal(8));
            BigInteger rounded = exact.setScale(0, mode).toBigInteger();
            for (IntegerFormat format : IntegerFormat.values()) {
                long code = format.encode(Value.Finite.of(exact), rounding, Overflow.IEEE);
                assertThat(integer(format, code))
                        .as("%s of %s", format, exact)
                        .isEqualTo(rounded.max(format.min()).min(format.max()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void infinityClampsAndNaNIsRefused(IntegerFormat format) {
        assertThat(integer(format, encode(format, Double.POSITIVE_INFINITY)))
                .isEqualTo(format.max());
        assertThat(integer(format, encode(format, Double.NEGATIVE_INFINITY)))
                .isEqualTo(format.min());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(format, Double.NaN))
                .withMessageContaining("NaN has no code in " + format);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.encode(Double.NaN, Rounding.UP))
                .withMessageContaining("NaN has no code in " + format);
    }

    @ParameterizedTest
    @EnumSource
    void doublesGoWhereTheirExactValuesGo(IntegerFormat format) {
        double[] extremes = {
            0.49999999999999994,
            0.5,
            1.5,
            2.5,
            0x1p31,
            0x1p32,
            0x1p52 + 0.5,
            0x1p53,
            0x1p63,
            Math.nextDown(0x1p63),
            Math.nextDown(0x1p64),
            0x1p64,
            Double.MAX_VALUE,
            Double.MIN_VALUE,
            Double.POSITIVE_INFINITY,
            0,
        };
        for (double extreme : extremes) {
            assertEncodes(format, extreme);
            assertEncodes(format, -extreme);
        }
        for (int i = 0; i < 10_000; i++) {
            double value = Math.scalb(random.nextDouble() * 2 - 1, random.nextInt(70));
            assertEncodes(format, random.nextBoolean() ? value : Math.rint(value * 2) / 2);
        }
    }

    private static void assertEncodes(IntegerFormat format, double value) {
        for (Rounding rounding : Rounding.values()) {
            assertThat(format.encode(value, rounding))
                    .as("%s of %s, %s", format, value, rounding)
                    .isEqualTo(format.encode(Value.of(value), rounding, Overflow.SATFINITE));
        }
    }

    private static long encode(IntegerFormat format, double value) {
        return format.encode(Value.of(value), Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    private static BigInteger integer(IntegerFormat format, long code) {
        assertThat(code & ~format.mask()).as("bits above the code").isZero();
        return ((Value.Finite) format.value(code)).toBigDecimal().toBigIntegerExact();
    }

    private static BigInteger modulus(IntegerFormat format) {
        return BigInteger.TWO.pow(format.bits());
    }
}
