package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// From `sm_70` on lanes wait for others that execute the same kind of instruction with the same
/// mask, wherever in the code that is.
@DisplayName("PTX ISA 9.7.9.6, 9.7.13: lanes that meet at several places of the code")
final class MeetingPlacesTest {
    /// `%r2`: a value of each lane; `%p1`: some of the lanes; `%p3`: others.
    private static final String VALUES =
            """
            mul.lo.u32 %r2, %r1, 0x9e3779b1; and.b32 %r3, %r2, 3; shr.u32 %r2, %r2, 28;
            and.b32 %r6, %r1, 5; setp.eq.u32 %p1, %r6, 1; setp.gt.u32 %p3, %r2, 7;
            mov.u32 %r4, 99; setp.eq.u32 %p2, %r2, 99; mov.u64 %rd5, %rd1;
            """;

    private static final String RESULTS =
            """
            selp.u32 %r5, 1, 0, %p2; mul.wide.u32 %rd2, %r1, 8; add.u64 %rd2, %rd2, %rd1;
            st.global.v2.u32 [%rd2], {%r4, %r5};
            """;

    /// The same as one instruction that all lanes execute together, with operands and results of
    /// their own at each place.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "shfl.sync.idx.b32 %r4|%p2, %r2, %r3, 0x1f, -1;",
                "shfl.sync.up.b32 %r4|%p2, %r2, %r3, 0x0, -1;",
                "shfl.sync.down.b32 %r4|%p2, %r2, 17, 0x1f, -1;",
                "shfl.sync.bfly.b32 %r4, %r2, %r3, 0x181f, -1;",
                "vote.sync.ballot.b32 %r4, %p3, -1;",
                "vote.sync.any.pred %p2, !%p3, -1;",
                "vote.sync.all.pred %p2, %p3, -1;",
                "vote.sync.uni.pred %p2, %p3, -1;",
                "match.any.sync.b32 %r4, %r3, -1;",
                "match.all.sync.b32 %r4|%p2, %r3, -1;",
                "redux.sync.add.s32 %r4, %r2, -1;",
                "redux.sync.xor.b32 %r4, %r2, -1;",
                "elect.sync %r4|%p2, -1;"
            })
    void exchangeAsAtOne(String instruction) {
        String there =
                "mov.u32 %r7, %r2; mov.u32 %r8, %r3; not.pred %p4, %p3; "
                        + instruction
                                .replace("%r2", "%r7")
                                .replace("%r3", "%r8")
                                .replace("!%p3", "%p4")
                                .replace("%r4", "%r9")
                                .replace("%p2", "%p5")
                        + " mov.u32 %r4, %r9; mov.pred %p2, %p5;";
        String defined = "mov.u32 %r9, 99; mov.pred %p5, %p2;";
        int[] expected = TinyKernel.of(VALUES + instruction + RESULTS).run(32, new int[64]);
        String apart =
                VALUES
                        + defined
                        + "@%p1 bra A; "
                        + there
                        + " bra B; A: "
                        + instruction
                        + " B: "
                        + RESULTS;
        assertThat(TinyKernel.of(apart).run(32, new int[64])).isEqualTo(expected);
    }

    /// The halves meet twice, at three places.
    @Test
    void meetInTheOrderTheyCome() {
        String body =
                """
                setp.lt.u32 %p1, %r1, 16; mov.u32 %r2, %r1; mov.u32 %r9, 2;
                @%p1 bra A;
                shfl.sync.bfly.b32 %r2, %r2, 16, 0x1f, -1; add.u32 %r2, %r2, 100;
                shfl.sync.bfly.b32 %r2, %r2, 1, 0x1f, -1; bra B;
                A: mov.u32 %r8, 16;
                L: shfl.sync.bfly.b32 %r2, %r2, %r8, 0x1f, -1; mov.u32 %r8, 1;
                sub.u32 %r9, %r9, 1; setp.ne.u32 %p2, %r9, 0; @%p2 bra L;
                B: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1; st.global.u32 [%rd2], %r2;
                """;
        int[] expected = new int[32];
        for (int lane = 0; lane < 32; lane++) {
            int other = lane ^ 1;
            expected[lane] = other < 16 ? other + 16 : other - 16 + 100;
        }
        assertThat(TinyKernel.of(body).run(32, new int[32])).isEqualTo(expected);
    }

    /// Two calls of one function are two places.
    @Test
    void meetInAFunction() {
        String module =
                """
                .func (.reg .b32 result) sum(.reg .b32 given) {
                redux.sync.add.u32 result, given, -1; ret;
                }
                """;
        String body =
                """
                setp.lt.u32 %p1, %r1, 8; @%p1 bra A;
                call (%r4), sum, (%r1); bra B;
                A: mov.u32 %r2, 1000; call (%r4), sum, (%r2);
                B: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1; st.global.u32 [%rd2], %r4;
                """;
        int[] found = TinyKernel.of(module, body).run(32, new int[32]);
        assertThat(found).containsOnly(8 * 1000 + (8 + 31) * 24 / 2);
    }

    /// Groups of lanes with masks of their own, each at two places.
    @Test
    void meetWithTheirMaskOnly() {
        String body =
                """
                and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; selp.b32 %r5, 0x55555555, 0xaaaaaaaa, %p1;
                setp.lt.u32 %p2, %r1, 7; @%p2 bra A;
                redux.sync.add.u32 %r4, %r1, %r5; bra B;
                A: redux.sync.add.u32 %r4, 0, %r5;
                B: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1; st.global.u32 [%rd2], %r4;
                """;
        int[] found = TinyKernel.of(body).run(32, new int[32]);
        int even = 8 + 10 + 12 + 14 + 16 + 18 + 20 + 22 + 24 + 26 + 28 + 30;
        int odd = 7 + 9 + 11 + 13 + 15 + 17 + 19 + 21 + 23 + 25 + 27 + 29 + 31;
        for (int lane = 0; lane < 32; lane++) {
            assertThat(found[lane]).isEqualTo(lane % 2 == 0 ? even : odd);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1"
                        + "; shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1",
                "vote.sync.ballot.b32 %r3, %p1, -1; match.any.sync.b32 %r3, %r1, -1",
                "redux.sync.add.u32 %r3, %r1, -1; redux.sync.max.u32 %r3, %r1, -1",
                "redux.sync.add.u32 %r3, %r1, -1; bar.warp.sync -1",
                "bar.warp.sync -1; bar.warp.sync 0xfffffff0",
                "vote.sync.ballot.b32 %r3, %p1, -1; vote.sync.ballot.b32 %r3, %p1, 0xfffffff0",
            })
    void doNotMeetInWhatIsNotAlike(String first, String second) {
        Finding finding = TinyKernel.of(apart(first, second)).finding(32, 64, RuleGroup.CHECKS);
        assertThat(finding.rule()).isEqualTo(Rule.INCOMPLETE_BARRIER);
        assertThat(finding.section()).isNotEqualTo(Rule.INCOMPLETE_BARRIER.section());
        assertThat(finding.message())
                .contains("lanes 0-15 in " + mnemonic(first) + " with mask 0x")
                .contains("lanes 16-31 in " + mnemonic(second) + " with mask 0x")
                .contains("the same qualifiers and member mask");
    }

    private static String mnemonic(String instruction) {
        return instruction.substring(0, instruction.indexOf(' '));
    }

    private static String apart(String first, String second) {
        return "setp.lt.u32 %%p1, %%r1, 16; @%%p1 bra A; %s; bra B; A: %s; B: bar.warp.sync -1;"
                .formatted(second, first);
    }

    /// PTX ISA 9.7.9.6: up to sm_6x all execute the same instruction.
    @Test
    void doNotMeetBeforeVolta() {
        String shuffle = "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1";
        TinyKernel kernel = TinyKernel.of(apart(shuffle, shuffle)).on("sm_60", "6.0");
        Finding finding = kernel.finding(32, 64);
        assertThat(finding.rule()).isEqualTo(Rule.INCOMPLETE_BARRIER);
        assertThat(finding.section()).isEqualTo("9.7.9.6");
        assertThat(finding.message())
                .contains("before sm_70 all must execute the same instruction together")
                .doesNotContain("qualifiers");
    }

    /// What lanes at one place have not written comes to those at the other.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1; shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1",
                "redux.sync.max.u32 %r3, %r1, -1; redux.sync.max.u32 %r3, %r2, -1",
                "redux.sync.or.b32 %r3, %r1, -1; redux.sync.or.b32 %r3, %r2, -1",
                "match.any.sync.b32 %r3, %r1, -1; match.any.sync.b32 %r3, %r2, -1",
            })
    void takeWhatNobodyWrote(String first, String second) {
        String body =
                "setp.lt.u32 %%p1, %%r1, 16; @%%p1 bra A; %s; bra B; A: %s; %s B: bar.warp.sync"
                        + " -1;";
        String used = "setp.eq.u32 %p2, %r1, 3; @%p2 st.global.u32 [%rd1], %r3;";
        Finding finding = TinyKernel.of(body.formatted(second, first, used)).finding(32, 64);
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALIZED_REGISTER);
        assertThat(finding.message()).contains("%r2");
        assertThat(TinyKernel.of(body.formatted(second, first, "")).run(32, new int[1]))
                .containsOnly(0);
    }
}
