package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PTX ISA 9.7.17: alloca, stacksave, stackrestore")
final class DynamicStackTest {

    @Test
    @DisplayName("each lane takes as much as it asks for, in a function that calls another")
    void everyLaneHasItsOwn() {
        String functions =
                """
                .func (.reg .b64 r) inner(.reg .b64 n)
                { .reg .b64 p; alloca.u64 p, n; st.local.u64 [p], n; ld.local.u64 r, [p]; ret; }
                .func (.reg .b64 r) outer(.reg .b64 n)
                { .reg .b64 p, q, s, t; .reg .b64 m;
                  add.u64 m, n, 8;
                  alloca.u64 p, m;
                  alloca.u64 q, m, 64;
                  st.local.u64 [p], n;
                  add.u64 t, p, n;
                  st.local.u64 [q], m;
                  call (s), inner, (m);
                  ld.local.u64 r, [p];
                  ld.local.u64 t, [q];
                  mad.lo.u64 r, r, 1000, t;
                  mad.lo.u64 r, r, 1000, s;
                  and.b64 t, q, 63;
                  mad.lo.u64 r, r, 100, t;
                  ret; }
                """;
        long[] result =
                TinyKernel.of(
                                functions,
                                """
                                mul.wide.u32 %rd2, %r1, 8;
                                add.u64 %rd3, %rd1, %rd2;
                                call (%rd4), outer, (%rd2);
                                st.global.u64 [%rd3], %rd4;
                                """)
                        .run(32, new long[32]);
        long[] expected = new long[32];
        for (int lane = 0; lane < 32; lane++) {
            long n = 8L * lane;
            expected[lane] = ((n * 1000 + n + 8) * 1000 + n + 8) * 100;
        }
        assertThat(result).containsExactly(expected);
    }

    @Test
    @DisplayName("stackrestore goes back, also to a pointer that alloca gave")
    void restores() {
        int[] result =
                TinyKernel.of(
                                """
                                stacksave.u32 %r2;
                                alloca.u32 %r3, 24;
                                stacksave.u32 %r4;
                                alloca.u32 %r5, 8;
                                stackrestore.u32 %r4;
                                alloca.u32 %r6, 8;
                                stackrestore.u32 %r3;
                                alloca.u32 %r7, 8;
                                stackrestore.u32 %r2;
                                alloca.u32 %r8, 8;
                                sub.u32 %r4, %r4, %r3;
                                sub.u32 %r6, %r6, %r5;
                                sub.u32 %r7, %r7, %r5;
                                sub.u32 %r8, %r8, %r3;
                                st.global.v4.b32 [%rd1], {%r4, %r6, %r7, %r8};
                                """)
                        .run(1, 9, 9, 9, 9);
        assertThat(result).containsExactly(0, 0, 0, 0);
    }

    @Test
    void whatIsFreedCountsAsUnwritten() {
        assertThat(
                        TinyKernel.of(
                                        """
                                        stacksave.u64 %rd2;
                                        alloca.u64 %rd3, 8;
                                        st.local.u64 [%rd3], %rd1;
                                        stackrestore.u64 %rd2;
                                        ld.local.u64 %rd4, [%rd3]; st.global.u64 [%rd1], %rd4;
                                        """)
                                .finding(1, 8)
                                .rule())
                .isEqualTo(Rule.UNINITIALIZED_READ);
    }

    @Test
    void aPointerThatNobodySaved() {
        assertThat(TinyKernel.of("stackrestore.u64 7;").finding(1, 8).rule())
                .isEqualTo(Rule.STACKRESTORE_OF_UNSAVED_POINTER);
    }

    @Test
    void tooMuch() {
        assertThat(
                        TinyKernel.of("AGAIN: alloca.u64 %rd2, 1000; bra AGAIN;")
                                .finding(32, 8)
                                .verdict())
                .isEqualTo(Verdict.RESOURCE_EXHAUSTED);
        assertThat(TinyKernel.of("alloca.u64 %rd2, -8;").finding(1, 8).verdict())
                .isEqualTo(Verdict.RESOURCE_EXHAUSTED);
    }
}
