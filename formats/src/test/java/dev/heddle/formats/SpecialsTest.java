package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.9.21, .satfinite: NaN and infinity as they enter a format")
final class SpecialsTest {

    @ParameterizedTest
    @CsvSource({
        // format, +inf, -inf, +inf.satfinite, -inf.satfinite, NaN
        "F64,  7ff0000000000000, fff0000000000000, 7fefffffffffffff, ffefffffffffffff,"
                + " 7fffffff00000000",
        "F32,  7f800000, ff800000, 7f7fffff, ff7fffff, 7fffffff",
        "TF32, 7f800000, ff800000, 7f7fe000, ff7fe000, 7fffffff",
        "BF16, 7f80, ff80, 7f7f, ff7f, 7fff",
        "F16,  7c00, fc00, 7bff, fbff, 7fff",
        "E5M2, 7c, fc, 7b, fb, 7f",
        "E4M3, 7f, 7f, 7e, fe, 7f",
        // Neither infinity nor NaN: infinity saturates in any case, NaN becomes the positive
        // maximum
        "E3M2, 1f, 3f, 1f, 3f, 1f",
        "E2M3, 1f, 3f, 1f, 3f, 1f",
        "E2M1, 7, f, 7, f, 7",
        // No sign: the magnitude counts
        "UE8M0, ff, ff, fe, fe, ff",
        "UE4M3, 7f, 7f, 7e, 7e, 7f",
    })
    void enterAs(
            FloatFormat format,
            String positive,
            String negative,
            String saturated,
            String negativeSaturated,
            String nan) {
        for (Rounding rounding : Rounding.values()) {
            assertEncodes(format, Double.POSITIVE_INFINITY, rounding, Overflow.IEEE, positive);
            assertEncodes(format, Double.NEGATIVE_INFINITY, rounding, Overflow.IEEE, negative);
            assertEncodes(
                    format, Double.POSITIVE_INFINITY, rounding, Overflow.SATFINITE, saturated);
            assertEncodes(
                    format,
                    Double.NEGATIVE_INFINITY,
                    rounding,
                    Overflow.SATFINITE,
                    negativeSaturated);
            assertEncodes(format, Double.NaN, rounding, Overflow.IEEE, nan);
            assertEncodes(format, -Double.NaN, rounding, Overflow.SATFINITE, nan);
        }
    }

    private static void assertEncodes(
            FloatFormat format, double value, Rounding rounding, Overflow overflow, String code) {
        long expected = Long.parseUnsignedLong(code, 16);
        assertThat(format.encode(value, rounding, overflow)).isEqualTo(expected);
        assertThat(format.encode(Value.of(value), rounding, overflow)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void theCanonicalNaNIsANaN(FloatFormat format) {
        if (format.hasNaN()) {
            assertThat(format.isNaN(format.canonicalNaN())).isTrue();
            assertThat(format.classify(format.canonicalNaN())).isEqualTo(NumberClass.NAN);
        } else {
            assertThatIllegalStateException()
                    .isThrownBy(format::canonicalNaN)
                    .withMessageContaining("has no NaN");
        }
    }

    @ParameterizedTest
    @EnumSource
    void infinityIsInfiniteOrRefused(FloatFormat format) {
        if (format.hasInfinity()) {
            assertThat(format.toDouble(format.infinity())).isEqualTo(Double.POSITIVE_INFINITY);
        } else {
            assertThatIllegalStateException()
                    .isThrownBy(format::infinity)
                    .withMessageContaining("has no infinity");
        }
    }

    @ParameterizedTest
    @EnumSource
    void zeroKeepsItsSignWhereThereIsOne(FloatFormat format) {
        long sign = format.signed() ? 1L << (format.bits() - 1) : 0;
        for (Rounding rounding : Rounding.values()) {
            assertThat(format.encode(0.0, rounding, Overflow.IEEE)).isZero();
            assertThat(format.encode(-0.0, rounding, Overflow.IEEE)).isEqualTo(sign);
        }
    }
}
