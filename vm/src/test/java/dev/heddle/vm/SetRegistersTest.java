package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PTX ISA 9.7.19.5: setmaxnreg")
final class SetRegistersTest {
    private static TinyKernel of(String body) {
        return TinyKernel.of(
                        """
                        and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1;
                        setp.lt.u32 %p2, %r1, 128; shr.u32 %r3, %r1, 5; setp.eq.u32 %p3, %r3, 1;
                        """
                                + body)
                .on("sm_90a", "8.3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@%p1 setmaxnreg.dec.sync.aligned.u32 40; st.global.u32 [%rd1], 1;",
                "@!%p1 bra ELSE; setmaxnreg.dec.sync.aligned.u32 40; bra END;"
                        + " ELSE: st.global.u32 [%rd1], 1; END: st.global.u32 [%rd1], 1;",
                "@!%p1 bra ELSE; setmaxnreg.dec.sync.aligned.u32 40; bra END;"
                        + " ELSE: setmaxnreg.dec.sync.aligned.u32 40; END: st.global.u32 [%rd1], 1;"
            })
    void isOfWholeWarps(String body) {
        assertThat(of(body).finding(256, 4).rule()).isEqualTo(Rule.ALIGNED_UNDER_DIVERGENCE);
    }

    @ParameterizedTest
    @CsvSource({"dec, 24", "dec, 40"})
    void comesAfterAllOthersHaveExecutedTheLast(String way, int count) {
        Finding finding =
                of("setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.%s.sync.aligned.u32 %d;"
                                .formatted(way, count))
                        .finding(128, 4);
        assertThat(finding.rule()).isEqualTo(Rule.SETMAXNREG_DIFFERS);
        assertThat(finding.message()).contains("must synchronize between");
    }

    @Test
    void isTheSameInAllWarps() {
        Finding finding = of("@%p3 setmaxnreg.dec.sync.aligned.u32 40;").finding(128, 4);
        assertThat(finding.rule()).isEqualTo(Rule.SETMAXNREG_DIFFERS);
        assertThat(finding.message()).contains("by warp 1, which warp 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@%p2 bra CONSUMER; setmaxnreg.dec.sync.aligned.u32 40; bra END;"
                        + " CONSUMER: setmaxnreg.inc.sync.aligned.u32 232; END:",
                "setmaxnreg.dec.sync.aligned.u32 40; bar.sync 0;"
                        + " setmaxnreg.dec.sync.aligned.u32 24;",
                "@%p1 bra ODD; mov.u32 %r4, 1; bra BOTH;"
                        + " ODD: mov.u32 %r4, 2; BOTH: setmaxnreg.dec.sync.aligned.u32 40;"
            })
    void isInOrderSo(String body) {
        int[] result =
                of(body + " @%p1 bra DONE; st.global.u32 [%rd1], 5; DONE:").run(256, new int[1]);
        assertThat(result).containsExactly(5);
    }
}
