package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// A bulk copy writes shared memory through the async proxy: what ordinary stores wrote there comes
/// behind a `fence.proxy.async`, what ordinary loads read there need not.
@DisplayName("PTX ISA 9.7.9.25.2: shared memory that bulk copies write")
final class BulkTargetsTest {
    private static final String FENCE = "fence.proxy.async;";
    private static final String STORE = "st.shared.u32 [%r5], %r1;";
    private static final String COPY =
            """
            @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
            @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 128, [full];
            """;

    private static final String MULTICAST =
            """

            @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
            barrier.cluster.arrive; barrier.cluster.wait;
            @!%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
                [tile], [%rd1], 128, [full], %h1;
            """;

    /// Each thread has a word of the tile; thread 0 copies over all.
    private static List<Finding> run(Machine machine, String body, int ctas) {
        String text =
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out) CLUSTER {
                .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>; .reg .b16 %h<3>;
                .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 full;
                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank;
                mov.u32 %r4, tile; mad.lo.u32 %r5, %r1, 4, %r4; mov.u16 %h1, 3;
                setp.ne.u32 %p1, %r1, 0; setp.ne.or.u32 %p2, %r2, 0, %p1;
                @!%p1 mbarrier.init.shared.b64 [full], 1;
                mov.u32 %r7, 0; bar.sync 0;
                BODY
                WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [full], %r7; @!%p3 bra WAIT;
                barrier.cluster.arrive; barrier.cluster.wait;
                ret;
                }
                """
                        .replace("BODY", body)
                        .replace(
                                "CLUSTER",
                                ".explicitcluster .reqnctapercluster " + ctas + ", 1, 1");
        Launch launch = Launch.grid(ctas).block(32).passing(Argument.zeros("out", 128));
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
    }

    private static void assertTold(String body, int ctas) {
        assertThat(body).contains(FENCE);
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(run(machine, body, ctas)).isEmpty();
            List<Finding> found = run(machine, body.replaceAll("(@!?%p. )?" + FENCE, ""), ctas);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
            assertThat(found.getFirst().message())
                    .contains("writes shared address")
                    .contains("through the async proxy")
                    .contains("has written through the generic proxy");
        }
    }

    private static void assertFine(String body) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(run(machine, body, 1)).isEmpty();
        }
    }

    /// The fence of who wrote, or of who copies.
    @ParameterizedTest
    @ValueSource(
            strings = {
                STORE + FENCE + "bar.sync 0;",
                STORE + "bar.sync 0; @!%p1 " + FENCE,
                STORE + "bar.sync 0; ld.shared.u32 %r6, [%r5]; bar.sync 0;" + FENCE,
                "@!%p1 st.shared.u32 [tile+100], 1; bar.sync 0;" + FENCE + "bar.sync 0;",
                "@!%p1 st.shared.u8 [tile+101], 1; @!%p1 " + FENCE,
                "@!%p1 st.shared.v4.u32 [tile+16], {%r1, %r1, %r1, %r1}; @!%p1 " + FENCE
            })
    void isFencedBehindStores(String before) {
        assertTold(before + "\n" + COPY, 1);
    }

    /// A fence before the store, or by a thread that does not know of it, is none.
    @ParameterizedTest
    @ValueSource(
            strings = {
                FENCE + STORE + "bar.sync 0;",
                STORE + "@%p1 " + FENCE + " bar.sync 0;",
            })
    void isNotFencedOtherwise(String before) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(run(machine, before + "\n" + COPY, 1))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.MISSING_PROXY_FENCE);
        }
    }

    /// Stages that were read are filled again.
    @Test
    void needsNoFenceBehindLoads() {
        assertFine("ld.shared.u32 %r6, [%r5]; bar.sync 0;\n" + COPY);
        String ring =
                """
                bar.sync 0;
                @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
                @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 128, [full];
                FILLED: mbarrier.try_wait.parity.shared.b64 %p3, [full], 0; @!%p3 bra FILLED;
                ld.shared.u32 %r6, [%r5]; mov.u32 %r7, 1;
                bar.sync 0;
                """;
        assertFine(ring + COPY);
    }

    /// Bytes beside it are nobody's.
    @Test
    void needsNoFenceElsewhere() {
        assertFine("@!%p1 st.shared.u32 [tile+64], 1; bar.sync 0;\n" + COPY.replace("128", "64"));
    }

    /// Fences of each CTA that a multicast copy goes to, or of the one that copies.
    @ParameterizedTest
    @ValueSource(
            strings = {
                STORE + FENCE + MEETING,
                STORE + MEETING + "@!%p2 " + FENCE,
            })
    void isFencedInAllTargetsOfAMulticast(String before) {
        assertTold(before + MULTICAST, 2);
        String other = before.replace(STORE, "setp.eq.u32 %p4, %r2, 1; @%p4 " + STORE);
        assertTold(other + MULTICAST, 2);
    }

    /// Where only CTA 1 wrote its tile, a fence of CTA 0 for its own memory does not do.
    @Test
    void isNotFencedInOtherTargetsByOneForTheOwnMemory() {
        String before = "setp.eq.u32 %p4, %r2, 1; @%p4 " + STORE + MEETING + "@!%p2 ";
        String own = before + "fence.proxy.async.shared::cta;" + MULTICAST;
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(run(machine, own, 2))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.MISSING_PROXY_FENCE);
            assertThat(run(machine, own.replace("shared::cta;\n", "shared::cluster;\n"), 2))
                    .isEmpty();
        }
    }

    private static final String MEETING = "barrier.cluster.arrive; barrier.cluster.wait;";
}
