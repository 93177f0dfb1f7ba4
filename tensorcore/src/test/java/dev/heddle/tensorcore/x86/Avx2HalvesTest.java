package dev.heddle.tensorcore.x86;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

@DisplayName("AVX2 in the place of AVX-512: elements of another size, or from another place")
final class Avx2HalvesTest extends Avx2Vectors {
    @BeforeAll
    static void onThisProcessor() {
        assumeTrue(Processor.runsMachineCode(), "needs AVX2");
    }

    @Test
    void elementsChangeTheirSize() {
        run(1, code -> code.vector(Evex.VPMOVSXDQ, 1, 0, Operand.register(B)));
        for (int i = 0; i < 8; i++) {
            assertThat(lane(result, i)).isEqualTo(b[i]);
        }
        run(21, code -> code.vector(Evex.VCVTUDQ2PD, 21, 0, Operand.register(A)));
        for (int i = 0; i < 8; i++) {
            assertThat(Double.longBitsToDouble(lane(result, i)))
                    .isEqualTo((double) (a[i] & 0xffff_ffffL));
        }
        run(
                21,
                code -> {
                    code.vector(Evex.VCVTUDQ2PD, 22, 0, Operand.register(A));
                    code.vector(Evex.VCVTTPD2UDQ, 21, 0, Operand.register(22));
                });
        assertThat(Arrays.copyOf(result, 8)).isEqualTo(Arrays.copyOf(a, 8));
        run(1, code -> code.vector(Evex.VPMOVQD, B, 0, Operand.register(1)));
        assertThat(Arrays.copyOf(result, 8)).isEqualTo(Arrays.copyOf(each(i -> b[2 * (i & 7)]), 8));
        run(21, code -> code.vector(Evex.VPMOVDW, A, 0, Operand.register(21)));
        assertThat(Arrays.copyOf(result, 8))
                .isEqualTo(
                        Arrays.copyOf(
                                each(i -> a[2 * (i & 7)] & 0xffff | a[2 * (i & 7) + 1] << 16), 8));
        Arrays.setAll(a, i -> Float.floatToRawIntBits(f(a[i])));
        run(1, code -> code.vector(Evex.VCVTPS2PH, A, 0, Operand.register(1), 0));
        for (int i = 0; i < 16; i++) {
            short half = (short) (result[i / 2] >>> 16 * (i % 2));
            assertThat(half).isEqualTo(Float.floatToFloat16(Float.intBitsToFloat(a[i])));
        }
    }

    @Test
    void wordsComeFromOtherPlaces() {
        run(1, code -> code.vector(Evex.VPERMD, 1, A, Operand.register(B)));
        assertThat(result).isEqualTo(each(i -> b[a[i] & 15]));
        run(21, code -> code.vector(Evex.VPERMI2D, 21, A, Operand.register(B)));
        assertThat(result)
                .isEqualTo(each(i -> (old[i] & 16) != 0 ? b[old[i] & 15] : a[old[i] & 15]));
        Arrays.setAll(a, i -> i * 0x1_0001);
        Arrays.setAll(b, i -> i % 3 == 0 ? a[i] : i % 3 == 1 ? i : ~a[i]);
        run(
                1,
                code -> {
                    code.vector(Evex.VPCMPEQW, 3, A, Operand.register(B));
                    code.vectorWhere(Evex.VPBLENDMW, 3, 1, A, Operand.register(1));
                });
        assertThat(result)
                .isEqualTo(
                        each(
                                i -> {
                                    int low = (short) a[i] == (short) b[i] ? old[i] : a[i];
                                    int high = a[i] >> 16 == b[i] >> 16 ? old[i] : a[i];
                                    return low & 0xffff | high & 0xffff_0000;
                                }));
    }

    @Test
    void elementsGoAnywhereInMemory() {
        Arrays.setAll(a, i -> 4 * (i * 7 % 16));
        run(
                21,
                code ->
                        code.vectorWhere(
                                Evex.VPGATHERDD, 2, 21, 0, Operand.each(Assembler.RSI, A)));
        for (int i = 0; i < 16; i++) {
            if (set(i)) {
                assertThat(result[i]).isEqualTo(b[a[i] / 4]);
            }
        }
        int[] kept = b.clone();
        run(
                21,
                code ->
                        code.vectorWhere(
                                Evex.VPSCATTERDD, 2, 21, 0, Operand.each(Assembler.RSI, A)));
        for (int i = 0; i < 16; i++) {
            assertThat(b[a[i] / 4]).isEqualTo(set(i) ? old[i] : kept[a[i] / 4]);
        }
    }
}
