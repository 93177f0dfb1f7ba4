package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

@DisplayName("PTX ISA 9.7.14.5.15, 9.7.14.5.16: ldmatrix and stmatrix of 8, 6 and 4 bits")
final class MatrixRowsTest {
    private static final String TARGET = "sm_120a";
    private static final String VERSION = "8.6";

    private static final SplittableRandom RANDOM = new SplittableRandom(9714);

    /// Rows of 16 bytes in shared memory, lane l naming row l; registers of lanes come out.
    private static int[] load(String shape, String type, int registers, byte[] rows) {
        StringBuilder names = new StringBuilder();
        StringBuilder stores = new StringBuilder();
        for (int i = 0; i < registers; i++) {
            names.append(i == 0 ? "" : ",").append("%r").append(10 + i);
            stores.append("st.global.b32 [%rd3+").append(4 * i).append("], %r").append(10 + i);
            stores.append(";\n");
        }
        String body =
                """
                .shared .align 16 .b8 rows[512];
                mul.wide.u32 %%rd2, %%r1, 16;
                add.u64 %%rd3, %%rd1, %%rd2;
                ld.global.v4.b32 {%%r2, %%r3, %%r4, %%r5}, [%%rd3];
                mov.u32 %%r6, rows;
                cvt.u32.u64 %%r7, %%rd2;
                add.u32 %%r6, %%r6, %%r7;
                st.shared.v4.b32 [%%r6], {%%r2, %%r3, %%r4, %%r5};
                bar.sync 0;
                ldmatrix.sync.aligned.%s.shared.%s {%s}, [%%r6];
                %s
                """
                        .formatted(shape, type, names, stores);
        int[] words = new int[128];
        java.nio.ByteBuffer.wrap(rows)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(words);
        return TinyKernel.of(body).on(TARGET, VERSION).run(32, words);
    }

    private static byte[] random() {
        byte[] rows = new byte[512];
        RANDOM.nextBytes(rows);
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "m16n16.trans.b8: four columns of rows l / 4 and l / 4 + 8, as measured on sm_120a")
    void transposesBytes(int tiles) {
        byte[] rows = random();
        int[] result = load("m16n16.x" + tiles + ".trans", "b8", 2 * tiles, rows);
        for (int lane = 0; lane < 32; lane++) {
            for (int tile = 0; tile < tiles; tile++) {
                for (int half = 0; half < 2; half++) {
                    int word = 0;
                    for (int i = 0; i < 4; i++) {
                        int row = 16 * tile + 4 * (lane % 4) + i;
                        word |= (rows[16 * row + lane / 4 + 8 * half] & 0xff) << 8 * i;
                    }
                    assertThat(result[4 * lane + 2 * tile + half]).isEqualTo(word);
                }
            }
        }
    }

    /// The 16 packed elements of a row, each in its byte.
    private static int[] unpacked(byte[] rows, int row, int bits) {
        java.math.BigInteger packed = java.math.BigInteger.ZERO;
        for (int i = 15; i >= 0; i--) {
            packed =
                    packed.shiftLeft(8)
                            .add(java.math.BigInteger.valueOf(rows[16 * row + i] & 0xff));
        }
        int[] elements = new int[16];
        for (int i = 0; i < 16; i++) {
            int value = packed.shiftRight(bits * i).intValue() & (1 << bits) - 1;
            elements[i] = bits == 4 ? value << 2 : value;
        }
        return elements;
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    @DisplayName("m8n16: four lanes share a row of 16 packed elements, each widened to a byte")
    void widensRows(int bits) {
        byte[] rows = random();
        String type = bits == 4 ? "b8x16.b4x16_p64" : "b8x16.b6x16_p32";
        int[] result = load("m8n16.x4", type, 4, rows);
        for (int lane = 0; lane < 32; lane++) {
            for (int tile = 0; tile < 4; tile++) {
                int[] elements = unpacked(rows, 8 * tile + lane / 4, bits);
                int word = 0;
                for (int i = 0; i < 4; i++) {
                    word |= elements[4 * (lane % 4) + i] << 8 * i;
                }
                assertThat(result[4 * lane + tile]).isEqualTo(word);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    @DisplayName("m16n16.trans of packed elements")
    void transposesPacked(int bits) {
        byte[] rows = random();
        String type = bits == 4 ? "b8x16.b4x16_p64" : "b8x16.b6x16_p32";
        int[] result = load("m16n16.x1.trans", type, 2, rows);
        for (int lane = 0; lane < 32; lane++) {
            for (int half = 0; half < 2; half++) {
                int word = 0;
                for (int i = 0; i < 4; i++) {
                    int row = 4 * (lane % 4) + i;
                    word |= unpacked(rows, row, bits)[lane / 4 + 8 * half] << 8 * i;
                }
                assertThat(result[4 * lane + half]).isEqualTo(word);
            }
        }
    }

    @Test
    @DisplayName("stmatrix.m16n8.trans.b8 stores accumulators of m16n8: 9.7.14.5.8")
    void storesBytes() {
        // Lane l holds (l / 4, 2 (l % 4) + i) in bytes 0 and 1, eight rows further in 2 and 3.
        int[] words = new int[128];
        int[] expected = new int[128];
        byte[] stored = new byte[512];
        for (int lane = 0; lane < 32; lane++) {
            words[lane] = RANDOM.nextInt();
            for (int i = 0; i < 4; i++) {
                int row = lane / 4 + 8 * (i / 2);
                int column = 2 * (lane % 4) + i % 2;
                stored[16 * column + row] = (byte) (words[lane] >> 8 * i);
            }
        }
        java.nio.ByteBuffer.wrap(stored)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(expected);
        System.arraycopy(words, 32, expected, 32, 96);
        String body =
                """
                mul.wide.u32 %rd2, %r1, 4;
                add.u64 %rd2, %rd1, %rd2;
                ld.global.b32 %r2, [%rd2];
                mov.u32 %r6, tile;
                and.b32 %r7, %r1, 7;
                shl.b32 %r7, %r7, 4;
                add.u32 %r7, %r6, %r7;
                stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r7], {%r2};
                bar.sync 0;
                shl.b32 %r8, %r1, 2;
                add.u32 %r8, %r6, %r8;
                ld.shared.b32 %r3, [%r8];
                st.global.b32 [%rd2], %r3;
                """;
        assertThat(TinyKernel.of(body).on(TARGET, VERSION).run(32, words)).startsWith(expected);
    }

    @Test
    @DisplayName("the padding of packed rows need not be written, their elements must")
    void asksForElementsAlone() {
        String body =
                """
                shl.b32 %%r6, %%r1, 4;
                and.b32 %%r6, %%r6, 127;
                mov.u32 %%r7, tile;
                add.u32 %%r6, %%r6, %%r7;
                st.shared.v2.b32 [%%r6], {%%r1, %%r1};
                bar.sync 0;
                ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.%s {%%r2}, [%%r6];
                mul.wide.u32 %%rd2, %%r1, 4;
                add.u64 %%rd2, %%rd1, %%rd2;
                and.b32 %%r2, %%r2, 0;
                st.global.b32 [%%rd2], %%r2;
                """;
        String four = body.replace("st.shared.v2", "@%%p1 st.shared.v2");
        String some = "setp.lt.u32 %%p1, %%r1, 8;\n";
        assertThat(
                        TinyKernel.of((some + four).formatted("b4x16_p64"))
                                .on(TARGET, VERSION)
                                .run(32, new int[32]))
                .containsOnly(0);
        String used = (some + four).replace("and.b32 %%r2, %%r2, 0;", "");
        Finding finding =
                TinyKernel.of(used.formatted("b6x16_p32")).on(TARGET, VERSION).finding(32, 128);
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALIZED_READ);
    }
}
