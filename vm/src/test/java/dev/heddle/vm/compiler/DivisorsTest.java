package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Outcome;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Division of integers in machine code with checks, beside the interpreter: by warps, and by whole
/// CTAs.
@DisplayName("Machine code looks for zero divisors as the interpreter does")
final class DivisorsTest {
    private static final int CTAS = 2;
    private static final int THREADS = 64;

    /// Lane 0 has a zero in %r20 and %rd6, lanes from 20 on in %r21; %r22 and %rd7 are nowhere
    /// zero, %rd7 in its lower half.
    private static final String VALUES =
            """
            mul.wide.u32 %rd3, %r6, 4;
            add.u64 %rd4, %rd2, %rd3;
            mov.u32 %r20, %r3;
            selp.u32 %r21, 3, 0, %p1;
            add.u32 %r22, %r3, 1;
            cvt.u64.u32 %rd6, %r20;
            cvt.u64.u32 %rd7, %r22;
            shl.b64 %rd7, %rd7, 32;
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | div.u32 %r10, %r10, %r22;",
                "0 | rem.s32 %r10, %r10, 7;",
                "0 | div.s64 %rd8, %rd12, %rd7; cvt.u32.u64 %r10, %rd8;",
                "0 | @%p1 rem.u32 %r10, %r10, %r21;",
                "0 | @!%p1 div.u64 %rd12, %rd12, %rd6; cvt.u32.u64 %r10, %rd12;",
                "0 | @!%p1 bra E; div.s32 %r10, %r10, %r21; E:",
                // Nobody uses what comes out.
                "0 | rem.u32 %r23, %r10, %r20;",
                "1 | div.u32 %r10, %r10, %r20;",
                "1 | rem.s32 %r10, %r10, %r21;",
                "1 | rem.u64 %rd8, %rd12, %rd6; cvt.u32.u64 %r10, %rd8;",
                "1 | @!%p1 rem.u32 %r10, %r10, %r21;",
                "1 | @%p1 div.s64 %rd12, %rd12, %rd6; cvt.u32.u64 %r10, %rd12;",
                "1 | @%p1 bra E; div.s32 %r10, %r10, %r21; E:",
                "1 | mov.u32 %r24, 0; L: add.u32 %r24, %r24, 1; sub.u32 %r25, 9, %r24;"
                        + " rem.u32 %r10, %r10, %r25; setp.lt.u32 %p5, %r24, 20; @%p5 bra L;",
            })
    void divide(int findings, String body) {
        String module = CheckedWarps.module(VALUES, body + " st.global.b32 [%rd4], %r10;");
        assertThat(agree(module).findings()).hasSize(findings);
        String vote = "vote.sync.any.pred %p4, %p1, 0xffffffff;";
        assertThat(module).contains(vote);
        assertThat(agree(module.replace(vote, "")).findings()).hasSize(findings);
    }

    private static Outcome agree(String module) {
        return CheckedWarps.agree(module, CTAS, THREADS);
    }
}
