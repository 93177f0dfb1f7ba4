package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigInteger;

@DisplayName("PTX ISA 6.5.2, 9.7.9.21: rounding between any two neighbours of the small formats")
final class RoundingTest {

    /// Where a value stands between two neighbouring codes.
    private enum Place {
        JUST_ABOVE_LOWER,
        JUST_BELOW_MIDDLE,
        MIDDLE,
        JUST_ABOVE_MIDDLE,
        JUST_BELOW_UPPER
    }

    @ParameterizedTest
    @MethodSource("dev.heddle.formats.Definition#all")
    void valuesBetweenTwoCodesGoWhereTheModeSays(Definition definition) {
        // The last gap is the one from the largest value to what would follow it
        for (int lower = 0; lower <= definition.largest(); lower++) {
            BigInteger low = definition.units(lower);
            BigInteger gap = definition.units(lower + 1).subtract(low);
            for (Place place : Place.values()) {
                BigInteger units = low.add(offset(gap, place));
                for (boolean negative : new boolean[] {false, true}) {
                    for (Rounding rounding : Rounding.values()) {
                        boolean minus = negative && definition.signed();
                        int magnitude = lower + (goesUp(lower, place, minus, rounding) ? 1 : 0);
                        check(definition, negative, units, rounding, magnitude);
                    }
                }
            }
        }
    }

    /// Beyond the gap after the largest value every mode overflows, or stops at the largest one.
    @ParameterizedTest
    @MethodSource("dev.heddle.formats.Definition#all")
    void valuesOutOfRangeOverflow(Definition definition) {
        int largest = definition.largest();
        BigInteger beyond = definition.units(largest + 1);
        for (int doublings = 0; doublings < 200; doublings++) {
            for (boolean negative : new boolean[] {false, true}) {
                for (Rounding rounding : Rounding.values()) {
                    boolean minus = negative && definition.signed();
                    boolean away = goesUp(largest, Place.JUST_ABOVE_MIDDLE, minus, rounding);
                    BigInteger units = beyond.shiftLeft(doublings);
                    check(definition, negative, units, rounding, largest + (away ? 1 : 0));
                }
            }
        }
    }

    /// Below the smallest positive value of a format that has a zero: half of it is a tie.
    @ParameterizedTest
    @MethodSource("dev.heddle.formats.Definition#all")
    void tinyValuesRoundToZeroOrTheSmallest(Definition definition) {
        for (int halvings = 2; halvings < 40; halvings++) {
            BigInteger units =
                    definition.units((int) definition.format().minPositive()).shiftRight(halvings);
            for (Rounding rounding : Rounding.values()) {
                for (boolean negative : new boolean[] {false, true}) {
                    boolean minus = negative && definition.signed();
                    // ue8m0 has no zero: 2^-127 is the least it can say
                    int magnitude =
                            definition.format() == FloatFormat.UE8M0
                                    ? 0
                                    : goesUp(0, Place.JUST_ABOVE_LOWER, minus, rounding) ? 1 : 0;
                    check(definition, negative, units, rounding, magnitude);
                }
            }
        }
    }

    private static BigInteger offset(BigInteger gap, Place place) {
        BigInteger half = gap.shiftRight(1);
        // 53 bits hold the value of a double: 12 for f16 to the middle, 40 beyond
        BigInteger little = gap.shiftRight(40);
        return switch (place) {
            case JUST_ABOVE_LOWER -> little;
            case JUST_BELOW_MIDDLE -> half.subtract(little);
            case MIDDLE -> half;
            case JUST_ABOVE_MIDDLE -> half.add(little);
            case JUST_BELOW_UPPER -> gap.subtract(little);
        };
    }

    private static boolean goesUp(int lower, Place place, boolean negative, Rounding rounding) {
        return switch (rounding) {
            case TOWARD_ZERO -> false;
            case DOWN -> negative;
            case UP -> !negative;
            case NEAREST_EVEN, NEAREST_AWAY ->
                    switch (place) {
                        case JUST_ABOVE_LOWER, JUST_BELOW_MIDDLE -> false;
                        case JUST_ABOVE_MIDDLE, JUST_BELOW_UPPER -> true;
                        case MIDDLE -> rounding == Rounding.NEAREST_AWAY || lower % 2 == 1;
                    };
        };
    }

    /// @param magnitude the code expected, one beyond the largest if the value overflows
    private static void check(
            Definition definition,
            boolean negative,
            BigInteger units,
            Rounding rounding,
            int magnitude) {
        for (Overflow overflow : Overflow.values()) {
            long expected = expected(definition, negative, magnitude, overflow);
            FloatFormat format = definition.format();
            long exact = format.encode(Definition.value(negative, units), rounding, overflow);
            double value = Definition.asDouble(negative, units);
            long fromDouble = format.encode(value, rounding, overflow);
            if (exact != expected || fromDouble != expected) {
                assertThat(new long[] {exact, fromDouble})
                        .as("%s of %s, %s, %s", format, value, rounding, overflow)
                        .containsExactly(expected, expected);
            }
        }
    }

    private static long expected(
            Definition definition, boolean negative, int magnitude, Overflow overflow) {
        int sign = negative ? definition.signBit() : 0;
        if (magnitude <= definition.largest()) {
            return sign | magnitude;
        }
        if (overflow == Overflow.SATFINITE || definition.firstNaN() < 0) {
            return sign | definition.largest();
        }
        return definition.infinity() >= 0 ? sign | definition.infinity() : definition.firstNaN();
    }
}
