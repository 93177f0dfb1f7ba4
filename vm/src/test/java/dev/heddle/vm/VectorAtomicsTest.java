package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PTX ISA 9.7.13.5, 9.7.13.6: atom and red of vectors")
final class VectorAtomicsTest {

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private static int halves(float low, float high) {
        return Float.floatToFloat16(low) & 0xffff | Float.floatToFloat16(high) << 16;
    }

    @Test
    void everyLaneAddsToFourFloats() {
        int[] sums =
                TinyKernel.of(
                                """
                                cvt.rn.f32.u32 %f1, %r1;
                                add.f32 %f2, %f1, %f1;
                                mov.f32 %f3, 0f3f800000;
                                neg.f32 %f4, %f1;
                                red.global.add.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};
                                """)
                        .run(64, bits(1), bits(2), bits(3), bits(4));
        // 0 + ... + 63 = 2016, exact in f32.
        assertThat(sums).containsExactly(bits(2017), bits(4034), bits(67), bits(-2012));
    }

    @Test
    @DisplayName("targets may be the operands")
    void oldValuesAreReturned() {
        int[] result =
                TinyKernel.of(
                                """
                                mov.f32 %f1, 0f3f800000;
                                mov.f32 %f2, 0f40000000;
                                atom.global.v2.f32.add {%f2, %f1}, [%rd1], {%f1, %f2};
                                st.global.v2.f32 [%rd1+8], {%f2, %f1};
                                atom.global.v2.f32.add {_, %f3}, [%rd1], {%f1, %f2};
                                st.global.f32 [%rd1+16], %f3;
                                """)
                        .run(1, bits(10), bits(20), 0, 0, 0);
        assertThat(result).containsExactly(bits(31), bits(32), bits(10), bits(20), bits(22));
    }

    @Test
    @DisplayName("f32 sums on global memory flush subnormals, f16 sums do not")
    void subnormals() {
        int[] result =
                TinyKernel.of(
                                """
                                mov.b32 %r2, 1;
                                mov.b32 %f1, %r2;
                                mov.b16 %h1, 1;
                                mov.b16 %h2, 2;
                                red.global.add.v2.f32 [%rd1], {%f1, %f1};
                                red.global.add.noftz.v2.f16 [%rd1+8], {%h1, %h2};
                                """)
                        .run(1, 0x8000_0002, 3, 0x0005_0004);
        assertThat(result).containsExactly(0, 0, 0x0007_0005);
    }

    @Test
    void eightHalvesAndPairsOfThem() {
        int[] result =
                TinyKernel.of(
                                """
                                mov.b16 %h1, 0x3c00;
                                mov.b16 %h2, 0xc000;
                                red.global.max.noftz.v8.f16 [%rd1],
                                    {%h1, %h2, %h1, %h2, %h1, %h2, %h1, %h2};
                                mov.b32 %r2, {%h1, %h2};
                                atom.global.min.noftz.v4.f16x2 {%r3, %r4, %r5, %r6}, [%rd1+16],
                                    {%r2, %r2, %r2, %r2};
                                st.global.v4.b32 [%rd1+32], {%r3, %r4, %r5, %r6};
                                """)
                        .run(
                                1,
                                halves(0, 0),
                                halves(2, -3),
                                halves(1, -2),
                                halves(Float.NaN, Float.NaN),
                                halves(0, 0),
                                halves(2, -3),
                                halves(1, -2),
                                halves(-7, 9),
                                0,
                                0,
                                0,
                                0);
        assertThat(result)
                .containsExactly(
                        halves(1, 0),
                        halves(2, -2),
                        halves(1, -2),
                        halves(1, -2),
                        halves(0, -2),
                        halves(1, -3),
                        halves(1, -2),
                        halves(-7, -2),
                        halves(0, 0),
                        halves(2, -3),
                        halves(1, -2),
                        halves(-7, 9));
    }

    @Test
    void brainFloats() {
        int[] result =
                TinyKernel.of(
                                """
                                mov.b16 %h1, 0x3f80;
                                mov.b16 %h2, 0xc000;
                                red.global.add.noftz.v2.bf16 [%rd1], {%h1, %h2};
                                mov.b32 %r2, {%h1, %h2};
                                red.global.max.noftz.v2.bf16x2 [%rd1+8], {%r2, %r2};
                                """)
                        .run(1, 0x4000_4000, 0, 0x4000_4000, 0xc080_0000);
        // bf16: 1 = 3f80, 2 = 4000, 3 = 4040, -2 = c000, -4 = c080.
        assertThat(result).containsExactly(0x0000_4040, 0, 0x4000_4000, 0xc000_3f80);
    }

    @Test
    @DisplayName("the whole vector is aligned, and in global memory")
    void placesThatAreNone() {
        assertThat(
                        TinyKernel.of(
                                        "mov.f32 %f1, 0f00000000;\n"
                                                + "red.global.add.v2.f32 [%rd1+4], {%f1, %f1};")
                                .finding(1, 16)
                                .rule())
                .isEqualTo(Rule.MISALIGNED_ACCESS);
        assertThat(
                        TinyKernel.of(
                                        "mov.f32 %f1, 0f00000000;\nmov.u64 %rd2, tile;\n"
                                                + "cvta.shared.u64 %rd2, %rd2;\n"
                                                + "red.add.v2.f32 [%rd2], {%f1, %f1};")
                                .finding(1, 16)
                                .rule())
                .isEqualTo(Rule.ATOMIC_OUTSIDE_GLOBAL_OR_SHARED);
    }
}
