package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SplittableRandom;

@DisplayName("PTX ISA 9.7.9.21 and 5.2.4: cvt of .s2f6x2")
final class FixedPointConversionTest {
    private static final int THREADS = 32;
    private static final int ROUNDS = 10;
    private static final String ADDRESS =
            """
            mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;
            ld.global.b32 %r2, [%rd2]; ld.global.b32 %r3, [%rd2+128];
            ld.global.b32 %r4, [%rd2+256]; cvt.u16.u32 %h1, %r4;
            """;

    private static final int[] SCALES = {0, 1, 2, 60, 120, 126, 127, 128, 134, 200, 253, 254, 255};

    /// The value of a scale; null is NaN.
    private static @Nullable BigDecimal power(int code) {
        return code == 255
                ? null
                : code >= 127
                        ? BigDecimal.TWO.pow(code - 127)
                        : BigDecimal.ONE.divide(BigDecimal.TWO.pow(127 - code));
    }

    private static int fixed(float number, int scale, boolean relu) {
        BigDecimal power = power(scale);
        if (power == null || Float.isNaN(number)) {
            return 127;
        }
        if (relu && number < 0) {
            return 0;
        }
        if (Float.isInfinite(number)) {
            return number > 0 ? 127 : 0x80;
        }
        int units =
                new BigDecimal((double) number)
                        .multiply(BigDecimal.valueOf(64))
                        .divide(power)
                        .setScale(0, RoundingMode.HALF_EVEN)
                        .min(BigDecimal.valueOf(127))
                        .max(BigDecimal.valueOf(-128))
                        .intValueExact();
        return units & 0xff;
    }

    private static float number(SplittableRandom random, int scale) {
        float[] special = {
            0f,
            -0f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MAX_VALUE,
            -Float.MAX_VALUE,
            Float.MIN_VALUE,
            1e-40f,
            -1e-40f
        };
        int choice = random.nextInt(40);
        if (choice < special.length) {
            return special[choice];
        }
        float near = (random.nextInt(-300, 301) + random.nextInt(4) * 0.25f) / 64f;
        return (float) Math.scalb((double) near, scale - 127);
    }

    @ParameterizedTest
    @CsvSource({
        "f32, '', false",
        "f32, .relu, false",
        "f32, '', true",
        "f32, .relu, true",
        "bf16x2, '', false",
        "bf16x2, .relu, true",
        "bf16x2, '', true"
    })
    void fromNumbers(String from, String relu, boolean scaled) {
        boolean pair = from.equals("bf16x2");
        String body =
                ADDRESS
                        + (pair ? "" : "mov.b32 %f1, %r2; mov.b32 %f2, %r3;\n")
                        + "cvt.rn.satfinite%s%s.s2f6x2.%s %%h2, %s%s;\n"
                                .formatted(
                                        relu,
                                        scaled ? ".scaled::n2::ue8m0" : "",
                                        from,
                                        pair ? "%r2" : "%f1, %f2",
                                        scaled ? ", %h1" : "")
                        + "cvt.u32.u16 %r5, %h2; st.global.b32 [%rd2], %r5;";
        SplittableRandom random = new SplittableRandom(body.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            int[] words = new int[3 * THREADS];
            int[] expected = new int[THREADS];
            for (int i = 0; i < THREADS; i++) {
                int high = SCALES[random.nextInt(SCALES.length)];
                int low = SCALES[random.nextInt(SCALES.length)];
                int a = Float.floatToRawIntBits(number(random, scaled ? high : 127));
                int b = Float.floatToRawIntBits(number(random, scaled ? low : 127));
                if (pair) {
                    a &= 0xffff0000;
                    b &= 0xffff0000;
                }
                words[i] = pair ? a | b >>> 16 : a;
                words[THREADS + i] = b;
                words[2 * THREADS + i] = high << 8 | low;
                expected[i] =
                        fixed(Float.intBitsToFloat(a), scaled ? high : 127, !relu.isEmpty()) << 8
                                | fixed(
                                        Float.intBitsToFloat(b),
                                        scaled ? low : 127,
                                        !relu.isEmpty());
            }
            assertThat(TinyKernel.of(body).on("sm_120a", "9.1").run(THREADS, words))
                    .startsWith(expected);
        }
    }

    /// Every product has a place in bf16, but for -2 times 2^127.
    private static int brain(int code, int scale, boolean relu, boolean satfinite) {
        BigDecimal power = power(scale);
        if (power == null) {
            return 0x7fff;
        }
        if (relu && (byte) code < 0) {
            return 0;
        }
        if (code == 0x80 && scale == 254) {
            return satfinite ? 0xff7f : 0xff80;
        }
        float exact =
                BigDecimal.valueOf((byte) code)
                        .divide(BigDecimal.valueOf(64))
                        .multiply(power)
                        .floatValue();
        return Float.floatToRawIntBits(exact) >>> 16;
    }

    @ParameterizedTest
    @CsvSource({
        "'', false",
        ".relu, false",
        "'', true",
        ".satfinite, true",
        ".satfinite.relu, true"
    })
    void toBf16(String qualifiers, boolean scaled) {
        String body =
                ADDRESS
                        + "cvt.u16.u32 %%h2, %%r2; cvt.rn%s%s.bf16x2.s2f6x2 %%r5, %%h2%s;\n"
                                .formatted(
                                        qualifiers,
                                        scaled ? ".scaled::n2::ue8m0" : "",
                                        scaled ? ", %h1" : "")
                        + "st.global.b32 [%rd2], %r5;";
        boolean relu = qualifiers.contains("relu");
        boolean satfinite = qualifiers.contains("satfinite");
        SplittableRandom random = new SplittableRandom(body.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            int[] words = new int[3 * THREADS];
            int[] expected = new int[THREADS];
            for (int i = 0; i < THREADS; i++) {
                int high = scaled ? SCALES[random.nextInt(SCALES.length)] : 127;
                int low = scaled ? SCALES[random.nextInt(SCALES.length)] : 127;
                int code = random.nextInt(4) == 0 ? 0x8080 : random.nextInt(1 << 16);
                words[i] = code;
                words[2 * THREADS + i] = high << 8 | low;
                expected[i] =
                        brain(code >>> 8, high, relu, satfinite) << 16
                                | brain(code & 0xff, low, relu, satfinite);
            }
            assertThat(TinyKernel.of(body).on("sm_120a", "9.1").run(THREADS, words))
                    .startsWith(expected);
        }
    }
}
