package dev.heddle.vm.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The fast conversions of the machine against the number formats, which are written for clarity.
///
/// Every code of the narrow format is taken, with the values where rounding turns: the code itself,
/// the middle to the next, and the doubles beside that middle.
@DisplayName("PTX ISA 9.7.9.22: cvt to and from narrow formats, against the formats")
final class FormatsAgreementTest {

    private interface Narrowing {
        int of(double value, Rounding rounding);
    }

    private static void same(FloatFormat format, Rounding rounding, Narrowing fast) {
        for (long code = 0; code < 1L << format.bits(); code++) {
            if (!format.isFinite(code) || format.isNegative(code)) {
                continue;
            }
            double value = format.toDouble(code);
            double next =
                    format.isFinite(code + 1)
                            ? format.toDouble(code + 1)
                            : value + Math.ulp(value) * 0x1p53 / (1L << format.fractionBits() + 1);
            double middle = value + (next - value) / 2;
            for (double magnitude :
                    new double[] {
                        value,
                        Math.nextUp(value),
                        Math.nextDown(middle),
                        middle,
                        Math.nextUp(middle)
                    }) {
                same(format, rounding, fast, magnitude);
                same(format, rounding, fast, -magnitude);
            }
        }
        same(format, rounding, fast, Double.MAX_VALUE);
        same(format, rounding, fast, -Double.MAX_VALUE);
        same(format, rounding, fast, Double.POSITIVE_INFINITY);
        same(format, rounding, fast, Double.MIN_VALUE);
        same(format, rounding, fast, -Double.MIN_VALUE);
    }

    private static void same(FloatFormat format, Rounding rounding, Narrowing fast, double value) {
        long expected = format.encode(value, rounding, Overflow.IEEE);
        int got = fast.of(value, rounding);
        if (got != expected) {
            assertThat(got).as("%s of %a, %s", format, value, rounding).isEqualTo((int) expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NEAREST_AWAY", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("f64 to f16 and bf16")
    void fromDouble(Rounding rounding) {
        same(FloatFormat.F16, rounding, (a, r) -> Conversion.narrowFromF64(a, r, FloatFormat.F16));
        same(
                FloatFormat.BF16,
                rounding,
                (a, r) -> Conversion.narrowFromF64(a, r, FloatFormat.BF16));
    }

    @ParameterizedTest
    @EnumSource(names = "NEAREST_AWAY", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("f32 to f16 and bf16, a seventh of all upper halves")
    void fromFloat(Rounding rounding) {
        for (FloatFormat format : new FloatFormat[] {FloatFormat.F16, FloatFormat.BF16}) {
            Narrowing fast = (value, r) -> Conversion.narrowFromF32((float) value, r, format);
            for (int upper = 0; upper < 1 << 16; upper += 7) {
                for (int lower : new int[] {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x1000, 0x3000}) {
                    float value = Float.intBitsToFloat(upper << 16 | lower);
                    if (!Float.isNaN(value)) {
                        same(format, rounding, fast, value);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NEAREST_EVEN", "NEAREST_AWAY", "TOWARD_ZERO"})
    @DisplayName("f32 to tf32, one in 31 of all upper parts")
    void toTf32(Rounding rounding) {
        Narrowing fast = (value, r) -> Conversion.tf32FromF32((float) value, r);
        for (int upper = 0; upper < 1 << 19; upper += 31) {
            for (int lower : new int[] {0, 1, 0xfff, 0x1000, 0x1001, 0x1fff}) {
                float value = Float.intBitsToFloat(upper << 13 | lower);
                if (!Float.isNaN(value)) {
                    same(FloatFormat.TF32, rounding, fast, value);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    @DisplayName("f16 and bf16 to f32 and f64, every code")
    void widens(FloatFormat format) {
        for (int code = 0; code < 1 << 16; code++) {
            if (format.isNaN(code)) {
                continue;
            }
            double value = format.toDouble(code);
            double single = Conversion.f32FromNarrow(code, format);
            double wide = Conversion.f64FromNarrow(code, format);
            if (Double.compare(single, value) != 0 || Double.compare(wide, value) != 0) {
                assertThat(single).as("%s 0x%x", format, code).isEqualTo(value);
                assertThat(wide).as("%s 0x%x", format, code).isEqualTo(value);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"E4M3", "E5M2"})
    @DisplayName("e4m3 and e5m2 to f16, every code")
    void widensQuarters(FloatFormat format) {
        for (int code = 0; code < 1 << 8; code++) {
            int expected =
                    (int)
                            FloatFormat.F16.encode(
                                    format.toDouble(code), Rounding.NEAREST_EVEN, Overflow.IEEE);
            int got = Conversion.narrowFromNarrow(code, FloatFormat.F16, format);
            assertThat(got).as("%s 0x%x", format, code).isEqualTo(expected);
        }
    }
}
