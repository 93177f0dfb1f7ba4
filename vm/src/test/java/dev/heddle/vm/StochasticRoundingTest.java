package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.SplittableRandom;

@DisplayName("PTX ISA 9.7.9.21: cvt.rs")
final class StochasticRoundingTest {
    private static final int THREADS = 32;
    private static final int ROUNDS = 8;

    /// A format by its bits of exponent and fraction.
    private record Grid(int exponentBits, int fractionBits, int largest, int infinity, int nan) {
        static Grid of(String type) {
            return switch (type) {
                case "f16x2" -> new Grid(5, 10, 0x7bff, 0x7c00, 0x7fff);
                case "bf16x2" -> new Grid(8, 7, 0x7f7f, 0x7f80, 0x7fff);
                case "e4m3x4" -> new Grid(4, 3, 0x7e, 0x7e, 0x7f);
                case "e5m2x4" -> new Grid(5, 2, 0x7b, 0x7b, 0x7f);
                case "e2m3x4" -> new Grid(2, 3, 0x1f, 0x1f, 0x1f);
                case "e3m2x4" -> new Grid(3, 2, 0x1f, 0x1f, 0x1f);
                default -> new Grid(2, 1, 7, 7, 7);
            };
        }

        int sign() {
            return 1 << exponentBits + fractionBits;
        }

        /// The value of a code, by the formula of PTX ISA 5.2.3.
        double value(int code) {
            int bias = (1 << exponentBits - 1) - 1;
            int fraction = code & (1 << fractionBits) - 1;
            int exponent = code >> fractionBits;
            return exponent == 0
                    ? Math.scalb((double) fraction, 1 - bias - fractionBits)
                    : Math.scalb(
                            (double) (1 << fractionBits) + fraction,
                            exponent - bias - fractionBits);
        }

        /// The upper neighbour where the fraction between both and the random one reach 1.
        int rounded(float number, int random, int randomBits, boolean saturates) {
            if (Float.isNaN(number)) {
                return nan;
            }
            int sign = Float.floatToRawIntBits(number) < 0 ? sign() : 0;
            double magnitude = Math.abs((double) number);
            int below = 0;
            for (int step = sign() >> 1; step > 0; step >>= 1) {
                if (below + step <= largest && value(below + step) <= magnitude) {
                    below += step;
                }
            }
            double gap = value(below + 1) - value(below);
            double sum =
                    (magnitude - value(below)) / gap + Math.scalb((double) random, -randomBits);
            int code = below + (sum >= 1 ? 1 : 0);
            return sign | (code <= largest ? code : saturates ? largest : infinity);
        }
    }

    private static float number(Grid grid, SplittableRandom random) {
        float[] special = {
            0f,
            -0f,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.NaN,
            1e30f,
            -3e38f,
            1e-42f
        };
        int choice = random.nextInt(40);
        if (choice < special.length) {
            return special[choice];
        }
        int code = random.nextInt(grid.largest);
        double below = grid.value(code);
        double above = grid.value(code + 1);
        double sign = random.nextBoolean() ? 1 : -1;
        return (float) (sign * (below + (above - below) * random.nextDouble()));
    }

    private static float relu(float number) {
        return number < 0 || Float.floatToRawIntBits(number) == 0x8000_0000 ? 0f : number;
    }

    @ParameterizedTest
    @CsvSource({
        "f16x2, ''", "f16x2, .satfinite", "f16x2, .relu",
        "bf16x2, ''", "bf16x2, .satfinite", "bf16x2, .relu.satfinite"
    })
    void roundsPairs(String type, String qualifiers) {
        Grid grid = Grid.of(type);
        int bits = type.equals("f16x2") ? 13 : 16;
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 4; add.u64 %%rd2, %%rd1, %%rd2;
                ld.global.f32 %%f1, [%%rd2]; ld.global.f32 %%f2, [%%rd2+128];
                ld.global.b32 %%r2, [%%rd2+256];
                cvt.rs%s.%s.f32 %%r3, %%f1, %%f2, %%r2;
                st.global.b32 [%%rd2], %%r3;
                """
                        .formatted(qualifiers, type);
        SplittableRandom random = new SplittableRandom((type + qualifiers).hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            int[] words = new int[3 * THREADS];
            int[] expected = new int[THREADS];
            for (int i = 0; i < THREADS; i++) {
                float a = number(grid, random);
                float b = number(grid, random);
                int noise = random.nextInt();
                words[i] = Float.floatToRawIntBits(a);
                words[THREADS + i] = Float.floatToRawIntBits(b);
                words[2 * THREADS + i] = noise;
                boolean relu = qualifiers.contains("relu");
                boolean saturates = qualifiers.contains("satfinite");
                int mask = (1 << bits) - 1;
                int high = grid.rounded(relu ? relu(a) : a, noise >>> 16 & mask, bits, saturates);
                int low = grid.rounded(relu ? relu(b) : b, noise & mask, bits, saturates);
                expected[i] = high << 16 | low;
            }
            assertThat(TinyKernel.of(body).on("sm_100a", "8.7").run(THREADS, words))
                    .startsWith(expected);
        }
    }

    /// b and f of `{a, b, e, f}` take their sixteen random bits as they are, a and e in reverse, as
    /// FlashInfer found on an sm_100a for e4m3; of e2m1 a and b have the upper bytes of both
    /// halves.
    private static int[] noise(String type, int random) {
        boolean bytes = type.equals("e2m1x4");
        int upper = bytes ? random >>> 16 & 0xff00 | random >>> 8 & 0xff : random >>> 16;
        int lower = bytes ? random >>> 8 & 0xff00 | random & 0xff : random & 0xffff;
        return new int[] {
            Integer.reverse(upper) >>> 16, upper, Integer.reverse(lower) >>> 16, lower
        };
    }

    @ParameterizedTest
    @CsvSource({
        "e4m3x4, ''",
        "e4m3x4, .relu",
        "e5m2x4, ''",
        "e5m2x4, .relu",
        "e2m3x4, ''",
        "e3m2x4, ''",
        "e3m2x4, .relu",
        "e2m1x4, ''",
        "e2m1x4, .relu"
    })
    void roundsFour(String type, String relu) {
        Grid grid = Grid.of(type);
        boolean nibbles = type.equals("e2m1x4");
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 4; add.u64 %%rd2, %%rd1, %%rd2;
                ld.global.f32 %%f1, [%%rd2]; ld.global.f32 %%f2, [%%rd2+128];
                ld.global.f32 %%f3, [%%rd2+256]; ld.global.f32 %%f4, [%%rd2+384];
                ld.global.b32 %%r2, [%%rd2+512];
                cvt.rs%s.satfinite.%s.f32 %s, {%%f1, %%f2, %%f3, %%f4}, %%r2;
                %s
                st.global.b32 [%%rd2], %%r3;
                """
                        .formatted(
                                relu,
                                type,
                                nibbles ? "%h1" : "%r3",
                                nibbles ? "cvt.u32.u16 %r3, %h1;" : "");
        SplittableRandom random = new SplittableRandom((type + relu).hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            int[] words = new int[5 * THREADS];
            int[] expected = new int[THREADS];
            for (int i = 0; i < THREADS; i++) {
                int rbits = random.nextInt();
                int[] noise = noise(type, rbits);
                for (int element = 0; element < 4; element++) {
                    float number = number(grid, random);
                    words[element * THREADS + i] = Float.floatToRawIntBits(number);
                    int code =
                            grid.rounded(
                                    relu.isEmpty() ? number : relu(number),
                                    noise[element],
                                    16,
                                    true);
                    expected[i] = expected[i] << (nibbles ? 4 : 8) | code;
                }
                words[4 * THREADS + i] = rbits;
            }
            assertThat(TinyKernel.of(body).on("sm_100a", "8.7").run(THREADS, words))
                    .startsWith(expected);
        }
    }
}
