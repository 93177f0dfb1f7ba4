package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/// The CTA of rank 0 copies 16 bytes of its shared memory to that of rank 1, and ends: a warning
/// where it is not told that the mbarrier there has counted them.
@DisplayName("PTX ISA 5.1.7: a CTA ends while its copy to another reads its shared memory")
final class ClusterSourcesTest {
    private static final String MEET = "barrier.cluster.arrive; barrier.cluster.wait;";

    /// The receiver waits for the copy by WAIT, the other for its arrival by HEAR.
    private static Kernel kernel(String sender, String receiver) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u64 in)
                .explicitcluster .reqnctapercluster 2, 1, 1 {
                .reg .b64 %rd<4>; .reg .b32 %r<12>; .reg .pred %p<4>;
                .shared .align 16 .b8 own[16]; .shared .align 16 .b8 theirs[16];
                .shared .align 8 .b64 full; .shared .align 8 .b64 heard;
                ld.param.u64 %rd1, [in];
                mov.u32 %r1, %cluster_ctarank;
                setp.eq.u32 %p1, %r1, 0;
                mov.u32 %r6, theirs; mov.u32 %r7, full; mov.u32 %r8, own; mov.u32 %r10, heard;
                mapa.shared::cluster.u32 %r4, %r6, 1;
                mapa.shared::cluster.u32 %r5, %r7, 1;
                mapa.shared::cluster.u32 %r9, %r10, 0;
                st.shared.v4.u32 [own], {5, 6, 7, 8};
                mbarrier.init.shared.b64 [full], 1;
                mbarrier.init.shared.b64 [heard], 1;
                mbarrier.arrive.expect_tx.shared.b64 _, [full], 16;
                fence.proxy.async;
                barrier.cluster.arrive; barrier.cluster.wait;
                @%p1 bra SEND;
                RECEIVER
                bra END;
                SEND:
                cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r4], [%r8], 16, [%r5];
                SENDER
                END:
                ret;
                }
                """
                        .replace("RECEIVER", receiver)
                        .replace("SENDER", sender)
                        .replace(
                                "WAIT",
                                "W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3,"
                                        + " [full], 0; @!%p3 bra W;")
                        .replace(
                                "HEAR",
                                "H: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3,"
                                        + " [heard], 0; @!%p3 bra H;")
                        .replace(
                                "READ_FLAG",
                                "F: ld.relaxed.cluster.global.u32 %r11, [%rd1];"
                                        + " setp.eq.u32 %p3, %r11, 0; @%p3 bra F;");
        return Kernel.of(text, "k.ptx", "k");
    }

    private static List<Finding> warnings(String sender, String receiver) {
        List<Finding> all = new ArrayList<>();
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Launch launch = Launch.grid(2).block(1).passing(Argument.zeros("in", 16));
            Outcome outcome = machine.run(kernel(sender, receiver), launch);
            assertThat(outcome.findings()).isEmpty();
            all.addAll(outcome.warnings());
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "' ' | WAIT",
                // The receiver tells before it has waited.
                MEET + " | " + MEET + " WAIT",
                "HEAR | mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9]; WAIT",
            })
    void isToldOfOneThatIsNotTold(String sender, String receiver) {
        List<Finding> told = warnings(sender, receiver);
        assertThat(told).hasSize(2);
        assertThat(told)
                .allSatisfy(
                        warning -> {
                            assertThat(warning.rule()).isEqualTo(Rule.BULK_READ_NOT_AWAITED);
                            assertThat(warning.message()).contains("mbarrier of the other");
                            assertThat(warning.where().x()).isZero();
                        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                MEET + " | WAIT " + MEET,
                "HEAR | WAIT mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];",
                // In no order, but in fact.
                "barrier.cluster.arrive.relaxed; barrier.cluster.wait;"
                        + " | WAIT barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
                "HEAR | WAIT mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r9];",
                "READ_FLAG | WAIT st.relaxed.cluster.global.u32 [%rd1], 1;",
            })
    void isNotToldOfOneThatIs(String sender, String receiver) {
        assertThat(warnings(sender, receiver)).isEmpty();
    }
}
