package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PTX ISA 5.2.1: values of 128 bits")
final class WideValuesTest {
    private static final long A = 0x0123_4567_89ab_cdefL;
    private static final long B = 0xfedc_ba98_7654_3210L;

    @Test
    @DisplayName(
            "PTX ISA 9.7.9.4: mov.b128 packs and unpacks two or four elements, the first lowest")
    void movesPackAndUnpack() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.v2.b64 {%rd2, %rd3}, [%rd1];
                                        mov.b128 %q1, {%rd2, %rd3};
                                        mov.b128 %q2, %q1;
                                        mov.b128 {%r2, %r3, %r4, %r5}, %q2;
                                        mov.b128 %q3, {%r5, %r4, %r3, %r2};
                                        mov.b128 {%rd4, %rd5}, %q3;
                                        st.global.v2.b64 [%rd1+16], {%rd4, %rd5};
                                        mov.b128 %q4, 5;
                                        mov.b128 {%rd4, %rd5}, %q4;
                                        st.global.v2.b64 [%rd1+32], {%rd5, %rd4};
                                        """)
                                .run(1, A, B, 0, 0, 1, 1))
                // Words in reverse order: each half is the other's words exchanged.
                .containsExactly(A, B, Long.rotateLeft(B, 32), Long.rotateLeft(A, 32), 0, 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".volatile", ".relaxed.gpu"})
    @DisplayName("PTX ISA 9.7.9.8, 9.7.9.11: ld and st of .b128, under guards too")
    void loadsAndStores(String order) {
        String order2 = order.isEmpty() ? ".weak" : order;
        assertThat(
                        TinyKernel.of(
                                        """
                                        mul.wide.u32 %%rd2, %%r1, 16;
                                        add.u64 %%rd2, %%rd1, %%rd2;
                                        ld%1$s.global.b128 %%q1, [%%rd2];
                                        setp.eq.u32 %%p1, %%r1, 0;
                                        @!%%p1 ld%2$s.b128 %%q1, [%%rd1+32];
                                        st%1$s.shared.b128 [tile], %%q1;
                                        ld%1$s.shared.b128 %%q2, [tile];
                                        st%2$s.global.b128 [%%rd2], %%q2;
                                        """
                                                .formatted(order, order2))
                                .run(1, A, B, 3, 4, 5, 6))
                .containsExactly(A, B, 3, 4, 5, 6);
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.8: a .b128 access is aligned to 16 bytes")
    void misaligned() {
        assertThat(TinyKernel.of("ld.global.b128 %q1, [%rd1+8];").finding(1, 64).rule())
                .isEqualTo(Rule.MISALIGNED_ACCESS);
    }

    @Test
    @DisplayName("PTX ISA 9.7.13.5: exch.b128 gives the old value; cas.b128 compares all 128 bits")
    void atomics() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.global.b128 %q1, [%rd1+16];
                                        atom.global.exch.b128 %q2, [%rd1], %q1;
                                        st.global.b128 [%rd1+32], %q2;
                                        // Only the high half differs: nothing is stored.
                                        mov.b64 %rd2, 30;
                                        mov.b64 %rd3, 41;
                                        mov.b128 %q3, {%rd2, %rd3};
                                        atom.global.cas.b128 %q4, [%rd1], %q3, %q2;
                                        st.global.b128 [%rd1+48], %q4;
                                        atom.global.cas.b128 %q5, [%rd1], %q1, %q2;
                                        st.global.b128 [%rd1+64], %q5;
                                        """)
                                .run(1, 10L, 20, 30, 40, 0, 0, 0, 0, 0, 0))
                .containsExactly(10, 20, 30, 40, 10, 20, 30, 40, 30, 40);
    }

    @Test
    @DisplayName(
            "PTX ISA 9.7.13.5: a counter of 128 bits, raised by cas from every lane of two warps")
    void everyLaneRaisesACounter() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        ld.relaxed.gpu.global.b128 %q1, [%rd1];
                                        AGAIN:
                                        mov.b128 {%rd2, %rd3}, %q1;
                                        add.cc.u64 %rd2, %rd2, 1;
                                        addc.u64 %rd3, %rd3, 0;
                                        mov.b128 %q2, {%rd2, %rd3};
                                        atom.global.cas.b128 %q3, [%rd1], %q1, %q2;
                                        mov.b128 {%rd4, %rd5}, %q3;
                                        mov.b128 {%rd6, %rd7}, %q1;
                                        xor.b64 %rd4, %rd4, %rd6;
                                        xor.b64 %rd5, %rd5, %rd7;
                                        or.b64 %rd4, %rd4, %rd5;
                                        mov.b128 %q1, %q3;
                                        setp.ne.u64 %p1, %rd4, 0;
                                        @%p1 bra AGAIN;
                                        """)
                                .run(64, -10L, 7))
                .containsExactly(54, 8);
    }

    @Test
    @DisplayName("PTX ISA 7.1: 128-bit arguments and results, in registers and in parameters")
    void calls() {
        String functions =
                """
                .func (.reg .b128 r) f(.reg .b32 n, .reg .b128 a)
                { .reg .b64 l, h; mov.b128 {l, h}, a; mov.b128 r, {h, l}; ret; }
                .func (.param .b128 r) g(.param .b128 a)
                { .reg .b128 q; ld.param.b128 q, [a]; st.param.b128 [r], q; ret; }
                """;
        assertThat(
                        TinyKernel.of(
                                        functions,
                                        """
                                        ld.global.b128 %q1, [%rd1];
                                        mov.u32 %r2, 0;
                                        call (%q2), f, (%r2, %q1);
                                        st.global.b128 [%rd1+16], %q2;
                                        call (%q3), g, (%q2);
                                        st.global.b128 [%rd1+32], %q3;
                                        """)
                                .run(1, A, B, 0, 0, 0, 0))
                .containsExactly(A, B, B, A, B, A);
    }

    @Test
    @DisplayName("PTX ISA 7.1: results in registers reach the caller")
    void resultsInRegisters() {
        String function =
                """
                .func (.reg .b32 r, .reg .f32 s, .reg .b64 w) f(.reg .b32 a)
                { .reg .b32 t; add.u32 t, a, 5; mul.lo.u32 r, t, 3; cvt.rn.f32.u32 s, r;
                  mul.wide.u32 w, t, 7; ret; }
                """;
        assertThat(
                        TinyKernel.of(
                                        function,
                                        """
                                        call (%r2, %f2, %rd2), f, (%r1);
                                        st.global.b32 [%rd1], %r2;
                                        st.global.f32 [%rd1+4], %f2;
                                        st.global.b64 [%rd1+8], %rd2;
                                        """)
                                .run(1, 0, 0, 0, 0))
                .containsExactly(15, Float.floatToRawIntBits(15), 35, 0);
    }

    @Test
    @DisplayName("a half of a 128-bit register that was not written is found")
    void unwritten() {
        assertThat(TinyKernel.of("st.global.b128 [%rd1], %q1;").finding(1, 16).rule())
                .isEqualTo(Rule.UNINITIALIZED_REGISTER);
    }
}
