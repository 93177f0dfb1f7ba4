package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// One CTA writes a tensor map, another one copies by it.
@DisplayName("PTX ISA 9.7.13.4: scopes of the fences that hand a tensor map over to another CTA")
final class TensorMapScopesTest {
    private static final int WORDS = 32;
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static final String BOTH = " of a scope with both CTAs";

    private static String kernel(String release, String acquire, String shape) {
        return """
        .version 8.3
        .target sm_90a
        .address_size 64
        .global .align 128 .b8 made[128];
        .global .b32 flag;
        .visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) %s
        {
        .reg .pred %%p<5>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>;
        .shared .align 128 .b8 own[128];
        .shared .align 128 .b8 row[128];
        .shared .align 8 .b64 bar;
        mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; shl.b32 %%r3, %%r1, 2;
        cvt.u64.u32 %%rd2, %%r3; mov.u64 %%rd4, made; cvta.global.u64 %%rd6, %%rd4;
        setp.ne.u32 %%p1, %%r1, 0; setp.ne.u32 %%p2, %%r2, 0;
        @%%p2 bra TAKE;
        mov.b64 %%rd1, map; add.u64 %%rd3, %%rd1, %%rd2; ld.param.u32 %%r4, [%%rd3];
        %s
        bar.warp.sync -1;
        @%%p1 ret;
        st.release.gpu.global.u32 [flag], 1;
        ret;
        TAKE: @%%p1 bra JOIN;
        SPIN: ld.acquire.gpu.global.u32 %%r5, [flag]; setp.eq.u32 %%p3, %%r5, 0; @%%p3 bra SPIN;
        mbarrier.init.shared::cta.b64 [bar], 1;
        fence.proxy.async;
        %s
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
        cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
            [row], [%%rd6, {0}], [bar];
        JOIN: bar.warp.sync -1;
        WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%p3, [bar], 0;
        @!%%p3 bra WAIT;
        mov.u32 %%r5, row; add.u32 %%r5, %%r5, %%r3; ld.shared.u32 %%r6, [%%r5];
        ld.param.u64 %%rd8, [out]; add.u64 %%rd8, %%rd8, %%rd2; st.global.u32 [%%rd8], %%r6;
        ret;
        }
        """
                .formatted(shape, release, acquire);
    }

    @ParameterizedTest
    @CsvSource({
        "release.gpu, acquire.gpu, ''",
        "release.sys, acquire.gpu, ''",
        "release.sys, acquire.cluster, acquire",
        "release.cluster, acquire.gpu, release",
        "release.cta, acquire.gpu, release",
        "release.gpu, acquire.cta, acquire",
        "release.gpu, '', acquire",
    })
    void ofStores(String release, String acquire, String missing) {
        String fence = "fence.proxy.tensormap::generic.%s;".formatted(release);
        String stores = "add.u64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r4; " + fence;
        check(stores, acquire, missing);
    }

    /// A release before the stores, by whomever, does not make up for one behind them.
    @ParameterizedTest
    @CsvSource({
        "release.cta, release",
        "release.gpu, ''",
    })
    void ofStoresBehindAnotherRelease(String release, String missing) {
        String early = "fence.proxy.tensormap::generic.release.gpu; bar.warp.sync -1;";
        String fence = "fence.proxy.tensormap::generic.%s;".formatted(release);
        String stores = "add.u64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r4; " + fence;
        check(early + stores, "acquire.gpu", missing);
    }

    /// The two fences are parts of a release and an acquire pattern (PTX ISA 9.7.13.4), of which a
    /// flag may be relaxed.
    @ParameterizedTest
    @ValueSource(strings = {"fence.proxy.tensormap::generic.release.gpu;", ""})
    void orderWhatARelaxedFlagHandsOn(String release) {
        String stores =
                "add.u64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r4; bar.warp.sync -1; " + release;
        String acquire = "fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;";
        String text =
                kernel(stores, acquire, "")
                        .replace("st.release", "st.relaxed")
                        .replace("ld.acquire", "ld.relaxed");
        for (Machine machine : MACHINES) {
            List<Finding> found = machine.run(Kernel.of(text, "k.ptx", "k"), launch()).findings();
            if (release.isEmpty()) {
                assertThat(found).extracting(Finding::rule).containsExactly(Rule.DATA_RACE);
            } else {
                assertThat(found).isEmpty();
            }
        }
    }

    /// Who has observed the stores may release them as well.
    @ParameterizedTest
    @CsvSource({
        "fence.proxy.tensormap::generic.release.cta;, ''",
        "'', release",
    })
    void releasedByWhoUsesIt(String release, String missing) {
        String stores = "add.u64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r4; ";
        String acquire = "fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;";
        check(kernel(stores, release + acquire, ""), missing);
    }

    @ParameterizedTest
    @CsvSource({
        "release.cluster, acquire.cluster, ''",
        "release.gpu, acquire.cluster, ''",
        "release.cluster, acquire.gpu, ''",
        "release.cta, acquire.cluster, release",
        "release.cluster, acquire.cta, acquire",
    })
    void ofOneCluster(String release, String acquire, String missing) {
        String fence = "fence.proxy.tensormap::generic.%s;".formatted(release);
        String stores = "add.u64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r4; " + fence;
        String acquires = "fence.proxy.tensormap::generic.%s [%%rd6], 128;".formatted(acquire);
        String shape = ".explicitcluster .reqnctapercluster 2, 1, 1";
        check(kernel(stores, acquires, shape), missing);
    }

    @ParameterizedTest
    @CsvSource({
        "release.gpu, acquire.gpu, ''",
        "release.cta, acquire.gpu, release",
        "release.cluster, acquire.gpu, release",
        "release.gpu, acquire.cluster, acquire",
    })
    void ofCopies(String release, String acquire, String missing) {
        String copies =
                """
                mov.u32 %%r7, own; add.u32 %%r7, %%r7, %%r3; st.shared.u32 [%%r7], %%r4;
                bar.warp.sync -1;
                tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.%s.sync.aligned
                    [%%rd4], [own], 128;
                """
                        .formatted(release);
        check(copies, acquire, missing);
    }

    private static void check(String write, String acquire, String missing) {
        String fence =
                acquire.isEmpty()
                        ? ""
                        : "fence.proxy.tensormap::generic.%s [%%rd6], 128;".formatted(acquire);
        check(kernel(write, fence, ""), missing);
    }

    private static void check(String text, String missing) {
        Kernel kernel = Kernel.of(text, "k.ptx", "k");
        for (Machine machine : MACHINES) {
            Outcome outcome = machine.run(kernel, launch());
            if (missing.isEmpty()) {
                assertThat(outcome.findings()).isEmpty();
            } else {
                assertThat(outcome.findings())
                        .extracting(Finding::rule)
                        .containsExactly(Rule.MISSING_TENSOR_MAP_FENCE);
                assertThat(outcome.findings().getFirst().message())
                        .contains("generic." + missing + BOTH);
            }
        }
    }

    private static Launch launch() {
        return Launch.grid(2)
                .block(32)
                .with(Argument.of("t", new int[WORDS]))
                .passing(TensorMapReplaceTest.map(), Argument.zeros("out", WORDS * Integer.BYTES));
    }
}
