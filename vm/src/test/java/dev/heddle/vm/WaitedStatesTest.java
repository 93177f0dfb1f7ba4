package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName(
        "PTX ISA 9.7.13.15.16: a wait's state is of the same mbarrier, in this phase or the last")
final class WaitedStatesTest {
    /// Each of three phases is waited for by its own state.
    private static final String THREE_PHASES =
            """
            mbarrier.arrive.shared.b64 %rd2, [bar]; bar.sync 0;
            mbarrier.try_wait.shared.b64 %p3, [bar], %rd2; bar.sync 0;
            mbarrier.arrive.shared.b64 %rd3, [bar]; bar.sync 0;
            mbarrier.try_wait.shared.b64 %p4, [bar], %rd3; bar.sync 0;
            mbarrier.arrive.shared.b64 %rd4, [bar]; bar.sync 0;
            """;

    private static TinyKernel of(String body) {
        return TinyKernel.of(
                """
                .shared .align 8 .b64 other; .shared .align 8 .b64 bar;
                setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32;
                @%p1 mbarrier.init.shared.b64 [bar], 64;
                @%p1 mbarrier.init.shared.b64 [other], 64; bar.sync 0;
                """
                        + body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "mbarrier.test_wait.shared.b64 %p5, [bar], %rd3; before its last phase",
                "@%p2 mbarrier.test_wait.shared.b64 %p5, [bar], %rd2; before its last phase",
                "mbarrier.try_wait.shared.b64 %p5, [bar], %rd2; before its last phase",
                "mbarrier.test_wait.shared.b64 %p5, [other], %rd4; state of an arrival at the one",
                "mbarrier.test_wait.shared.b64 %p5, [bar], 4294967296; that no arrival returned"
            })
    void areToldOtherwise(String wait, String words) {
        // Behind the third phase, the first and second are over and not the last.
        String end = "mbarrier.try_wait.shared.b64 %p4, [bar], %rd4; bar.sync 0;";
        String fourth = "mbarrier.arrive.shared.b64 %rd5, [bar]; bar.sync 0;";
        assertThat(of(THREE_PHASES + end + fourth + wait + ";").finding(64, 4))
                .satisfies(
                        finding -> {
                            assertThat(finding.rule()).isEqualTo(Rule.MBARRIER_WRONG_STATE);
                            assertThat(finding.message()).contains("mbarrier at", words);
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The last phase is over, the current one is not.
                "mbarrier.test_wait.shared.b64 %p5, [bar], %rd4; @!%p5 trap;",
                "@%p2 mbarrier.arrive.shared.b64 %rd5, [bar];@%p2 mbarrier.test_wait.shared.b64"
                    + " %p5, [bar], %rd5; @%p2 selp.u32 %r2, 1, 0, %p5;@%p2 st.shared.u32 [tile],"
                    + " %r2;",
                // One that waits late, but before the next phase ends.
                "@%p2 mbarrier.arrive.shared.b64 _, [bar]; bar.sync 0;"
                        + "mbarrier.try_wait.shared.b64 %p5, [bar], %rd4; @!%p5 trap;",
                // What .noComplete and arrive_drop return.
                "@%p1 mbarrier.arrive.noComplete.shared.b64 %rd5, [other], 1;"
                        + "@%p1 mbarrier.test_wait.shared.b64 %p5, [other], %rd5;",
                "mbarrier.arrive_drop.shared.b64 %rd5, [other]; bar.sync 0;"
                        + "mbarrier.test_wait.shared.b64 %p5, [other], %rd5; @!%p5 trap;",
                // Parities name no phase of their own.
                "mbarrier.test_wait.parity.shared.b64 %p5, [bar], 0;"
            })
    void areInOrder(String body) {
        String seen = "mbarrier.try_wait.shared.b64 %p4, [bar], %rd4; bar.sync 0;";
        of(THREE_PHASES + seen + body + " @%p1 st.global.u32 [%rd1], 7;").run(64, new int[1]);
    }

    @DisplayName("many phases in a row, each waited for by its state")
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 40})
    void goOnForAnyNumberOfPhases(int phases) {
        of("""
        mov.u32 %%r2, 0;
        L: mbarrier.arrive.shared.b64 %%rd2, [bar];
        W: mbarrier.try_wait.shared.b64 %%p3, [bar], %%rd2; @!%%p3 bra W;
        add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p4, %%r2, %d; @%%p4 bra L;
        @%%p1 st.global.u32 [%%rd1], %%r2;
        """
                        .formatted(phases))
                .run(64, new int[1]);
    }
}
