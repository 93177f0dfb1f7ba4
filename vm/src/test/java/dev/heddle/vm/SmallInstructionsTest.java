package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;

@DisplayName("instructions that compilers seldom emit")
final class SmallInstructionsTest {

    /// The manual's loop over bits.
    private static int packed(int a, int b, int c, boolean signed, int size) {
        long least = signed ? -(1L << size - 1) : 0;
        long most = signed ? (1L << size - 1) - 1 : (1L << size) - 1;
        long high = Math.clamp(a, least, most);
        long low = Math.clamp(b, least, most);
        int word = 0;
        for (int i = 0; i < 32; i++) {
            long bit =
                    i < size
                            ? low >> i
                            : i < 2 * size ? high >> i - size : (long) c >> i - 2 * size;
            word |= (int) (bit & 1) << i;
        }
        return word;
    }

    @ParameterizedTest
    @CsvSource({"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"})
    @DisplayName("PTX ISA 9.7.9.22: cvt.pack")
    void packs(String type) {
        int size = Integer.parseInt(type.substring(1));
        boolean whole = size == 16;
        SplittableRandom random = new SplittableRandom(type.hashCode());
        int[] words = new int[96];
        int[] expected = new int[96];
        for (int i = 0; i < 32; i++) {
            int shift = random.nextInt(32);
            words[i] = random.nextInt() >> shift;
            words[32 + i] = random.nextInt() >> random.nextInt(32);
            words[64 + i] = random.nextInt();
            System.arraycopy(words, 32, expected, 32, 64);
            expected[i] =
                    packed(words[i], words[32 + i], words[64 + i], type.charAt(0) == 's', size);
        }
        System.arraycopy(words, 32, expected, 32, 64);
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 4;
                add.u64 %%rd2, %%rd1, %%rd2;
                ld.global.s32 %%r2, [%%rd2];
                ld.global.s32 %%r3, [%%rd2+128];
                ld.global.b32 %%r4, [%%rd2+256];
                cvt.pack.sat.%s.s32%s;
                st.global.b32 [%%rd2], %%r5;
                """
                        .formatted(type, whole ? " %r5, %r2, %r3" : ".b32 %r5, %r2, %r3, %r4");
        assertThat(TinyKernel.of(body).run(32, words)).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "00000005, 00000003, 1 9 10 10 7 9 1 9",
        "00000003, 00000005, 0 9 9 10 6 9 0 9",
        "00000004, 00000004, 1 9 10 10 7 9 1 9",
        "ffffffff, 00000001, 1 10 10 11 7 10 1 10",
        "00000000, 00000000, 1 9 10 10 7 9 1 9",
        "80000000, 80000000, 1 10 10 11 7 10 1 10"
    })
    @DisplayName("PTX ISA 9.7.2: sums and differences share CC.CF as an H100 recorded it")
    void sumsAndDifferencesShareTheFlag(String a, String b, String recorded) {
        int[] words = new int[8];
        words[0] = Integer.parseUnsignedInt(a, 16);
        words[1] = Integer.parseUnsignedInt(b, 16);
        String body =
                """
                ld.global.v2.b32 {%r2, %r3}, [%rd1];
                mov.b64 %rd2, {%r2, 0}; mov.b64 %rd3, {%r3, 0};
                mov.b64 %rd4, {0, %r2}; mov.b64 %rd5, {0, %r3};
                sub.cc.u32 %r4, %r2, %r3; addc.u32 %r5, 0, 0;
                add.cc.u32 %r4, %r2, %r3; subc.u32 %r6, 10, 0;
                st.global.v2.b32 [%rd1], {%r5, %r6};
                sub.cc.u32 %r4, %r2, %r3; subc.u32 %r5, 10, 0;
                add.cc.u32 %r4, %r2, %r3; addc.u32 %r6, 10, 0;
                st.global.v2.b32 [%rd1+8], {%r5, %r6};
                sub.cc.u32 %r4, %r2, %r3; madc.lo.u32 %r5, 2, 3, 0;
                mad.lo.cc.u32 %r4, %r2, 1, %r3; subc.u32 %r6, 10, 0;
                st.global.v2.b32 [%rd1+16], {%r5, %r6};
                sub.cc.u64 %rd6, %rd2, %rd3; addc.u64 %rd7, 0, 0;
                add.cc.u64 %rd6, %rd4, %rd5; subc.u64 %rd8, 10, 0;
                cvt.u32.u64 %r5, %rd7; cvt.u32.u64 %r6, %rd8;
                st.global.v2.b32 [%rd1+24], {%r5, %r6};
                """;
        int[] expected = Arrays.stream(recorded.split(" ")).mapToInt(Integer::parseInt).toArray();
        assertThat(TinyKernel.of(body).run(1, words)).containsExactly(expected);
    }

    @Test
    @DisplayName("PTX ISA 9.7.2: numbers of 128 bits, by words and by longs")
    void numbersOfManyWords() {
        SplittableRandom random = new SplittableRandom(20261123);
        int[] words = new int[32 * 8];
        int[] expected = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            int corner = random.nextInt(4);
            words[i] = corner == 0 ? -1 : corner == 1 ? 0 : random.nextInt();
        }
        for (int lane = 0; lane < 32; lane++) {
            BigInteger a = number(words, 8 * lane);
            BigInteger b = number(words, 8 * lane + 4);
            for (int i = 0; i < 4; i++) {
                expected[8 * lane + i] = a.add(b).shiftRight(32 * i).intValue();
                expected[8 * lane + 4 + i] = a.subtract(b).shiftRight(32 * i).intValue();
            }
        }
        String body =
                """
                mul.wide.u32 %rd2, %r1, 32; add.u64 %rd1, %rd1, %rd2;
                ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd1];
                ld.global.v4.b32 {%r6, %r7, %r8, %r9}, [%rd1+16];
                mov.b64 %rd3, {%r2, %r3}; mov.b64 %rd4, {%r4, %r5};
                mov.b64 %rd5, {%r6, %r7}; mov.b64 %rd6, {%r8, %r9};
                add.cc.u32 %r2, %r2, %r6; addc.cc.u32 %r3, %r3, %r7;
                addc.cc.u32 %r4, %r4, %r8; addc.u32 %r5, %r5, %r9;
                sub.cc.u64 %rd3, %rd3, %rd5; subc.u64 %rd4, %rd4, %rd6;
                st.global.v4.b32 [%rd1], {%r2, %r3, %r4, %r5};
                st.global.v2.b64 [%rd1+16], {%rd3, %rd4};
                """;
        assertThat(TinyKernel.of(body).run(32, words)).containsExactly(expected);
    }

    private static BigInteger number(int[] words, int from) {
        BigInteger number = BigInteger.ZERO;
        for (int i = 3; i >= 0; i--) {
            number = number.shiftLeft(32).or(BigInteger.valueOf(words[from + i] & 0xffff_ffffL));
        }
        return number;
    }

    @Test
    @DisplayName("PTX ISA 5.4.2, 6.4.3: a vector register stands for its components")
    void vectorRegistersAreTheirComponents() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        .func (.reg .v2 .u32 sums, .reg .pred equal) both(
                                            .reg .v2 .u32 in) {
                                            .reg .u32 sum;
                                            add.u32 sum, in.x, in.g;
                                            mov.u32 sums.y, sum;
                                            add.u32 sums.r, sum, 1;
                                            setp.eq.u32 equal, in.r, in.y;
                                            ret;
                                        }
                                        """,
                                        """
                                        .reg .v2 .u32 two; .reg .v4 .u32 four;
                                        ld.global.v4.u32 four, [%rd1];
                                        mov.u32 two.x, four.w;
                                        mov.u32 two.y, four.x;
                                        call (two, %p1), both, (two);
                                        mov.b64 %rd2, two;
                                        mov.v4.u32 {%r2, %r3, %r4, %r5}, four;
                                        mov.v4.u32 four, {%r5, %r4, %r3, %r2};
                                        selp.u32 four.b, 1, 0, %p1;
                                        st.global.v4.u32 [%rd1], four;
                                        st.global.b64 [%rd1+16], %rd2;
                                        st.global.v2.u32 [%rd1+24], two;
                                        """)
                                .run(1, 1, 2, 3, 4, 0, 0, 0, 0))
                .containsExactly(4, 3, 0, 1, 6, 5, 6, 5);
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.3: mov.v2 reads all elements before it writes one")
    void vectorsAreMovedAtOnce() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd1];
                                        mov.v2.b32 {%r2, %r3}, {%r3, %r2};
                                        mov.v4.b32 {%r2, %r3, %r4, %r5}, {%r5, %r2, %r3, %r4};
                                        st.global.v4.b32 [%rd1], {%r2, %r3, %r4, %r5};
                                        """)
                                .run(1, 1, 2, 3, 4))
                .containsExactly(4, 2, 1, 3);
    }

    @Test
    @DisplayName("PTX ISA 9.7.7.2: setp.f16x2 with one destination compares the low halves")
    void packedComparisonWithOneDestination() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.v2.b32 {%r2, %r3}, [%rd1];
                                        setp.lt.f16x2 %p1, %r2, %r3;
                                        setp.gt.f16x2 %p2, %r2, %r3;
                                        selp.b32 %r4, 1, 0, %p1;
                                        selp.b32 %r5, 1, 0, %p2;
                                        st.global.v2.b32 [%rd1], {%r4, %r5};
                                        """)
                                .run(1, 0x4000_3c00, 0x3c00_4000))
                .containsExactly(1, 0);
    }

    @Test
    @DisplayName("PTX ISA 9.7.13.15.13: arrive_drop.expect_tx expects bytes, arrives and leaves")
    void dropsWithTransactions() {
        // Two are expected. One arrives, the other leaves and expects 16 bytes: the phase ends with
        // them. From then on one arrival is enough.
        assertThat(
                        TinyKernel.of(
                                        """
                                        mbarrier.init.shared.b64 [tile], 2;
                                        mbarrier.arrive_drop.expect_tx.shared.b64 %rd2, [tile], 16;
                                        mbarrier.arrive.shared.b64 %rd3, [tile];
                                        mbarrier.test_wait.shared.b64 %p1, [tile], %rd3;
                                        mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64
                                            [tile], 16;
                                        mbarrier.test_wait.shared.b64 %p2, [tile], %rd3;
                                        mbarrier.arrive.shared.b64 %rd4, [tile];
                                        mbarrier.test_wait.shared.b64 %p3, [tile], %rd4;
                                        mbarrier.pending_count.b64 %r2, %rd2;
                                        mbarrier.pending_count.b64 %r3, %rd3;
                                        mbarrier.pending_count.b64 %r4, %rd4;
                                        selp.b32 %r5, 1, 0, %p1;
                                        selp.b32 %r6, 1, 0, %p2;
                                        selp.b32 %r7, 1, 0, %p3;
                                        st.global.v2.b32 [%rd1], {%r2, %r3};
                                        st.global.v4.b32 [%rd1+16], {%r4, %r5, %r6, %r7};
                                        """)
                                .run(1, 0, 0, 0, 0, 0, 0, 0, 0))
                .containsExactly(2, 1, 0, 0, 1, 0, 1, 1);
    }

    @Test
    @DisplayName("PTX ISA 9.7.1.13, 9.7.1.14: .relu of s16x2 is of each half")
    void rectifiesHalves() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd1];
                                        min.relu.s16x2 %r2, %r2, %r3;
                                        max.relu.s16x2 %r4, %r4, %r5;
                                        st.global.v2.b32 [%rd1], {%r2, %r4};
                                        """)
                                .run(1, 0xffff_0bdf, 0x884e_5e4a, 0x7f80_ff80, 0xc0a2_848e))
                .containsExactly(0x0000_0bdf, 0x7f80_0000, 0x7f80_ff80, 0xc0a2_848e);
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.21: .sat of an integral f16 is 0 to 1, of a NaN 0")
    void saturatesIntegralHalves() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.v4.b16 {%h1, %h2, %h3, %h4}, [%rd1];
                                        cvt.rni.sat.f16.f16 %h1, %h1;
                                        cvt.rzi.sat.f16.f16 %h2, %h2;
                                        cvt.rmi.sat.f16.f16 %h3, %h3;
                                        cvt.rpi.sat.f16.f16 %h4, %h4;
                                        st.global.v4.b16 [%rd1], {%h1, %h2, %h3, %h4};
                                        """)
                                .run(1, 0xe414_5b3b, 0x3800_ffff))
                .containsExactly(0x0000_3c00, 0x3c00_0000);
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.21: an f64 NaN as an integer is its most significant bit alone")
    void notANumberAsAnInteger() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.f64 %fd1, [%rd1];
                                        cvt.rni.s16.f64 %h1, %fd1;
                                        cvt.rzi.u16.f64 %h2, %fd1;
                                        cvt.rmi.s8.f64 %h3, %fd1;
                                        cvt.rpi.u8.f64 %h4, %fd1;
                                        st.global.v4.b16 [%rd1], {%h1, %h2, %h3, %h4};
                                        """)
                                .run(1, 0, 0x7ff8_0000))
                .containsExactly(0x8000_8000, 0x0080_ff80);
    }

    @Test
    @DisplayName(
            "bits of NaNs that the manual leaves open, as an H200 (driver 580.159.04) has them")
    void notANumberAsAnother() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.v2.b16 {%h1, %h2}, [%rd1];
                                        cvt.f64.f16 %fd1, %h1;
                                        cvt.f64.bf16 %fd2, %h2;
                                        cvt.f32.bf16 %f1, %h2;
                                        ld.global.f64 %fd3, [%rd1+8];
                                        cvt.rn.bf16.f64 %h3, %fd3;
                                        cvt.rni.f64.f64 %fd3, %fd3;
                                        ld.global.f32 %f2, [%rd1+16];
                                        cvt.rn.tf32.f32 %r2, %f2;
                                        cvt.rna.satfinite.tf32.f32 %r3, %f2;
                                        st.global.v2.f64 [%rd1], {%fd1, %fd2};
                                        st.global.f64 [%rd1+16], %fd3;
                                        st.global.f32 [%rd1+24], %f1;
                                        cvt.u32.u16 %r4, %h3;
                                        st.global.b32 [%rd1+28], %r4;
                                        st.global.v2.b32 [%rd1+32], {%r2, %r3};
                                        """)
                                .run(1, 0xff8f_ffa3, 0, 1, 0x7ff0_0000, 0xff81_2345, 0, 0, 0, 0, 0))
                .containsExactly(
                        0,
                        0xfffe_8c00,
                        0,
                        0xfff9_e000,
                        1,
                        0x7ff8_0000,
                        0xff8f_0000,
                        0x7fc0,
                        0x7fff_e000,
                        0xff81_0000);
    }
}
