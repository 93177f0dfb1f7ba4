package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PTX ISA 9.7.13.15.4: some thread sees each phase of an mbarrier end before the next")
final class UnseenPhaseTest {
    private static final String ARRIVE = "mbarrier.arrive.shared.b64 %rd2, [bar];";
    private static final String WAIT =
            "W: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra W;";

    private static TinyKernel of(String body) {
        return TinyKernel.of(
                """
                .shared .align 8 .b64 bar;
                setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32;
                @%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;
                """
                        + body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ARRIVE + ARRIVE,
                ARRIVE + "bar.sync 0; @%p1 " + ARRIVE,
                ARRIVE + "bar.sync 0; @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;",
                ARRIVE + WAIT + "bar.sync 0;" + ARRIVE + "bar.sync 0; @%p1 " + ARRIVE
            })
    void areToldBefore(String body) {
        assertThat(of(body).finding(64, 4))
                .satisfies(
                        finding -> {
                            assertThat(finding.rule()).isEqualTo(Rule.MBARRIER_PHASE_UNSEEN);
                            assertThat(finding.message()).contains("mbarrier at", "bar");
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ARRIVE,
                ARRIVE + WAIT + ARRIVE,
                // One waits for all.
                ARRIVE + "@!%p2 bra N; " + WAIT + " N: bar.sync 0;" + ARRIVE,
                "mbarrier.try_wait.parity.shared.b64 %p3, [bar], 1;" + ARRIVE,
                ARRIVE
                        + WAIT
                        + "bar.sync 0; @%p1 mbarrier.inval.shared.b64 [bar]; bar.sync 0;"
                        + "@%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;"
                        + ARRIVE
            })
    void areInOrderBehindAWait(String body) {
        of(body + " @%p1 st.global.u32 [%rd1], 7;").run(64, new int[1]);
    }
}
