package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

/// Loops that look stuck from their registers alone, and get on through memory.
@DisplayName("what is no deadlock")
final class SpinningTest {
    private static TinyKernel counter(String space, int rounds) {
        return TinyKernel.of(
                ".shared .align 16 .b8 more[260];",
                """
                mul.wide.u32 %%rd2, %%r1, 4;
                mov.u64 %%rd4, %1$s;
                add.u64 %%rd3, %%rd4, %%rd2;
                mov.u32 %%r3, 0;
                st.%2$s.u32 [%%rd3], %%r3;
                st.volatile.%2$s.u32 [%%rd4+256], %%r3;
                mov.u32 %%r4, %3$d;
                LOOP:
                ld.%2$s.u32 %%r2, [%%rd3];
                add.u32 %%r2, %%r2, 1;
                st.%2$s.u32 [%%rd3], %%r2;
                setp.eq.u32 %%p1, %%r2, %%r4;
                ld.volatile.%2$s.u32 %%r2, [%%rd4+256];
                @!%%p1 bra LOOP;
                ld.%2$s.u32 %%r2, [%%rd3];
                mul.wide.u32 %%rd2, %%r1, 4;
                add.u64 %%rd3, %%rd1, %%rd2;
                st.global.u32 [%%rd3], %%r2;
                """
                        .formatted(space.equals("shared") ? "more" : "%rd1", space, rounds));
    }

    private static int[] expected(int rounds) {
        int[] expected = new int[65];
        Arrays.fill(expected, 0, 64, rounds);
        return expected;
    }

    @ParameterizedTest
    @ValueSource(strings = {"global", "shared"})
    @DisplayName("a count in weak memory, with constants in registers where warps change")
    void aCountInMemory(String space) {
        assertThat(counter(space, 1000).run(64, new int[65])).containsExactly(expected(1000));
        // Beyond what the compiler does lane by lane at first.
        int[] counted = counter(space, 50_000).runUnchecked(Machine.compiler(), 64, new int[65]);
        assertThat(counted).containsExactly(expected(50_000));
    }

    @Test
    @DisplayName("two warps hand a word in global memory to each other, with fences")
    void pingPong() {
        int rounds = 3000;
        // Each warp waits for an even or an odd number in its lane's word and makes it the next.
        int[] result =
                TinyKernel.of(
                                """
                                and.b32 %%r2, %%r1, 31;
                                shr.u32 %%r3, %%r1, 5;
                                mul.wide.u32 %%rd2, %%r2, 4;
                                add.u64 %%rd2, %%rd1, %%rd2;
                                WAIT:
                                ld.volatile.global.u32 %%r4, [%%rd2];
                                and.b32 %%r5, %%r4, 1;
                                setp.ne.u32 %%p1, %%r5, %%r3;
                                @%%p1 bra WAIT;
                                membar.gl;
                                add.u32 %%r4, %%r4, 1;
                                st.volatile.global.u32 [%%rd2], %%r4;
                                membar.gl;
                                setp.lt.u32 %%p2, %%r4, %d;
                                @%%p2 bra WAIT;
                                """
                                        .formatted(rounds))
                        .run(64, new int[32]);
        int[] expected = new int[32];
        // The warp that makes it `rounds` leaves; the other sees that number and adds one.
        Arrays.fill(expected, rounds + 1);
        assertThat(result).containsExactly(expected);
    }

    /// All threads arrive at an mbarrier that awaits one more, and wait for it.
    ///
    /// @param between what a thread does before it asks again, from the clock in `%rd4`
    private static TinyKernel waiting(String between) {
        return TinyKernel.of(
                """
                .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c,
                    .param .b64 d, .param .b64 e);
                """,
                """
                mov.u32 %%r2, tile;
                setp.eq.u32 %%p1, %%r1, 0;
                @%%p1 mbarrier.init.shared.b64 [%%r2], 65;
                bar.sync 0;
                mbarrier.arrive.shared.b64 %%rd2, [%%r2];
                mov.u64 %%rd3, %%clock64;
                WAIT:
                mov.u64 %%rd4, %%clock64;
                sub.u64 %%rd4, %%rd4, %%rd3;
                %s
                mbarrier.test_wait.shared.b64 %%p2, [%%r2], %%rd2;
                @!%%p2 bra WAIT;
                DONE:
                mul.wide.u32 %%rd2, %%r1, 4;
                add.u64 %%rd3, %%rd1, %%rd2;
                st.global.u32 [%%rd3], %%r1;
                """
                        .formatted(between));
    }

    @Test
    @DisplayName("a wait that reads the clock to know how long to sleep, and never ends")
    void sleepsByTheClock() {
        Finding finding =
                waiting(
                                """
                                setp.lt.u64 %p3, %rd4, 40000;
                                @%p3 bra AGAIN;
                                shr.u64 %rd5, %rd4, 2;
                                cvt.u32.u64 %r3, %rd5;
                                nanosleep.u32 %r3;
                                AGAIN:
                                """)
                        .finding(64, 256);
        assertThat(finding.rule()).isEqualTo(Rule.MBARRIER_NEVER_COMPLETES);
        assertThat(finding.message()).contains("1 of 65 arrivals is missing");
    }

    @Test
    @DisplayName("the same, with an assertion about the time and a threshold in memory")
    void sleepsByTheClockAndAsserts() {
        Finding finding =
                waiting(
                                """
                                shr.s64 %rd5, %rd4, 2;
                                ld.global.u64 %rd6, [%rd1];
                                setp.lt.u64 %p3, %rd5, %rd6;
                                @%p3 bra AGAIN;
                                setp.lt.u64 %p3, %rd4, 0x7fffffffffffffff;
                                @%p3 bra HOLDS;
                                { .param .b64 a; st.param.b64 [a], %rd5;
                                  .param .b64 b; st.param.b64 [b], %rd5;
                                  .param .b32 c; st.param.b32 [c], 37;
                                  .param .b64 d; st.param.b64 [d], %rd5;
                                  .param .b64 e; st.param.b64 [e], 1;
                                  call.uni __assertfail, (a, b, c, d, e); }
                                HOLDS:
                                cvt.u32.u64 %r3, %rd5;
                                nanosleep.u32 %r3;
                                AGAIN:
                                """)
                        .finding(64, 256);
        assertThat(finding.rule()).isEqualTo(Rule.MBARRIER_NEVER_COMPLETES);
    }

    @Test
    @DisplayName("a wait that gives up by the clock")
    void givesUpByTheClock() {
        TinyKernel kernel =
                waiting(
                        """
                        setp.gt.u64 %p3, %rd4, 400000;
                        @%p3 bra DONE;
                        """);
        int[] expected = new int[64];
        Arrays.setAll(expected, i -> i);
        assertThat(kernel.run(64, new int[64])).containsExactly(expected);
    }

    @Test
    @DisplayName("a wait for a time, and nothing else")
    void waitsForATime() {
        TinyKernel kernel =
                TinyKernel.of(
                        "",
                        """
                        mov.u64 %rd3, %clock64;
                        WAIT:
                        mov.u64 %rd4, %clock64;
                        sub.u64 %rd5, %rd4, %rd3;
                        and.b64 %rd6, %rd5, 4294967295;
                        setp.lt.s64 %p3, %rd6, 3000000;
                        @%p3 bra WAIT;
                        mul.wide.u32 %rd2, %r1, 4;
                        add.u64 %rd3, %rd1, %rd2;
                        st.global.u32 [%rd3], %r1;
                        """);
        int[] expected = new int[32];
        Arrays.setAll(expected, i -> i);
        assertThat(kernel.run(32, new int[32])).containsExactly(expected);
    }

    @Test
    @DisplayName("a wait in which one of those that wait arrives once more by the clock")
    void arrivesByTheClock() {
        TinyKernel kernel =
                waiting(
                        """
                        setp.gt.u64 %p3, %rd4, 400000;
                        setp.eq.and.u32 %p3, %r1, 0, %p3;
                        @%p3 mbarrier.arrive.shared.b64 %rd6, [%r2];
                        """);
        int[] expected = new int[64];
        Arrays.setAll(expected, i -> i);
        assertThat(kernel.run(64, new int[64])).containsExactly(expected);
    }
}
