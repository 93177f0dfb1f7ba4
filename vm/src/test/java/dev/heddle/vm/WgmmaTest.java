package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;

@DisplayName("PTX ISA 9.7.15: wgmma")
final class WgmmaTest {
    private static final Machine[] MACHINES = {Machine.interpreter(), Machine.compiler()};

    /// A is all ones (in registers), B all twos (in shared memory, no swizzle), K is 16: D is 32
    /// more than before. What stands in `BEFORE` and `BEHIND` surrounds the product, and each
    /// thread stores its first element.
    private static final String PTX =
            """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry k(.param .u64 out) {
            .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %d<9>; .reg .pred %p<3>;
            .shared .align 1024 .b8 tile[1024];
            ld.param.u64 %rd1, [out];
            mov.u32 %r1, %tid.x;
            mov.b32 %r2, 0x3c003c00;
            mov.b32 %r3, 0x40004000;
            mov.u32 %r4, tile;
            and.b32 %r5, %r1, 127;
            mad.lo.u32 %r5, %r5, 8, %r4;
            st.shared.v2.b32 [%r5], {%r3, %r3};
            shr.u32 %r6, %r4, 4;
            cvt.u64.u32 %rd2, %r6;
            or.b64 %rd2, %rd2, 0x0000000800080000;
            mov.f32 %d0, 0f3f800000; mov.f32 %d1, %d0; mov.f32 %d2, %d0; mov.f32 %d3, %d0;
            setp.eq.u32 %p1, %r1, %r1;
            fence.proxy.async;
            bar.sync 0;
            BEFORE
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3},
                {%r2, %r2, %r2, %r2}, %rd2, %p1, 1, 1, 0;
            wgmma.commit_group.sync.aligned;
            BEHIND
            mad.wide.u32 %rd3, %r1, 4, %rd1;
            st.global.f32 [%rd3], %d0;
            ret;
            }
            """;

    private static final String WAIT = "wgmma.wait_group.sync.aligned 0;";

    private static Outcome run(Machine machine, String before, String behind, int threads) {
        return run(machine, before, behind, threads, RuleGroup.CHECKS);
    }

    private static Outcome run(
            Machine machine, String before, String behind, int threads, Set<RuleGroup> checks) {
        String text = PTX.replace("BEFORE", before).replace("BEHIND", behind);
        return machine.run(
                Kernel.of(text, "k.ptx", "k"),
                Launch.of(
                                new Extent(1, 1, 1),
                                new Extent(threads, 1, 1),
                                Argument.zeros("out", 4 * threads))
                        .withChecks(checks));
    }

    /// What registers hold that nobody may look at yet.
    private static void expectUnchecked(String behind, float expected) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, "", behind, 256, Set.of()).floats("out"))
                    .containsOnly(expected);
        }
        assertThat(finding("", behind, 256).rule()).isEqualTo(Rule.WGMMA_REGISTER_BEFORE_WAIT);
    }

    private static void expect(String before, String behind, float expected) {
        for (Machine machine : MACHINES) {
            Outcome outcome = run(machine, before, behind, 256);
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.floats("out")).containsOnly(expected);
        }
    }

    private static Finding finding(String before, String behind, int threads) {
        Finding found = null;
        for (Machine machine : MACHINES) {
            Outcome outcome = run(machine, before, behind, threads);
            assertThat(outcome.findings()).as(machine.name()).hasSize(1);
            found = outcome.findings().getFirst();
        }
        return java.util.Objects.requireNonNull(found);
    }

    @Test
    @DisplayName("two warpgroups each multiply, and have D once they have waited")
    void resultsStandInRegistersBehindTheWait() {
        expect("", WAIT, 33);
    }

    /// The warps that fence do so for themselves: their fences say nothing of what another has
    /// written since its last.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @DisplayName("9.7.15.7.1: each warp that has written a matrix fences behind that")
    void eachWarpFences(int warp) {
        String again =
                """
                shr.u32 %%r7, %%r1, 5; setp.eq.u32 %%p2, %%r7, %d;
                and.b32 %%r5, %%r1, 31; mad.lo.u32 %%r5, %%r5, 8, %%r4;
                @%%p2 st.shared.v2.b32 [%%r5], {%%r3, %%r3};
                ALL fence.proxy.async;
                MEET
                """
                        .formatted(warp);
        String fenced = again.replace("ALL", "");
        for (Machine machine : MACHINES) {
            String met = fenced.replace("MEET", "bar.sync 0;");
            assertThat(run(machine, met, WAIT, 128).findings()).isEmpty();
        }
        String others = again.replace("ALL", "@!%p2").replace("MEET", "bar.sync 0;");
        assertThat(finding(others, WAIT, 128).rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
        String lanes = "and.b32 %r6, %r1, 31; setp.ne.u32 %p0, %r6, 5; @%p0";
        String some = again.replace("ALL", lanes).replace("MEET", "bar.sync 0;");
        assertThat(finding(some, WAIT, 128).rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
        assertThat(finding(fenced.replace("MEET", ""), WAIT, 128).rule()).isEqualTo(Rule.DATA_RACE);
    }

    @Test
    @DisplayName("9.7.15.7.3: without a wait, or with groups left, D is not there yet")
    void resultsAppearAtTheWait() {
        expectUnchecked("", 1);
        expectUnchecked("wgmma.wait_group.sync.aligned 1;", 1);
        expect("", "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;", 33);
    }

    @Test
    @DisplayName("products in one D add up without a wait between them")
    void productsOfOneAccumulator() {
        String again =
                """
                wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3},
                    {%r2, %r2, %r2, %r2}, %rd2, %p1, 1, -1, 0;
                """;
        expect("", again + again + "wgmma.commit_group.sync.aligned;" + WAIT, 1 + 32 - 64);
        expect("setp.ne.u32 %p1, %r1, %r1;", WAIT, 32);
    }

    @Test
    @DisplayName("undefined elements of A make their rows of the result undefined, no others")
    void undefinedRows() {
        String again =
                """
                wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3},
                    {%a, %r7, %a, %r7}, %rd2, %p1, 1, 1, 0;
                wgmma.commit_group.sync.aligned;
                """;
        expect("", again.replace("%a", "%r2") + WAIT, 65);
        assertThat(finding("", again.replace("%a", "%r8") + WAIT, 256).rule())
                .isEqualTo(Rule.UNINITIALIZED_REGISTER);
    }

    @Test
    @DisplayName("a warpgroup has four whole warps")
    void aWarpgroupIsWhole() {
        Finding found = finding("", WAIT, 96);
        assertThat(found.verdict()).isEqualTo(Verdict.UNDEFINED_BEHAVIOR);
        assertThat(found.rule()).isEqualTo(Rule.PARTIAL_WARPGROUP);
        assertThat(found.message()).contains("a CTA of 96 threads").contains("warps 0 to 3");
    }

    @Test
    @DisplayName("all four warps come to a product")
    void allWarpsCome() {
        String away = "setp.ge.u32 %p2, %r1, 96; @%p2 exit;";
        Finding found = finding(away, WAIT, 128);
        assertThat(found.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(found.notes().toString()).contains("other warps of their warpgroup");
    }

    @Test
    @DisplayName("9.7.15.5.2: all threads name one matrix, inside shared memory")
    void descriptorsNameOneMatrix() {
        String other = "setp.eq.u32 %p2, %r1, 70; @%p2 add.u64 %rd2, %rd2, 1;";
        Finding found = finding(other, WAIT, 128);
        assertThat(found.rule()).isEqualTo(Rule.NON_UNIFORM_OPERAND);
        assertThat(found.message()).contains("the descriptor of B");
        assertThat(String.valueOf(found.where())).contains("warp 2");
        assertThat(finding("or.b64 %rd2, %rd2, 0x3000;", WAIT, 128).message())
                .contains("matrix B")
                .contains("beyond the 1024 bytes");
    }
}
