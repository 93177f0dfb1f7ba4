package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// A warp makes a tensor map in global memory, copies by it and changes it.
///
/// "Once an asynchronous copy operation is initiated, modifying the source memory location or
/// tensor descriptor [...] before the asynchronous operation completes, exhibits undefined
/// behavior."
@DisplayName("PTX ISA 9.7.9.25.1: a tensor map stays as it is until copies by it are over")
final class TensorMapInFlightTest {
    private static final String COPIED =
            """
            tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
                [%rd4], [own], 128;
            """;

    private static String load(String barrier) {
        return """
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [BAR], 128;
        cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
            [row_BAR], [%rd6, {0}], [BAR];
        """
                .replace("BAR", barrier);
    }

    /// What a thread begins, how it and others wait, and how the map changes.
    enum Part {
        LOAD(load("bar")),
        LOADS(load("bar") + load("bar2")),
        STORE(
                """
                cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd6, {0}], [row];
                cp.async.bulk.commit_group;
                """),
        REDUCTION(
                """
                cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group
                    [%rd6, {0}], [row];
                cp.async.bulk.commit_group;
                """),
        NOTHING(""),
        ALL_WAIT(
                """
                bar.sync 0;
                WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0; @!%p3 bra WAIT;
                """),
        ONE_WAITS(
                """
                @%p1 bra JOIN2;
                WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0; @!%p3 bra WAIT;
                JOIN2: bar.warp.sync -1;
                """),
        GROUP(
                """
                @!%p1 cp.async.bulk.commit_group;
                @!%p1 cp.async.bulk.wait_group 0;
                bar.warp.sync -1;
                """),
        GROUP_READ(
                """
                @!%p1 cp.async.bulk.commit_group;
                @!%p1 cp.async.bulk.wait_group.read 0;
                bar.warp.sync -1;
                """),
        // Nothing commits the load: it is of no group that this waits for.
        NO_GROUP("@!%p1 cp.async.bulk.wait_group 0; bar.warp.sync -1;"),
        EARLIER_GROUP("@!%p1 cp.async.bulk.wait_group 1; bar.warp.sync -1;"),
        STORED("st.global.u32 [%rd5], %r4;"),
        UPDATED("@!%p1 atom.global.add.u32 %r5, [%rd4], 0;"),
        REPLACED("@!%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd4], %rd7;"),
        COPIED_MAP(COPIED),
        BULK_COPY(
                """
                fence.proxy.async; bar.warp.sync -1;
                @!%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd4], [own], 128;
                @!%p1 cp.async.bulk.commit_group;
                """);

        private final String text;

        Part(String text) {
            this.text = text;
        }
    }

    private static Kernel kernel(Part begin, Part wait, Part change) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .global .align 128 .b8 made[128];
                .visible .entry k(.param .align 64 .b8 map[128], .param .u64 t)
                {
                .reg .pred %p<5>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
                .shared .align 128 .b8 own[128];
                .shared .align 128 .b8 row[128];
                .shared .align 128 .b8 row_bar[128];
                .shared .align 128 .b8 row_bar2[128];
                .shared .align 8 .b64 bar; .shared .align 8 .b64 bar2;
                mov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 2; cvt.u64.u32 %rd2, %r3;
                setp.ne.u32 %p1, %r1, 0;
                mov.b64 %rd1, map; add.u64 %rd3, %rd1, %rd2; ld.param.u32 %r4, [%rd3];
                mov.u32 %r5, own; add.u32 %r5, %r5, %r3; st.shared.u32 [%r5], %r4;
                mov.u32 %r5, row; add.u32 %r5, %r5, %r3; st.shared.u32 [%r5], %r1;
                mov.u64 %rd4, made; cvta.global.u64 %rd6, %rd4; add.u64 %rd5, %rd4, %rd2;
                ld.param.u64 %rd7, [t];
                @!%p1 mbarrier.init.shared::cta.b64 [bar], 1;
                @!%p1 mbarrier.init.shared::cta.b64 [bar2], 1;
                fence.proxy.async;
                bar.warp.sync -1;
                MAKE
                fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;
                @%p1 bra JOIN;
                BEGIN
                JOIN: bar.warp.sync -1;
                HOLD
                CHANGE
                bar.warp.sync -1;
                @%p1 bra DONE;
                cp.async.bulk.wait_group 0;
                LAST
                DONE: ret;
                }
                """
                        .replace("MAKE", COPIED)
                        .replace("BEGIN", begin.text)
                        .replace("HOLD", wait.text)
                        .replace("CHANGE", change.text)
                        .replace(
                                "LAST",
                                (begin == Part.LOAD ? end("bar") : "")
                                        + (begin == Part.LOADS ? end("bar") + end("bar2") : ""));
        return Kernel.of(text, "k.ptx", "k");
    }

    private static String end(String barrier) {
        return """
        END_BAR: mbarrier.try_wait.parity.shared::cta.b64 %p3, [BAR], 0; @!%p3 bra END_BAR;
        """
                .replace("BAR", barrier);
    }

    private static void check(Kernel kernel, Launch launch, boolean isRace) {
        Machine[] machines = {
            Machine.interpreter(), Machine.compiler(), Machine.compiler(new Compilations(0))
        };
        for (Machine machine : machines) {
            List<Finding> findings = machine.run(kernel, launch).findings();
            if (isRace) {
                assertThat(findings).extracting(Finding::rule).containsExactly(Rule.DATA_RACE);
                assertThat(findings.getFirst().message())
                        .contains("a tensor copy whose tensor map is there");
            } else {
                assertThat(findings).isEmpty();
            }
        }
    }

    private static Launch launch(int ctas) {
        return Launch.grid(ctas)
                .block(32)
                .with(Argument.of("t", new int[32]))
                .passing(TensorMapReplaceTest.map(), new Argument.Address("t", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "LOAD, NOTHING, STORED",
        "LOAD, NOTHING, UPDATED",
        "LOAD, NOTHING, REPLACED",
        "LOAD, NOTHING, COPIED_MAP",
        "LOAD, NOTHING, BULK_COPY",
        "LOAD, NO_GROUP, COPIED_MAP",
        "LOADS, ONE_WAITS, COPIED_MAP",
        "STORE, NOTHING, STORED",
        "STORE, NOTHING, COPIED_MAP",
        "STORE, EARLIER_GROUP, REPLACED",
        "REDUCTION, NOTHING, COPIED_MAP",
    })
    void aChangeWhileACopyIsUnderWay(Part begin, Part wait, Part change) {
        check(kernel(begin, wait, change), launch(1), true);
    }

    /// A load's bulk group stands for the reading of its map (9.7.9.27.1.2), as CUTLASS waits for
    /// it; `.read` is enough (9.7.9.27.2.2).
    @ParameterizedTest
    @CsvSource({
        "LOAD, ALL_WAIT, STORED",
        "LOAD, ONE_WAITS, STORED",
        "LOAD, ONE_WAITS, UPDATED",
        "LOAD, ONE_WAITS, REPLACED",
        "LOAD, ONE_WAITS, COPIED_MAP",
        "LOAD, ONE_WAITS, BULK_COPY",
        "LOAD, GROUP, COPIED_MAP",
        "LOAD, GROUP_READ, COPIED_MAP",
        "LOAD, GROUP_READ, STORED",
        "LOADS, GROUP_READ, STORED",
        "STORE, GROUP, STORED",
        "STORE, GROUP_READ, STORED",
        "STORE, GROUP_READ, REPLACED",
        "STORE, GROUP_READ, COPIED_MAP",
        "STORE, GROUP_READ, BULK_COPY",
        "REDUCTION, GROUP_READ, COPIED_MAP",
        "NOTHING, NOTHING, COPIED_MAP",
    })
    void aChangeBehindIt(Part begin, Part wait, Part change) {
        check(kernel(begin, wait, change), launch(1), false);
    }

    /// One CTA copies to both of a cluster; the other one changes the map.
    private static Kernel ofCluster(String wait) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .global .align 128 .b8 made[128];
                .visible .entry k(.param .align 64 .b8 map[128], .param .u64 t)
                .explicitcluster .reqnctapercluster 2, 1, 1
                {
                .reg .pred %p<5>; .reg .b16 %h<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
                .shared .align 128 .b8 own[128];
                .shared .align 128 .b8 row[128];
                .shared .align 8 .b64 bar;
                mov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 2; cvt.u64.u32 %rd2, %r3;
                mov.u32 %r2, %cluster_ctarank;
                setp.ne.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r2, 0;
                mov.b64 %rd1, map; add.u64 %rd3, %rd1, %rd2; ld.param.u32 %r4, [%rd3];
                mov.u32 %r5, own; add.u32 %r5, %r5, %r3; st.shared.u32 [%r5], %r4;
                mov.u64 %rd4, made; cvta.global.u64 %rd6, %rd4; add.u64 %rd5, %rd4, %rd2;
                @!%p1 mbarrier.init.shared::cta.b64 [bar], 1;
                @!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
                fence.proxy.async;
                barrier.cluster.arrive; barrier.cluster.wait;
                @%p2 bra JOIN;
                COPIED
                @%p1 bra JOIN;
                fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;
                mov.u16 %h1, 3; mov.u32 %r6, row; mov.u32 %r7, bar;
                cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes\
                .multicast::cluster
                    [%r6], [%rd6, {0}], [%r7], %h1;
                JOIN: bar.warp.sync -1;
                barrier.cluster.arrive; barrier.cluster.wait;
                HOLD
                @%p2 st.global.u32 [%rd5], %r4;
                END: mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0; @!%p3 bra END;
                ret;
                }
                """
                        .replace("COPIED", COPIED)
                        .replace("HOLD", wait);
        return Kernel.of(text, "k.ptx", "k");
    }

    @Test
    void whoHasWaitedInAnotherCta() {
        check(ofCluster(Part.ALL_WAIT.text), launch(2), false);
        check(ofCluster(""), launch(2), true);
    }
}
