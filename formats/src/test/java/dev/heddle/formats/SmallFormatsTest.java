package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigInteger;

@DisplayName("PTX ISA 5.2.1, 5.2.3: floating-point formats of at most 16 bits, every code")
final class SmallFormatsTest {

    @ParameterizedTest
    @MethodSource("dev.heddle.formats.Definition#all")
    void everyCodeHasTheValueOfTheDefinition(Definition definition) {
        FloatFormat format = definition.format();
        for (int magnitude = 0; magnitude < definition.magnitudes(); magnitude++) {
            for (int sign : signs(definition)) {
                int code = sign | magnitude;
                boolean negative = sign != 0;
                String place = "%s 0x%x".formatted(format, code);
                Value value = format.value(code);
                if (definition.isNaN(magnitude)) {
                    assertThat(value).as(place).isInstanceOf(Value.NaN.class);
                    assertThat(format.toDouble(code)).as(place).isNaN();
                    assertThat(format.classify(code)).as(place).isEqualTo(NumberClass.NAN);
                } else if (definition.isInfinite(magnitude)) {
                    assertThat(value).as(place).isEqualTo(new Value.Infinity(negative));
                    assertThat(format.toDouble(code))
                            .as(place)
                            .isEqualTo(
                                    negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
                    assertThat(format.classify(code)).as(place).isEqualTo(NumberClass.INFINITE);
                } else {
                    BigInteger units = definition.units(magnitude);
                    assertThat(value).as(place).isEqualTo(Definition.value(negative, units));
                    // The bits, so that -0 differs from 0
                    assertThat(Double.doubleToRawLongBits(format.toDouble(code)))
                            .as(place)
                            .isEqualTo(
                                    Double.doubleToRawLongBits(
                                            Definition.asDouble(negative, units)));
                    BigInteger integer = BigInteger.valueOf(format.significand(code));
                    assertThat(integer.shiftLeft(format.exponent(code) + Definition.SCALE))
                            .as(place)
                            .isEqualTo(units);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.heddle.formats.Definition#all")
    void bitsAboveTheCodeAreIgnored(Definition definition) {
        FloatFormat format = definition.format();
        long above = ~(definition.magnitudes() - 1L | definition.signBit());
        for (int magnitude = 0; magnitude < definition.magnitudes(); magnitude++) {
            assertThat(format.value(above | magnitude)).isEqualTo(format.value(magnitude));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.heddle.formats.Definition#all")
    void everyFiniteValueEncodesToItsCode(Definition definition) {
        FloatFormat format = definition.format();
        for (int magnitude : definition.finite()) {
            for (int sign : signs(definition)) {
                long code = sign | magnitude;
                BigInteger units = definition.units(magnitude);
                for (Rounding rounding : Rounding.values()) {
                    for (Overflow overflow : Overflow.values()) {
                        assertThat(
                                        format.encode(
                                                Definition.value(sign != 0, units),
                                                rounding,
                                                overflow))
                                .isEqualTo(code);
                        assertThat(
                                        format.encode(
                                                Definition.asDouble(sign != 0, units),
                                                rounding,
                                                overflow))
                                .isEqualTo(code);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.heddle.formats.Definition#all")
    void theExtremesAreThoseOfTheDefinition(Definition definition) {
        FloatFormat format = definition.format();
        assertThat(format.maxFinite()).isEqualTo(definition.largest());
        assertThat(format.minFinite())
                .isEqualTo(definition.signed() ? definition.signBit() | definition.largest() : 0);
        assertThat(format.hasInfinity()).isEqualTo(definition.infinity() >= 0);
        assertThat(format.hasNaN()).isEqualTo(definition.firstNaN() >= 0);
        int firstPositive = definition.units(0).signum() > 0 ? 0 : 1;
        assertThat(format.minPositive()).isEqualTo(firstPositive);
        for (int magnitude : definition.finite()) {
            NumberClass expected =
                    definition.units(magnitude).signum() == 0
                            ? NumberClass.ZERO
                            : magnitude >= format.minNormal()
                                    ? NumberClass.NORMAL
                                    : NumberClass.SUBNORMAL;
            assertThat(format.classify(magnitude)).isEqualTo(expected);
        }
    }

    /// What the formats' own documents name as their largest, smallest normal and smallest values.
    @Test
    void wellKnownValues() {
        assertRange(FloatFormat.F16, 65504, 0x1p-14, 0x1p-24);
        assertRange(FloatFormat.BF16, 0x1.FEp127, 0x1p-126, 0x1p-133);
        assertRange(FloatFormat.E5M2, 57344, 0x1p-14, 0x1p-16);
        assertRange(FloatFormat.E4M3, 448, 0x1p-6, 0x1p-9);
        assertRange(FloatFormat.UE4M3, 448, 0x1p-6, 0x1p-9);
        assertRange(FloatFormat.E3M2, 28, 0.25, 0.0625);
        assertRange(FloatFormat.E2M3, 7.5, 1, 0.125);
        assertRange(FloatFormat.E2M1, 6, 1, 0.5);
        assertRange(FloatFormat.UE8M0, 0x1p127, 0x1p-127, 0x1p-127);
        double[] e2m1 = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
        for (int code = 0; code < e2m1.length; code++) {
            assertThat(FloatFormat.E2M1.toDouble(code)).isEqualTo(e2m1[code]);
        }
    }

    private static void assertRange(
            FloatFormat format, double largest, double normal, double positive) {
        assertThat(format.toDouble(format.maxFinite())).isEqualTo(largest);
        assertThat(format.toDouble(format.minNormal())).isEqualTo(normal);
        assertThat(format.toDouble(format.minPositive())).isEqualTo(positive);
    }

    @Test
    void halfPrecisionAgreesWithJava() {
        for (int code = 0; code < 1 << 16; code++) {
            float expected = Float.float16ToFloat((short) code);
            assertThat((float) FloatFormat.F16.toDouble(code))
                    .as("0x%x", code)
                    .isEqualTo(Float.valueOf(expected));
        }
    }

    private static int[] signs(Definition definition) {
        return definition.signed() ? new int[] {0, definition.signBit()} : new int[] {0};
    }
}
