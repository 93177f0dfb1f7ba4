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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A thread of a CTA of rank 0 accesses shared memory of the last CTA of its cluster, of rank 2:
/// only where it was told somehow that this has started.
@DisplayName("PTX ISA 5.1.7: a CTA accesses shared memory of another that need not have started")
final class ClusterStartTest {
    private static final String COMPLETES = ".mbarrier::complete_tx::bytes";

    /// What the thread does at `%r4`, and for the mbarrier at `%r5`, in the other's memory.
    enum Access {
        LOAD("ld.shared::cluster.u32 %r10, [%r4];"),
        GENERIC_LOAD("ld.u32 %r10, [%rd4];"),
        STORE("st.shared::cluster.u32 [%r4], 1;"),
        ATOMIC("atom.relaxed.cluster.shared::cluster.add.u32 %r10, [%r4], 1;"),
        REDUCTION("red.relaxed.cluster.shared::cluster.add.u32 [%r4], 1;"),
        ARRIVAL("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];"),
        ASYNC_STORE("st.async.weak.shared::cluster" + COMPLETES + ".u32 [%r4], 1, [%r5];"),
        ASYNC_REDUCTION(
                "red.async.relaxed.cluster.shared::cluster"
                        + COMPLETES
                        + ".add.u32 [%r4], 1, [%r5];"),
        COPY(
                "st.shared.v4.u32 [%r6], {1, 2, 3, 4}; fence.proxy.async;"
                        + "cp.async.bulk.shared::cluster.shared::cta"
                        + COMPLETES
                        + " [%r4], [%r6], 16, [%r5];"),
        MULTICAST(
                "cp.async.bulk.shared::cluster.global"
                        + COMPLETES
                        + ".multicast::cluster [%r6], [%rd1], 16, [%r7], %h1;");

        private final String text;

        Access(String text) {
            this.text = text;
        }
    }

    /// @param all what all CTAs do first
    /// @param first what that of rank 0 does then, to be told
    /// @param second what that of rank 1 does
    /// @param third what that of rank 2 does, to tell it
    private record Telling(String all, String first, String second, String third) {
        private Telling(String all) {
            this(all, "", "", "");
        }
    }

    /// Global memory: words that begin with 0. Each CTA makes its mbarrier `told`.
    private static Kernel kernel(String access, Telling telling) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u64 in)
                .explicitcluster .reqnctapercluster 3, 1, 1 {
                .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<2>; .reg .pred %p<9>;
                .shared .align 128 .b8 own[128]; .shared .align 8 .b64 full;
                .shared .align 8 .b64 told;
                ld.param.u64 %rd1, [in];
                mov.u32 %r1, %cluster_ctarank;
                mov.u32 %r2, %tid.x;
                setp.eq.u32 %p1, %r2, 0;
                mov.u32 %r6, own; mov.u32 %r7, full; mov.u32 %r8, told;
                mapa.shared::cluster.u32 %r4, %r6, 2;
                mapa.shared::cluster.u32 %r5, %r7, 2;
                mapa.shared::cluster.u32 %r9, %r8, 0;
                mov.u64 %rd4, own; cvta.shared.u64 %rd4, %rd4; mapa.u64 %rd4, %rd4, 2;
                mov.u16 %h1, 4;
                @%p1 mbarrier.init.shared.b64 [full], 1;
                @%p1 mbarrier.init.shared.b64 [told], 1;
                bar.sync 0;
                ALL
                setp.eq.u32 %p2, %r1, 1;
                @%p2 bra SECOND;
                setp.eq.u32 %p2, %r1, 2;
                @%p2 bra THIRD;
                FIRST
                setp.ne.u32 %p3, %r2, 0;
                @%p3 bra END;
                ACCESS
                bra END;
                SECOND:
                DO_SECOND
                bra END;
                THIRD:
                DO_THIRD
                END:
                barrier.cluster.arrive; barrier.cluster.wait;
                ret;
                }
                """
                        .replace("ALL", telling.all)
                        .replace("FIRST", telling.first)
                        .replace("DO_SECOND", telling.second)
                        .replace("DO_THIRD", telling.third)
                        .replace("ACCESS", access);
        return Kernel.of(text, "k.ptx", "k");
    }

    private static List<Finding> run(
            Machine machine, String access, Telling telling, Set<RuleGroup> checks) {
        Launch launch =
                Launch.grid(3).block(64).passing(Argument.zeros("in", 64)).withChecks(checks);
        return machine.run(kernel(access, telling), launch).findings().stream()
                .filter(finding -> finding.rule() == Rule.ACCESS_TO_UNSTARTED_CTA)
                .toList();
    }

    /// By both executors, with all checks and with those of asynchronous operations alone.
    private static List<List<Finding>> run(String access, Telling telling) {
        List<List<Finding>> found = new ArrayList<>();
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            for (Set<RuleGroup> checks : List.of(RuleGroup.CHECKS, Set.of(RuleGroup.ASYNC))) {
                found.add(run(machine, access, telling, checks));
            }
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource
    void isToldWhereNobodySaysSo(Access access) {
        for (List<Finding> found : run(access.text, new Telling(""))) {
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().message()).contains("of the CTA of rank 2, which need not");
            assertThat(found.getFirst().where().x()).isZero();
            assertThat(found.getFirst().where().lanes()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNotToldBehindABarrierOfTheCluster(Access access) {
        for (String arrive : List.of("arrive", "arrive.relaxed")) {
            Telling telling = new Telling("barrier.cluster." + arrive + "; barrier.cluster.wait;");
            assertThat(run(access.text, telling)).allSatisfy(found -> assertThat(found).isEmpty());
        }
    }

    private static final String STORES = "@%p1 st.release.cluster.global.u32 [%rd1], 1;";
    private static final String LOADS =
            "L: ld.acquire.cluster.global.u32 %r11, [%rd1]; setp.eq.u32 %p4, %r11, 0; @%p4 bra L;";

    /// Each is sound as far as the start of the third CTA goes, or nobody can tell.
    @ParameterizedTest
    @EnumSource
    void isNotToldOfWhoWasTold(Told told) {
        String access = Access.STORE.text;
        assertThat(run(access, told.telling)).allSatisfy(found -> assertThat(found).isEmpty());
    }

    /// How a CTA of rank 0 is told that that of rank 2 has started.
    enum Told {
        FLAG(new Telling("", LOADS, "", STORES)),
        RELAXED_FLAG(
                new Telling(
                        "",
                        LOADS.replace("acquire", "relaxed"),
                        "",
                        STORES.replace("release", "relaxed"))),
        VOLATILE_FLAG(
                new Telling(
                        "",
                        LOADS.replace("acquire.cluster", "volatile"),
                        "",
                        STORES.replace("release.cluster", "volatile"))),
        /// By a third one.
        PASSED_ON(
                new Telling(
                        "",
                        LOADS.replace("[%rd1]", "[%rd1+4]"),
                        LOADS.replace("L", "M") + STORES.replace("[%rd1]", "[%rd1+4]"),
                        STORES)),
        COUNTED(
                new Telling(
                        "@%p1 atom.relaxed.gpu.global.add.u32 %r12, [%rd1], 1;",
                        LOADS.replace("acquire.cluster", "relaxed.gpu")
                                .replace("setp.eq.u32 %p4, %r11, 0", "setp.ne.u32 %p4, %r11, 3"),
                        "",
                        "")),
        ARRIVED(new Telling("", WAITS, "", ARRIVES)),
        ARRIVED_RELAXED(
                new Telling("", WAITS, "", ARRIVES.replace("arrive.release", "arrive.relaxed"))),
        WAITED_RELAXED(new Telling("", WAITS.replace("acquire", "relaxed"), "", ARRIVES)),
        /// By bytes that it has copied.
        COPIED(
                new Telling(
                        "",
                        "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [told], 16; " + WAITS,
                        "",
                        LOADS.replace("L", "M")
                                + "mov.u16 %h1, 1; @%p1 cp.async.bulk.shared::cluster.global"
                                + COMPLETES
                                + ".multicast::cluster [%r6], [%rd1+16], 16, [%r8], %h1;")),
        /// The first thread of a CTA waits, and all of it meet.
        MET(new Telling("", "@!%p1 bra N; " + LOADS + " N: bar.sync 0;", "", STORES));

        private final Telling telling;

        Told(Telling telling) {
            this.telling = telling;
        }
    }

    /// Says that its own CTA has started, and waits at its mbarrier.
    private static final String WAITS =
            STORES
                    + "L: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p4, [told], 0; @!%p4"
                    + " bra L;";

    /// Once that of rank 0 has started.
    private static final String ARRIVES =
            LOADS.replace("L", "M")
                    + "@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];";

    /// Told of another CTA than the one whose memory it is, or told only to another warp.
    @Test
    void isToldOfWhoWasNotTold() {
        String ofAnotherWarp = "setp.lt.u32 %p5, %r2, 32; @%p5 bra N; " + WAITS + " N:";
        for (Telling telling :
                List.of(
                        new Telling("", WAITS, ARRIVES, ""),
                        new Telling("", ofAnotherWarp, "", ARRIVES))) {
            assertThat(run(Access.STORE.text, telling))
                    .allSatisfy(found -> assertThat(found).hasSize(1));
        }
    }
}
