package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;

@DisplayName("PTX ISA 6.5.1, 9.7.9.21: conversion from one format to another")
final class ConversionTest {

    static List<Format> small() {
        List<Format> formats = new ArrayList<>(Format.all());
        formats.removeIf(format -> format.bits() > 16);
        return formats;
    }

    /// Through the exact value, which is the slow way round.
    @ParameterizedTest
    @MethodSource("small")
    void everyCodeGoesWhereItsExactValueGoes(Format from) {
        for (Format to : Format.all()) {
            for (Rounding rounding : Rounding.values()) {
                Conversion conversion = new Conversion(from, to, rounding, Overflow.IEEE);
                // Every code of eight bits and less, a stride prime to the fields of the others
                int stride = from.bits() > 8 ? 37 : 1;
                for (long code = 0; code < 1L << from.bits(); code += stride) {
                    if (from == to || from.value(code) instanceof Value.NaN) {
                        continue;
                    }
                    assertThat(conversion.apply(code))
                            .as("%s 0x%x", conversion, code)
                            .isEqualTo(to.encode(from.value(code), rounding, Overflow.IEEE));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("small")
    void theSameFormatKeepsEveryCode(Format format) {
        for (long code = 0; code < 1L << format.bits(); code++) {
            assertThat(Conversion.nearest(format, format).apply(code)).isEqualTo(code);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // 9.7.9.21, integer notes: zero, but from .f64 or to 64 bits the highest bit
        "f32, s32, 0",
        "f16, u8, 0",
        "bf16, s16, 0",
        "f32, s64, 8000000000000000",
        "f32, u64, 8000000000000000",
        "f64, s32, 80000000",
        "f64, u32, 80000000",
        "f64, u64, 8000000000000000",
        "f64, s8, 80",
        "f32, f16, 7fff",
        "f32, bf16, 7fff",
        "f32, e4m3, 7f",
        "f32, e5m2, 7f",
        "f16, f32, 7fffffff",
        // .satfinite: formats without NaN take the positive maximum
        "f32, e2m1, 7",
        "f16, e3m2, 1f",
        "bf16, e2m3, 1f",
        "f32, ue8m0, ff",
        "ue8m0, bf16, 7fff",
        "e4m3, f16, 7fff",
    })
    void naN(String from, String to, String expected) {
        FloatFormat source = (FloatFormat) Format.parse(from);
        long nan = source.canonicalNaN();
        assertThat(Conversion.nearest(source, Format.parse(to)).apply(nan))
                .isEqualTo(Long.parseUnsignedLong(expected, 16));
    }

    @Test
    @DisplayName("f32 to ue8m0 takes the magnitude and rounds to a power of two")
    void scaleFactors() {
        assertThat(scale(1.0f, Rounding.UP)).isEqualTo(127);
        assertThat(scale(1.5f, Rounding.UP)).isEqualTo(128);
        assertThat(scale(1.5f, Rounding.TOWARD_ZERO)).isEqualTo(127);
        assertThat(scale(-1.5f, Rounding.UP)).isEqualTo(128);
        assertThat(scale(0.0f, Rounding.UP)).isZero();
        assertThat(scale(Float.MIN_VALUE, Rounding.UP)).isZero();
        assertThat(scale(Float.MAX_VALUE, Rounding.UP)).isEqualTo(254);
        assertThat(scale(Float.MAX_VALUE, Rounding.TOWARD_ZERO)).isEqualTo(254);
        long max = Float.floatToRawIntBits(Float.MAX_VALUE);
        assertThat(
                        new Conversion(
                                        FloatFormat.F32,
                                        FloatFormat.UE8M0,
                                        Rounding.UP,
                                        Overflow.IEEE)
                                .apply(max))
                .isEqualTo(255);
    }

    private static long scale(float value, Rounding rounding) {
        return new Conversion(FloatFormat.F32, FloatFormat.UE8M0, rounding, Overflow.SATFINITE)
                .apply(Float.floatToRawIntBits(value));
    }

    @Test
    void integersBecomeFloatsRoundedOnce() {
        assertThat(toFloat(IntegerFormat.S64, Long.MIN_VALUE)).isEqualTo((float) Long.MIN_VALUE);
        assertThat(toFloat(IntegerFormat.U64, -1)).isEqualTo(0x1p64f);
        assertThat(toFloat(IntegerFormat.S32, 0xFFFF_FFFFL)).isEqualTo(-1.0f);
        assertThat(toFloat(IntegerFormat.U32, 0xFFFF_FFFFL)).isEqualTo(0x1p32f);
        assertThat(toFloat(IntegerFormat.S32, 16_777_217)).isEqualTo(16_777_216.0f);
        assertThat(toFloat(IntegerFormat.S32, 16_777_219)).isEqualTo(16_777_220.0f);
    }

    private static float toFloat(IntegerFormat from, long code) {
        return Float.intBitsToFloat((int) Conversion.nearest(from, FloatFormat.F32).apply(code));
    }
}
