package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
