package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// Each lane of a warp stores to its own word, fences, and loads the word of another lane.
@DisplayName("PTX ISA 8.9.3, 8.9.4: lanes of a warp that fence one after the other")
final class LaneFencesTest {
    /// All lanes load, or only later ones.
    private static final int[] FIRSTS = {0, 1, 3};

    /// `fence.sc` operations are in one order, which is here that of the lanes: what a lane did is
    /// over for all later ones, and for no earlier one.
    ///
    /// @param fence by all lanes
    /// @param distance from a lane to that whose word it loads, where there is such
    @ParameterizedTest
    @CsvSource({
        "fence.sc.gpu, -1, false",
        "fence.sc.gpu, -17, false",
        "fence.sc.gpu, 1, true",
        "fence.sc.gpu, 17, true",
        "fence.sc.sys, -1, false",
        "fence.sc.sys, 1, true",
        "fence.sc.cta, -1, false",
        "fence.sc.cta, 1, true",
        "membar.gl, -1, false",
        "membar.gl, 1, true",
        "fence.acq_rel.gpu, -1, true",
    })
    void comeInTheOrderOfTheirLanes(String fence, int distance, boolean isRace) {
        assertTold(fence, distance, isRace, 32);
    }

    /// The same where some lanes are absent, and where the warp has fenced before.
    @ParameterizedTest
    @CsvSource({
        "fence.sc.gpu, -1, false",
        "fence.sc.gpu, 1, true",
        "fence.sc.cta; fence.sc.gpu, 1, false",
        "fence.sc.gpu; fence.sc.cta, 1, false",
        "fence.acq_rel.gpu; fence.sc.gpu, -1, false",
        "fence.sc.gpu; fence.acq_rel.gpu, 1, true",
    })
    void comeSoInPartsOfWarps(String fence, int distance, boolean isRace) {
        assertTold(fence, distance, isRace, 21);
    }

    private static void assertTold(String fence, int distance, boolean isRace, int threads) {
        for (int first : FIRSTS) {
            assertTold(fence, distance, isRace, threads, first);
        }
    }

    /// @param first the first lane that loads
    private static void assertTold(
            String fence, int distance, boolean isRace, int threads, int first) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                .reg .b32 %r<8>; .reg .pred %p<4>; .reg .b64 %rd<4>;
                .shared .align 4 .b32 s[32];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, s;
                mad.lo.u32 %r3, %r1, 4, %r2;
                st.shared.u32 [%r3], %r1;
                FENCE;
                add.s32 %r4, %r1, DISTANCE;
                mad.lo.s32 %r5, %r4, 4, %r2;
                setp.ge.u32 %p2, %r1, FIRST;
                setp.lt.and.u32 %p1, %r4, THREADS, %p2;
                mov.u32 %r6, 0;
                @%p1 ld.shared.u32 %r6, [%r5];
                ld.param.u64 %rd1, [out];
                mad.wide.u32 %rd2, %r1, 4, %rd1;
                st.global.u32 [%rd2], %r6;
                ret;
                }
                """
                        .replace("FENCE", fence)
                        .replace("DISTANCE", "" + distance)
                        .replace("FIRST", "" + first)
                        .replace("THREADS", "" + threads);
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Launch launch =
                    Launch.grid(1)
                            .block(threads)
                            .passing(Argument.zeros("out", 128))
                            .withChecks(RuleGroup.CHECKS);
            List<Finding> found = machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
            assertThat(found)
                    .extracting(Finding::rule)
                    .isEqualTo(isRace ? List.of(Rule.DATA_RACE) : List.of());
        }
    }
}
