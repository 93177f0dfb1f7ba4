package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

@DisplayName("PTX ISA 9.7.9.21: cvt from and to pairs of narrow numbers")
final class NarrowConversionTest {
    private static final String TARGET = "sm_120a";
    private static final String VERSION = "8.6";

    /// The value of a code, by the formula of PTX ISA 5.2.3: a sign, exponent and fraction bits.
    private static double value(String type, int code) {
        int exponentBits = type.charAt(1) - '0';
        int fractionBits = type.charAt(3) - '0';
        int bias = (1 << exponentBits - 1) - 1;
        int fraction = code & (1 << fractionBits) - 1;
        int exponent = code >> fractionBits & (1 << exponentBits) - 1;
        double magnitude =
                exponent == 0
                        ? Math.scalb((double) fraction, 1 - bias - fractionBits)
                        : Math.scalb(
                                (double) (1 << fractionBits) + fraction,
                                exponent - bias - fractionBits);
        return (code >> exponentBits + fractionBits & 1) != 0 ? -magnitude : magnitude;
    }

    /// The nearest code, of two the even one; beyond the largest, and for a NaN, the largest.
    private static int nearest(String type, float number, boolean relu) {
        int bits = 1 + type.charAt(1) - '0' + type.charAt(3) - '0';
        int largest = (1 << bits - 1) - 1;
        if (Float.isNaN(number)) {
            return largest;
        }
        boolean negative = Float.floatToRawIntBits(number) < 0;
        if (relu && negative) {
            return 0;
        }
        double magnitude = Math.abs((double) number);
        int best = 0;
        for (int code = 1; code <= largest; code++) {
            double distance = Math.abs(value(type, code) - magnitude);
            double least = Math.abs(value(type, best) - magnitude);
            if (distance < least || distance == least && code % 2 == 0) {
                best = code;
            }
        }
        return Double.isInfinite(magnitude) || magnitude > value(type, largest)
                ? largest | (negative ? 1 << bits - 1 : 0)
                : best | (negative ? 1 << bits - 1 : 0);
    }

    /// Numbers of all sizes, midpoints of codes, zeros, infinities and NaN.
    private static float[] numbers(String type, SplittableRandom random) {
        float[] numbers = new float[64];
        int codes = 1 << 1 + type.charAt(1) - '0' + type.charAt(3) - '0';
        for (int i = 0; i < numbers.length; i++) {
            int code = random.nextInt(codes / 2 - 1);
            double below = value(type, code);
            double above = value(type, code + 1);
            double sign = random.nextBoolean() ? 1 : -1;
            numbers[i] =
                    (float)
                            switch (random.nextInt(3)) {
                                case 0 -> sign * (below + above) / 2;
                                case 1 -> sign * Math.nextUp((float) ((below + above) / 2));
                                default -> sign * random.nextDouble() * 1.2 * above;
                            };
        }
        numbers[0] = 0f;
        numbers[1] = -0f;
        numbers[2] = Float.POSITIVE_INFINITY;
        numbers[3] = Float.NEGATIVE_INFINITY;
        numbers[4] = Float.NaN;
        numbers[5] = 1e30f;
        return numbers;
    }

    @ParameterizedTest
    @CsvSource({
        "e2m1x2, false",
        "e2m1x2, true",
        "e2m3x2, false",
        "e2m3x2, true",
        "e3m2x2, false",
        "e3m2x2, true"
    })
    void narrowsPairs(String type, boolean relu) {
        float[] numbers = numbers(type, new SplittableRandom(type.hashCode()));
        int[] words = new int[64];
        int[] expected = new int[64];
        boolean nibbles = type.equals("e2m1x2");
        for (int i = 0; i < 32; i++) {
            words[i] = Float.floatToRawIntBits(numbers[i]);
            words[32 + i] = Float.floatToRawIntBits(numbers[32 + i]);
            int high = nearest(type, numbers[i], relu);
            int low = nearest(type, numbers[32 + i], relu);
            expected[i] = nibbles ? high << 4 | low : high << 8 | low;
            expected[32 + i] = words[32 + i];
        }
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 4;
                add.u64 %%rd2, %%rd1, %%rd2;
                ld.global.f32 %%f1, [%%rd2];
                ld.global.f32 %%f2, [%%rd2+128];
                cvt.rn.satfinite%s.%s.f32 %s, %%f1, %%f2;
                cvt.u32.%s %%r3, %s;
                st.global.b32 [%%rd2], %%r3;
                """
                        .formatted(
                                relu ? ".relu" : "",
                                type,
                                nibbles ? "%b1" : "%h1",
                                nibbles ? "u8" : "u16",
                                nibbles ? "%b1" : "%h1");
        assertThat(TinyKernel.of(body).on(TARGET, VERSION).run(32, words))
                .containsExactly(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"e2m1x2", "e2m3x2", "e3m2x2"})
    void widensPairs(String type) {
        int bits = type.equals("e2m1x2") ? 4 : 8;
        int codes = 1 << 1 + type.charAt(1) - '0' + type.charAt(3) - '0';
        int[] words = new int[64];
        int[] expected = new int[64];
        for (int i = 0; i < 64; i++) {
            int low = i % codes;
            int high = (i * 5 + 3) % codes;
            words[i] = high << bits | low;
            expected[i] =
                    Float.floatToFloat16((float) value(type, high)) << 16
                            | Float.floatToFloat16((float) value(type, low)) & 0xffff;
        }
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 4;
                add.u64 %%rd2, %%rd1, %%rd2;
                ld.global.b32 %%r2, [%%rd2];
                cvt.u16.u32 %%h1, %%r2;
                cvt.u8.u32 %%b1, %%r2;
                cvt.rn.f16x2.%s %%r3, %s;
                st.global.b32 [%%rd2], %%r3;
                """
                        .formatted(type, bits == 4 ? "%b1" : "%h1");
        assertThat(TinyKernel.of(body).on(TARGET, VERSION).run(64, words))
                .containsExactly(expected);
    }

    /// CUDA's own software for it (`cuda_fp8.hpp`): the exponent of the magnitude; up if anything
    /// is left, but not below 2^-127; NaN, or 2^127 with `.satfinite`, beyond.
    private static int scale(float number, boolean up, boolean saturates) {
        int bits = Float.floatToRawIntBits(number) & 0x7fff_ffff;
        int exponent = bits >>> 23;
        if (bits > 0x7f80_0000) {
            return 0xff;
        }
        boolean rest = (bits & 0x7f_ffff) != 0 && bits > 0x0040_0000 && exponent < 0xff;
        int code = exponent + (up && rest ? 1 : 0);
        return saturates && code == 0xff ? 0xfe : code;
    }

    @ParameterizedTest
    @CsvSource({"rz, true", "rz, false", "rp, true", "rp, false"})
    void makesScaleFactors(String rounding, boolean saturates) {
        SplittableRandom random = new SplittableRandom(rounding.hashCode());
        int[] words = new int[64];
        int[] expected = new int[64];
        int[] special = {
            0,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            1,
            0x0040_0000,
            0x0040_0001,
            0x007f_ffff,
            0x0080_0000,
            0x7f00_0000,
            0x7f00_0001,
            0x7f7f_ffff
        };
        for (int i = 0; i < 64; i++) {
            words[i] = i < special.length ? special[i] : random.nextInt();
        }
        for (int i = 0; i < 32; i++) {
            boolean up = rounding.equals("rp");
            int high = scale(Float.intBitsToFloat(words[i]), up, saturates);
            int low = scale(Float.intBitsToFloat(words[32 + i]), up, saturates);
            expected[i] = high << 8 | low;
            expected[32 + i] = words[32 + i];
        }
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 4;
                add.u64 %%rd2, %%rd1, %%rd2;
                ld.global.f32 %%f1, [%%rd2];
                ld.global.f32 %%f2, [%%rd2+128];
                cvt.%s%s.ue8m0x2.f32 %%h1, %%f1, %%f2;
                cvt.u32.u16 %%r3, %%h1;
                st.global.b32 [%%rd2], %%r3;
                """
                        .formatted(rounding, saturates ? ".satfinite" : "");
        assertThat(TinyKernel.of(body).on(TARGET, VERSION).run(32, words))
                .containsExactly(expected);
    }

    @Test
    void widensScaleFactors() {
        // 2^-127 is a subnormal bf16; 255 is NaN.
        int[] words = {0x0001, 0x7f80, 0xfeff};
        int[] expected = {0x0040_0080, 0x3f80_4000, 0x7f00_7fff};
        assertThat(
                        TinyKernel.of(
                                        """
                                        mul.wide.u32 %rd2, %r1, 4;
                                        add.u64 %rd2, %rd1, %rd2;
                                        ld.global.u16 %h1, [%rd2];
                                        cvt.rn.bf16x2.ue8m0x2 %r3, %h1;
                                        st.global.b32 [%rd2], %r3;
                                        """)
                                .on(TARGET, VERSION)
                                .run(3, words))
                .containsExactly(expected);
    }
}
