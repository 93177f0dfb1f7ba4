package dev.heddle.vm.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Rounding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Conversions whose bits the manual leaves open, against what an H200 gave.
@DisplayName("PTX ISA 9.7.9.22: cvt")
class ConversionTest {
    @ParameterizedTest
    @CsvSource({
        "7fffffff, 7fffe000",
        "ffffffff, ffffe000",
        "3f801000, 3f802000",
        "ff800000, ff800000"
    })
    @DisplayName("cvt.rna.tf32.f32: ties away from zero; a NaN keeps sign and upper payload")
    void tf32(String from, String to) {
        float value = Float.intBitsToFloat(Integer.parseUnsignedInt(from, 16));
        assertThat(Integer.toHexString(Conversion.tf32FromF32(value, Rounding.NEAREST_AWAY)))
                .isEqualTo(to);
    }
}
