package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PTX ISA 9.7.13.15.13: arrivals that must not end a phase")
final class NoCompleteTest {
    private static TinyKernel arriving(String arrivals) {
        return TinyKernel.of(
                """
                .shared .align 8 .b64 bar;
                setp.eq.u32 %p1, %r1, 0; setp.lt.u32 %p2, %r1, 32;
                @%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;
                """
                        + arrivals);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 1;",
                "@%p1 mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 64;",
                "@%p1 mbarrier.arrive_drop.noComplete.shared.b64 _, [bar], 64;",
                "@%p2 mbarrier.arrive_drop.noComplete.shared.b64 %rd2, [bar], 2;"
            })
    void areToldWhereTheyDo(String arrival) {
        assertThat(arriving(arrival).finding(64, 4))
                .satisfies(
                        finding -> {
                            assertThat(finding.rule()).isEqualTo(Rule.MBARRIER_NO_COMPLETE);
                            assertThat(finding.message()).contains("mbarrier at", "bar");
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"mbarrier.arrive", "mbarrier.arrive_drop"})
    void leaveTheEndToAnother(String arrive) {
        int[] result =
                arriving(
                                """
                                @%%p1 %1$s.noComplete.shared.b64 %%rd2, [bar], 62; bar.sync 0;
                                setp.gt.u32 %%p2, %%r1, 61;
                                @%%p2 %1$s.shared.b64 %%rd2, [bar];
                                mbarrier.test_wait.parity.shared.b64 %%p3, [bar], 0;
                                WAIT: @!%%p3 mbarrier.test_wait.parity.shared.b64 %%p3, [bar], 0;
                                @!%%p3 bra WAIT;
                                @%%p1 st.global.u32 [%%rd1], 7;
                                """
                                        .formatted(arrive))
                        .run(64, new int[1]);
        assertThat(result).containsExactly(7);
    }

    @Test
    void mayTakeAllButOne() {
        arriving("@%p1 mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 63;").run(64, new int[1]);
    }
}
