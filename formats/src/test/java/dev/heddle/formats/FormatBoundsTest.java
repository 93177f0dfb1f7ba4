package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heddle.formats.FloatFormat.Specials;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/// Expected values are those of the definitions (IEEE 754, OCP MX, PTX ISA 5.2.3), by hand.
@DisplayName("Number formats, codes and shapes at their bounds")
final class FormatBoundsTest {

    @ParameterizedTest
    @CsvSource({
        "F64,   11, 52, 1023, IEEE",
        "F32,   8,  23, 127,  IEEE",
        "TF32,  8,  10, 127,  IEEE",
        "BF16,  8,  7,  127,  IEEE",
        "F16,   5,  10, 15,   IEEE",
        "E5M2,  5,  2,  15,   IEEE",
        "E4M3,  4,  3,  7,    NAN_ONLY",
        "E3M2,  3,  2,  3,    NONE",
        "E2M3,  2,  3,  1,    NONE",
        "E2M1,  2,  1,  1,    NONE",
        "UE8M0, 8,  0,  127,  NAN_ONLY",
        "UE4M3, 4,  3,  7,    NAN_ONLY"
    })
    void fieldsAreThoseOfTheDefinition(
            FloatFormat format, int exponent, int fraction, int bias, Specials specials) {
        assertThat(format.exponentBits()).isEqualTo(exponent);
        assertThat(format.fractionBits()).isEqualTo(fraction);
        assertThat(format.bias()).isEqualTo(bias);
        assertThat(format.specials()).isEqualTo(specials);
    }

    /// The 13 low bits of tf32 are zero (PTX ISA 5.2.3).
    @Test
    void theSmallestNumbersOfTf32StandAboveItsPadding() {
        assertThat(FloatFormat.TF32.minPositive()).isEqualTo(1 << 13);
        assertThat(FloatFormat.TF32.minNormal()).isEqualTo(1 << 23);
        assertThat(FloatFormat.F32.minNormal()).isEqualTo(1 << 23);
        assertThat(FloatFormat.UE8M0.minPositive()).isZero();
    }

    @Test
    void whatIsFiniteAndWhatIsZero() {
        assertThat(FloatFormat.F16.isFinite(0x7bff)).isTrue();
        assertThat(FloatFormat.F16.isFinite(0x7c00)).isFalse();
        assertThat(FloatFormat.F16.isFinite(0x7e00)).isFalse();
        assertThat(FloatFormat.F16.isZero(0x8000)).isTrue();
        assertThat(FloatFormat.F16.isZero(0x0001)).isFalse();
        assertThat(FloatFormat.UE8M0.isZero(0)).isFalse();
        assertThat(Value.of(0).isZero()).isTrue();
        assertThat(Value.of(1).isZero()).isFalse();
    }

    @Test
    void aNaNKeepsItsFraction() {
        assertThat(FloatFormat.F16.value(0xfe05)).isEqualTo(new Value.NaN(true, 0x205));
        assertThat(FloatFormat.BF16.value(0x7f81)).isEqualTo(new Value.NaN(false, 1));
    }

    @Test
    void zeroInDecimalHasNoSign() {
        assertThat(Value.Finite.of(BigDecimal.ZERO))
                .isEqualTo(new Value.Finite(false, BigInteger.ZERO, 0));
    }

    /// 2^24 - 2^-40 and 2^1023 - 1 are the powers above them as a `double`.
    @Test
    void theLastPlaceBelowAPowerOfTwoIsThatOfTheLowerHalf() {
        BigDecimal below =
                BigDecimal.TWO.pow(24).subtract(BigDecimal.ONE.divide(BigDecimal.TWO.pow(40)));
        assertThat(FloatFormat.F32.ulp(below)).isEqualByComparingTo(BigDecimal.ONE);
        assertThat(FloatFormat.F32.ulp(BigDecimal.TWO.pow(24)))
                .isEqualByComparingTo(BigDecimal.TWO);
        BigDecimal large = BigDecimal.TWO.pow(1023).subtract(BigDecimal.ONE);
        assertThat(FloatFormat.F64.ulp(large)).isEqualByComparingTo(BigDecimal.TWO.pow(970));
    }

    /// 1.5 x 2^-127 lies between the two least scale factors, 2^-127 and 2^-126.
    @Test
    void theLeastScaleFactorIsRoundedUp() {
        assertThat(FloatFormat.UE8M0.encode(0x1.8p-127, Rounding.UP, Overflow.IEEE)).isOne();
        assertThat(FloatFormat.UE8M0.encode(0x1.8p-127, Rounding.TOWARD_ZERO, Overflow.IEEE))
                .isZero();
    }

    /// All 64 bits of the significand lie behind the last place of f32, 2^-149: the halfway point
    /// is the first of them.
    @ParameterizedTest
    @CsvSource({
        "8000000000000001, NEAREST_EVEN, 1",
        "8000000000000000, NEAREST_EVEN, 0",
        "8000000000000000, NEAREST_AWAY, 1",
        "7fffffffffffffff, NEAREST_AWAY, 0"
    })
    void aSignificandThatIsAllLostIsHeldAgainstOneHalf(
            String significand, Rounding rounding, long code) {
        long bits = Long.parseUnsignedLong(significand, 16);
        assertThat(FloatFormat.F32.encode(false, bits, -213, rounding, Overflow.IEEE))
                .isEqualTo(code);
    }

    @Test
    void unsignedIntegersOfTwoToTheSixtyThree() {
        assertThat(IntegerFormat.U64.encode(0x1p63, Rounding.NEAREST_EVEN))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(IntegerFormat.U64.encode(0x1p64, Rounding.NEAREST_EVEN)).isEqualTo(-1);
    }

    @Test
    void modifiersOfRounding() {
        assertThat(List.of(Rounding.values()))
                .extracting(Rounding::ptxName)
                .containsExactly("rn", "rna", "rz", "rm", "rp");
    }

    /// Four-bit codes share bytes: the other half of the last byte is padding.
    @Test
    void paddingIsNoPartOfCodes() {
        Codes clean = Codes.wrap(FloatFormat.E2M1, 3, new byte[] {0x21, 0x03});
        Codes dirty = Codes.wrap(FloatFormat.E2M1, 3, new byte[] {0x21, 0x73});
        Codes other = Codes.wrap(FloatFormat.E2M1, 3, new byte[] {0x12, 0x03});
        assertThat(dirty).isEqualTo(clean).hasSameHashCodeAs(clean);
        assertThat(other).isNotEqualTo(clean);
        assertThat(other.hashCode()).isNotEqualTo(clean.hashCode());
        assertThat(clean).isNotEqualTo("3 x .e2m1").hasToString("3 x .e2m1");
    }

    /// 2^31 - 9 bytes are the largest array; so many halves fit, and one more does not.
    @Test
    void asManyCodesAsAnArrayHolds() {
        long most = (Integer.MAX_VALUE - 8L) / 2;
        assertThat(Codes.byteSize(FloatFormat.F16, most)).isEqualTo((int) (2 * most));
        assertThat(Codes.byteSize(FloatFormat.F16, 0)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codes.byteSize(FloatFormat.F16, most + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Codes.byteSize(FloatFormat.F16, -1));
    }

    @Test
    void shapesMayBeEmpty() {
        assertThat(Tensor.elements(List.of(3, 0))).isZero();
        assertThat(Matrix.zeros(FloatFormat.F16, 0, 4).codes().length()).isZero();
        assertThat(Matrix.zeros(FloatFormat.F16, 4, 0).codes().length()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "2, 0", "0, -1", "0, 3"})
    void aMatrixHasNoElementOutside(int row, int column) {
        Matrix matrix = Matrix.zeros(FloatFormat.F16, 2, 3);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> matrix.bits(row, column))
                .withMessageContaining("row %d, column %d of a 2 x 3", row, column);
    }

    @Test
    void aTensorIsConvertedElementByElement() {
        Tensor tensor = Tensor.zeros(FloatFormat.F16, List.of(2, 2));
        tensor.codes().set(3, 0x3c00);
        Tensor wide = tensor.convert(FloatFormat.F32, Rounding.NEAREST_EVEN, Overflow.IEEE);
        assertThat(wide.shape()).containsExactly(2, 2);
        assertThat(wide.bits(3)).isEqualTo(0x3f80_0000);
        assertThat(wide.bits(0)).isZero();
    }
}
