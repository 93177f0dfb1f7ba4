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

/// What ordinary stores wrote to global memory, or to another CTA's shared memory, comes behind a
/// `fence.proxy.async` before bulk copies read it or write over it.
@DisplayName("PTX ISA 9.7.9.25.2: bulk copies behind ordinary stores")
final class ProxiesTest {
    private static final List<Machine> MACHINES =
            List.of(Machine.interpreter(), Machine.compiler());

    private static final String STORE = "st.global.u32 [%rd2], %r1;";
    private static final String WIDE = "@!%p1 st.global.v4.u32 [%rd2+64], {%r1, %r1, %r1, %r1};";
    private static final String MEETING = "bar.sync 0;";
    private static final String FENCE = "fence.proxy.async;";
    private static final String LOAD =
            """
            @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
            @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 128, [full];
            WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [full], 0; @!%p3 bra WAIT;
            """;
    private static final String SAVE =
            """
            @!%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 128;
            @!%p1 cp.async.bulk.commit_group;
            @!%p1 cp.async.bulk.wait_group 0;
            """;
    private static final String ADD =
            SAVE.replace("cp.async.bulk.global", "cp.reduce.async.bulk.global")
                    .replace("bulk_group [", "bulk_group.add.u32 [");

    /// Each thread has a word of the buffer and of the tile.
    private static List<Finding> run(Machine machine, String body, int ctas, int cluster) {
        String text =
                """
                .version 8.6
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out) .explicitcluster .reqnctapercluster CTAS, 1, 1 {
                .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>;
                .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 full;
                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
                mad.wide.u32 %rd2, %r1, 4, %rd1; mov.u32 %r4, tile; mad.lo.u32 %r5, %r1, 4, %r4;
                setp.ne.u32 %p1, %r1, 0; setp.eq.u32 %p4, %r2, 0;
                @!%p1 mbarrier.init.shared.b64 [full], 1;
                st.shared.u32 [%r5], 0;
                fence.proxy.async.shared::cta;
                barrier.cluster.arrive; barrier.cluster.wait;
                BODY
                barrier.cluster.arrive; barrier.cluster.wait;
                ret;
                }
                """
                        .replace("BODY", body)
                        .replace("CTAS", Integer.toString(cluster));
        Launch launch = Launch.grid(ctas).block(32).passing(Argument.zeros("out", 256));
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
    }

    private static void assertFine(String body, int ctas, int cluster) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, ctas, cluster)).as(body).isEmpty();
        }
    }

    private static void assertTold(String body, int ctas, int cluster, String... words) {
        for (Machine machine : MACHINES) {
            List<Finding> found = run(machine, body, ctas, cluster);
            assertThat(found)
                    .as(body)
                    .extracting(Finding::rule)
                    .containsExactly(Rule.MISSING_PROXY_FENCE);
            assertThat(found.getFirst().message())
                    .contains(words)
                    .contains("through the async proxy, which thread (")
                    .contains("has written through the generic proxy");
        }
    }

    /// By who wrote, or by who copies; for all memory, or for global memory.
    /// Each thread writes a word of the other CTA's tile, which that one copies.
    private static String toPeer(String before, String behind) {
        return """
        xor.b32 %r7, %r2, 1;
        mapa.shared::cluster.u32 %r6, %r5, %r7;
        st.shared::cluster.u32 [%r6], %r1;
        BEFORE
        barrier.cluster.arrive; barrier.cluster.wait;
        BEHIND
        mad.wide.u32 %rd1, %r2, 128, %rd1;
        """
                        .replace("BEFORE", before)
                        .replace("BEHIND", behind)
                + SAVE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".shared::cluster"})
    void ofTheWriterCoverTheOtherCtasMemory(String space) {
        assertFine(toPeer("fence.proxy.async" + space + ";", ""), 2, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {".shared::cta", ".global"})
    void ofTheWriterLeaveOutTheOtherCtasMemory(String space) {
        assertTold(toPeer("fence.proxy.async" + space + ";", ""), 2, 2, "reads shared address");
    }

    @Test
    void ofTheReaderCoverItsOwnMemory() {
        assertFine(toPeer("", "fence.proxy.async.shared::cta;"), 2, 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                STORE + FENCE + MEETING,
                STORE + "fence.proxy.async.global;" + MEETING,
                STORE + MEETING + "@!%p1 " + FENCE,
                STORE + MEETING + "ld.global.u32 %r6, [%rd1+64];" + MEETING + FENCE,
                WIDE + "@!%p1 " + FENCE
            })
    void areFencedInGlobalMemory(String before) {
        assertFine(before + LOAD, 1, 1);
        assertFine(before + SAVE, 1, 1);
        assertFine(before + ADD, 1, 1);
        String unfenced = before.replaceAll("(@!%p1 )?fence.proxy.async(.global)?;", "");
        assertTold(unfenced + LOAD, 1, 1, "reads global address 0x1000000200 (out");
        assertTold(unfenced + SAVE, 1, 1, "writes global address 0x1000000200 (out");
        assertTold(unfenced + ADD, 1, 1, "writes global address 0x1000000200 (out");
    }

    /// Before the store, for shared memory alone, or by a thread that does not know of the store.
    @ParameterizedTest
    @ValueSource(
            strings = {
                FENCE + STORE + MEETING,
                STORE + "fence.proxy.async.shared::cta;" + MEETING,
                STORE + "fence.proxy.async.shared::cluster;" + MEETING,
                STORE + "@%p1 " + FENCE + MEETING
            })
    void fencesThatAreNone(String before) {
        assertTold(before + LOAD, 1, 1, "reads global address");
    }

    /// Strong stores and atomic operations, too, and a weak store that a strong one came behind.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "st.relaxed.gpu.global.u32 [%rd2], %r1;",
                "st.volatile.global.u32 [%rd2], %r1;",
                "red.relaxed.gpu.global.add.u32 [%rd2], %r1;",
                "st.global.u32 [%rd2], %r1; st.relaxed.gpu.global.u32 [%rd2], %r1;",
                "atom.relaxed.cta.global.exch.b32 %r6, [%rd1], %r1;"
            })
    void strongOnesAreFenced(String store) {
        for (String copy : new String[] {LOAD, SAVE, ADD}) {
            assertFine(store + FENCE + MEETING + copy, 1, 1);
            assertTold(store + MEETING + copy, 1, 1, "global address 0x1000000200 (out");
        }
    }

    /// The thread that copies adds last, and observes what the others have added: a fence behind
    /// that is one for all, though they come to the barrier without.
    @Test
    void aFenceStandsBehindWhatHasObserved() {
        String sum =
                """
                @%p1 red.relaxed.gpu.global.add.u32 [%rd1], 1;
                @!%p1 atom.relaxed.gpu.global.add.u32 %r6, [%rd1], 1;
                """;
        assertFine(sum + "@!%p1 " + FENCE + MEETING + LOAD, 1, 1);
        assertTold(sum + MEETING + LOAD, 1, 1, "global address 0x1000000200 (out");
    }

    /// Nobody stored there, or a bulk store did.
    @Test
    void needNoFence() {
        assertFine(
                "st.global.u32 [%rd2+128], %r1; ld.global.u32 %r6, [%rd2];" + MEETING + LOAD, 1, 1);
        assertFine(SAVE + MEETING + LOAD, 1, 1);
    }

    /// What one CTA stored and handed over by a flag is fenced by either.
    @Test
    void areFencedByEitherCta() {
        String body =
                """
                @!%%p4 bra OTHER;
                @!%%p1 st.global.u32 [%%rd1], 7;
                @!%%p1 %s
                @!%%p1 st.release.gpu.global.u32 [%%rd1+128], 1;
                bra DONE;
                OTHER: @%%p1 bra DONE;
                AGAIN: ld.acquire.gpu.global.u32 %%r6, [%%rd1+128]; setp.eq.u32 %%p5, %%r6, 0; @%%p5 bra AGAIN;
                %s
                mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%%rd1], 128, [full];
                LAST: mbarrier.try_wait.parity.shared.b64 %%p3, [full], 0; @!%%p3 bra LAST;
                DONE:
                """;
        String none = "mov.u32 %r7, 0;";
        assertFine(body.formatted(FENCE, none), 2, 1);
        assertFine(body.formatted(none, FENCE), 2, 1);
        assertTold(body.formatted(none, none), 2, 1, "of CTA (0,0,0)");
    }

    /// The shared memory of another CTA of the cluster.
    @Test
    void areFencedInAnothersSharedMemory() {
        String store =
                "mapa.shared::cluster.u32 %r7, %r5, 1; @%p4 st.shared::cluster.u32 [%r7], 5;";
        String meeting = "barrier.cluster.arrive; barrier.cluster.wait;";
        String save = "@%p4 bra OVER;" + SAVE + "OVER:";
        String load = "@%p4 bra OVER;" + LOAD + "OVER:";
        for (String copy : new String[] {save, load}) {
            assertFine(store + FENCE + meeting + copy, 2, 2);
            assertFine(store + meeting + FENCE + copy, 2, 2);
            assertTold(store + meeting + copy, 2, 2, "shared address 0x0 (tile");
            assertTold(store + "fence.proxy.async.global;" + meeting + copy, 2, 2, "shared");
            String strong = store.replace("st.shared", "st.relaxed.cluster.shared");
            assertFine(strong + meeting + FENCE + copy, 2, 2);
            assertTold(strong + meeting + copy, 2, 2, "shared address 0x0 (tile");
        }
    }
}
