package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.BigInteger;

@DisplayName("Names, widths and exact values")
final class FormatTest {

    @ParameterizedTest
    @CsvSource({
        "f64, 64", "f32, 32", "tf32, 32", "bf16, 16", "f16, 16", "e5m2, 8", "e4m3, 8", "e3m2, 6",
        "e2m3, 6", "e2m1, 4", "ue8m0, 8", "ue4m3, 8", "s32, 32", "s8, 8", "u8, 8", "s4, 4",
        "u4, 4", "b1, 1",
    })
    void everyFormatOfTheInstructionsHasItsNameAndWidth(String name, int bits) {
        Format format = Format.parse(name);
        assertThat(format.ptxName()).isEqualTo(name);
        assertThat(format.bits()).isEqualTo(bits);
        assertThat(format).hasToString("." + name);
        assertThat(Format.all()).contains(format);
        assertThat(format.mask()).isEqualTo(bits == 64 ? -1L : (1L << bits) - 1);
    }

    @Test
    void unknownNamesAreRefusedWithTheKnownOnes() {
        assertThat(Format.named("f17")).isEmpty();
        assertThat(Format.named(".f16")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Format.parse("f17"))
                .withMessageStartingWith("unknown format \"f17\": expected one of f64 f32 tf32 ");
    }

    @Test
    void finiteValuesAreNormalised() {
        Value.Finite twelve = new Value.Finite(true, BigInteger.valueOf(12), -5);
        assertThat(twelve).isEqualTo(new Value.Finite(true, BigInteger.valueOf(3), -3));
        assertThat(twelve.toBigDecimal()).isEqualByComparingTo("-0.375");
        assertThat(Value.Finite.of(new BigDecimal("-0.375"))).isEqualTo(twelve);
        assertThat(Value.of(-0.375)).isEqualTo(twelve);
        assertThat(Value.of(0.0)).isNotEqualTo(Value.of(-0.0));
        assertThat(Value.of(Long.MIN_VALUE).toBigDecimal())
                .isEqualByComparingTo(new BigDecimal(Long.MIN_VALUE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Value.Finite(false, BigInteger.valueOf(-1), 0));
    }

    @Test
    void theExampleOfThePackageHolds() {
        assertThat(FloatFormat.E4M3.significand(0x35)).isEqualTo(13);
        assertThat(FloatFormat.E4M3.exponent(0x35)).isEqualTo(-4);
        assertThat(FloatFormat.E4M3.toDouble(0x35)).isEqualTo(0.8125);
        assertThat(FloatFormat.E4M3.encode(0.84375, Rounding.NEAREST_EVEN, Overflow.IEEE))
                .isEqualTo(0x36);
        assertThat(FloatFormat.E4M3.encode(0.84375, Rounding.TOWARD_ZERO, Overflow.IEEE))
                .isEqualTo(0x35);
        assertThat(FloatFormat.E4M3.encode(1000.0, Rounding.NEAREST_EVEN, Overflow.SATFINITE))
                .isEqualTo(0x7E);
        assertThat(FloatFormat.E4M3.encode(1000.0, Rounding.NEAREST_EVEN, Overflow.IEEE))
                .isEqualTo(0x7F);
        assertThat(Packing.dense(FloatFormat.E2M1).lowBit(3)).isEqualTo(12);
        assertThat(Packing.padded(FloatFormat.E2M1).lowBit(3)).isEqualTo(26);
    }
}
