package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("PTX ISA 6.4.1: addresses of 32 bits, and the windows of the spaces")
final class AddressSpacesTest {
    private static final String VARIABLES =
            """
            .global .align 4 .b32 g[4] = {7, 8, 9, 10};
            .const .align 4 .b32 c[4] = {70, 80, 90, 100};
            .const .align 4 .b32 e[2] = {110, 120};
            .global .align 8 .u64 plain = e;
            .global .align 8 .u64 generic = generic(e);
            .global .align 8 .u64 elsewhere = g;
            """;

    @Test
    @DisplayName("PTX ISA 9.7.9.3: mov.u32 of a variable in const, shared or local memory")
    void wordsHoldAddresses() {
        int[] result =
                TinyKernel.of(
                                VARIABLES,
                                """
                                mov.u32 %r2, c;
                                ld.const.u32 %r3, [%r2+12];
                                ld.const.u32 %r4, [%r2+4];
                                mov.u32 %r5, tile;
                                st.shared.u32 [%r5+8], %r3;
                                ld.shared.u32 %r6, [tile+8];
                                mov.u32 %r7, depot;
                                st.local.u32 [%r7+16], %r4;
                                ld.local.u32 %r8, [depot+16];
                                st.global.v4.u32 [%rd1], {%r3, %r4, %r6, %r8};
                                """)
                        .run(1, 0, 0, 0, 0);
        assertThat(result).containsExactly(100, 80, 100, 80);
    }

    @Test
    @DisplayName("an address in a 32-bit register wraps at 2^32, its offset included")
    void wordsWrap() {
        int[] result =
                TinyKernel.of(
                                VARIABLES,
                                """
                                mov.u32 %r2, 0xfffffffc;
                                mov.u32 %r9, 5;
                                st.shared.u32 [tile], %r9;
                                st.local.u32 [depot], %r9;
                                ld.const.u32 %r3, [%r2+8];
                                ld.shared.u32 %r4, [%r2+4];
                                st.shared.u32 [%r2+12], %r1;
                                ld.shared.u32 %r5, [tile+8];
                                ld.local.u32 %r6, [%r2+4];
                                ld.param.u32 %r7, [%r2+4];
                                cvt.u32.u64 %r8, %rd1;
                                sub.u32 %r7, %r7, %r8;
                                st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r6};
                                st.global.u32 [%rd1+16], %r7;
                                """)
                        .run(1, 1, 1, 1, 1, 1);
        assertThat(result).containsExactly(80, 5, 0, 5, 0);
    }

    @ParameterizedTest
    @CsvSource({"shared, tile", "local, depot"})
    @DisplayName("a generic address is none of global memory, where it is in another space")
    void aGlobalAccessByAnotherWindow(String space, String variable) {
        String lines =
                """
                mov.u64 %rd2, VARIABLE;
                cvta.SPACE.u64 %rd2, %rd2;
                ld.global.u32 %r4, [%rd2];
                """
                        .replace("VARIABLE", variable)
                        .replace("SPACE", space);
        assertThat(TinyKernel.of(lines).finding(1, 8).message())
                .contains("in no buffer: a generic address of " + space + " memory");
    }

    @Test
    @DisplayName("the same in a 64-bit register does not wrap")
    void longsDoNot() {
        assertThat(
                        TinyKernel.of("mov.u64 %rd2, 0xfffffffc;\nld.shared.u32 %r4, [%rd2+4];")
                                .finding(1, 8)
                                .rule())
                .isEqualTo(Rule.OUT_OF_BOUNDS);
        assertThat(
                        TinyKernel.of(VARIABLES, "mov.u32 %r2, c;\nld.const.u32 %r4, [%r2+16];")
                                .finding(1, 8)
                                .message())
                .contains("in no variable: right behind the end of c (16 bytes at 0x0)");
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.19, 9.7.9.20, 5.4.4: cvta, isspacep and initializers of constants")
    void theConstantWindow() {
        int[] result =
                TinyKernel.of(
                                VARIABLES,
                                """
                                cvta.const.u64 %rd2, e;
                                ld.u32 %r2, [%rd2];
                                cvta.to.const.u64 %rd3, %rd2;
                                ld.const.u32 %r3, [%rd3+4];
                                ld.global.u64 %rd4, [plain];
                                ld.const.u32 %r4, [%rd4];
                                ld.global.u64 %rd5, [generic];
                                ld.u32 %r5, [%rd5+4];
                                ld.global.u64 %rd6, [elsewhere];
                                ld.global.u32 %r6, [%rd6+4];
                                isspacep.const %p1, %rd2;
                                isspacep.global %p2, %rd2;
                                cvta.global.u64 %rd6, %rd6;
                                isspacep.const %p3, %rd6;
                                isspacep.global %p4, %rd6;
                                selp.b32 %r7, 1, 0, %p1;
                                selp.b32 %r8, 1, 0, %p2;
                                selp.b32 %r9, 1, 0, %p3;
                                selp.b32 %r10, 1, 0, %p4;
                                st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};
                                st.global.v4.u32 [%rd1+16], {%r6, %r7, %r8, %r9};
                                st.global.u32 [%rd1+32], %r10;
                                """)
                        .run(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(result).containsExactly(110, 120, 110, 120, 8, 1, 0, 0, 1);
    }

    @Test
    @DisplayName("PTX ISA 5.4.4: a negative single in 64 bits has zeros above it (ptxas 13.0)")
    void singlesInLongs() {
        int[] result =
                TinyKernel.of(
                                ".global .b64 single = 0fBF800000;",
                                """
                                ld.global.v2.b32 {%r2, %r3}, [single];
                                st.global.v2.b32 [%rd1], {%r2, %r3};
                                """)
                        .run(1, 1, 1);
        assertThat(result).containsExactly(0xbf80_0000, 0);
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.3: mov.u32 of a function's name, called through it")
    void wordsNameFunctions() {
        String functions =
                """
                .func (.reg .b32 r) one(.reg .b32 a) { add.u32 r, a, 1; ret; }
                .func (.reg .b32 r) two(.reg .b32 a) { add.u32 r, a, 2; ret; }
                """;
        int[] result =
                TinyKernel.of(
                                functions,
                                """
                                P: .callprototype (.reg .b32 _) _ (.reg .b32 _);
                                mov.u32 %r2, two;
                                mov.u64 %rd2, one;
                                mov.u32 %r3, 40;
                                call (%r4), %r2, (%r3), P;
                                call (%r5), %rd2, (%r3), P;
                                st.global.v2.u32 [%rd1], {%r4, %r5};
                                """)
                        .run(1, 0, 0);
        assertThat(result).containsExactly(42, 41);
        assertThat(
                        TinyKernel.of(
                                        functions,
                                        """
                                        P: .callprototype (.reg .b32 _) _ (.reg .b32 _);
                                        mov.u64 %rd2, 0;
                                        call (%r4), %rd2, (%r1), P;
                                        """)
                                .finding(1, 8)
                                .rule())
                .isEqualTo(Rule.CALL_OF_NO_FUNCTION);
    }
}
