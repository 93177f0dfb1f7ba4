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
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Memory operations use the generic proxy, unless the manual names another: it does so for bulk
/// copies and products.
@DisplayName("PTX ISA 8.6, 9.7.9.25.2: bulk copies behind st.async and red.async")
final class AsyncStoreProxiesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static final String COUNTED = ".shared::cluster.mbarrier::complete_tx::bytes";
    private static final String STORE = "st.async" + COUNTED + ".b32 [%r7], %r1, [%r8];";
    private static final String REDUCTION =
            "red.async.relaxed.cluster" + COUNTED + ".add.u32 [%r7], %r1, [%r8];";
    private static final String COPY =
            "@!%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
                    + " [%r7], [other], 128, [%r8];";

    private static final String WAIT =
            "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [full], 0;"
                    + " @!%p3 bra W;";
    private static final String MEETING = "bar.sync 0;";
    private static final String FENCE = "fence.proxy.async;";

    private static final String SAVE =
            """
            @!%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 128;
            @!%p1 cp.async.bulk.commit_group;
            @!%p1 cp.async.bulk.wait_group 0;
            """;
    private static final String ADD =
            SAVE.replace("cp.async.bulk.global", "cp.reduce.async.bulk.global")
                    .replace("bulk_group [", "bulk_group.add.u32 [");
    private static final String LOAD =
            """
            @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
            @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd2], 128, [full];
            L: mbarrier.try_wait.parity.shared.b64 %p3, [full], 1; @!%p3 bra L;
            """;

    /// Each thread has a word of the tile, and r7 is that of the other CTA.
    private static List<Finding> run(Machine machine, String body) {
        String text =
                """
                .version 8.6
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out, .param .u64 in)
                .explicitcluster .reqnctapercluster 2, 1, 1 {
                .reg .b64 %rd<9>; .reg .b32 %r<12>; .reg .pred %p<9>;
                .shared .align 128 .b8 tile[128]; .shared .align 128 .b8 other[128];
                .shared .align 8 .b64 full;
                ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];
                mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank; xor.b32 %r3, %r2, 1;
                mul.wide.u32 %rd3, %r2, 128; add.u64 %rd1, %rd1, %rd3;
                mov.u32 %r4, tile; mad.lo.u32 %r5, %r1, 4, %r4; mov.u32 %r6, full;
                mapa.shared::cluster.u32 %r7, %r5, %r3; mapa.shared::cluster.u32 %r8, %r6, %r3;
                setp.ne.u32 %p1, %r1, 0;
                @!%p1 mbarrier.init.shared.b64 [full], 1;
                @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
                mov.u32 %r9, other; mad.lo.u32 %r9, %r1, 4, %r9;
                st.shared.u32 [%r5], 0; st.shared.u32 [%r9], 0;
                fence.proxy.async.shared::cta;
                barrier.cluster.arrive; barrier.cluster.wait;
                BODY
                barrier.cluster.arrive; barrier.cluster.wait;
                ret;
                }
                """
                        .replace("BODY", body);
        Launch launch =
                Launch.grid(2)
                        .block(32)
                        .passing(Argument.zeros("out", 256), Argument.zeros("in", 128));
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
    }

    private static void assertFine(String body) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body)).as(body).isEmpty();
        }
    }

    private static void assertTold(String body, String operation) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body))
                    .as(body)
                    .singleElement()
                    .satisfies(
                            finding -> {
                                assertThat(finding.rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
                                assertThat(finding.message())
                                        .contains("shared address 0x0 (tile")
                                        .contains("has written through the generic proxy");
                                assertThat(finding.notes())
                                        .anyMatch(note -> note.toString().contains(operation));
                            });
        }
    }

    /// By the thread that copies, by another that has waited, or for shared memory alone.
    @ParameterizedTest
    @ValueSource(
            strings = {
                WAIT + FENCE,
                WAIT + "@!%p1 " + FENCE,
                WAIT + "@%p1 " + FENCE + MEETING,
                WAIT + MEETING + "fence.proxy.async.shared::cta;"
            })
    void areFencedBehindTheWait(String between) {
        for (String write : new String[] {STORE, REDUCTION}) {
            for (String copy : new String[] {SAVE, ADD, LOAD}) {
                assertFine(write + between + copy);
            }
        }
    }

    /// Not at all, by the thread that wrote, by one that has not waited yet, or for global memory.
    @ParameterizedTest
    @ValueSource(
            strings = {
                WAIT,
                WAIT + MEETING,
                FENCE + WAIT,
                FENCE + "barrier.cluster.arrive; barrier.cluster.wait;" + WAIT,
                WAIT + "fence.proxy.async.global;"
            })
    void fencesThatAreNone(String between) {
        for (String copy : new String[] {SAVE, ADD, LOAD}) {
            assertTold(STORE + between + copy, "st.async");
            assertTold(REDUCTION + between + copy, "red.async");
        }
    }

    /// Of many fences the oldest are forgotten.
    @ParameterizedTest
    @CsvSource({"100", "2500"})
    void behindManyFences(int fences) {
        String fencing =
                "mov.u32 %%r9, 0; F: fence.proxy.async; add.u32 %%r9, %%r9, 1;".formatted()
                        + "setp.lt.u32 %p4, %r9, "
                        + fences
                        + "; @%p4 bra F;";
        assertFine(STORE + WAIT + fencing + SAVE);
        assertFine(STORE + WAIT + FENCE + fencing + SAVE);
    }

    /// A bulk copy writes through the async proxy itself.
    @Test
    void bulkCopiesNeedNone() {
        for (String copy : new String[] {SAVE, ADD, LOAD}) {
            assertFine(COPY + WAIT + copy);
        }
    }
}
