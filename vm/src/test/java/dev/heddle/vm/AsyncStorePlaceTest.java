package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.compiler.Compilations;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName(
        "PTX ISA 9.7.9.12, 9.7.13.7: the CTAs of the data and the mbarrier of st.async, red.async")
final class AsyncStorePlaceTest {
    private static final String COUNTED = ".shared::cluster.mbarrier::complete_tx::bytes";
    private static final String STORE = "st.async" + COUNTED + ".b32 [%r4], %r2, [%r5];";
    private static final String REDUCTION =
            "red.async.relaxed.cluster" + COUNTED + ".add.u32 [%r4], 1, [%r5];";

    /// Each thread of a cluster stores or reduces one word of `row` of one of its CTAs.
    private static Outcome run(
            Machine machine, String operation, int ctas, String data, String by) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u64 in) .explicitcluster .reqnctapercluster CTAS, 1, 1 {
                .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<9>;
                .shared .align 128 .b8 row[128]; .shared .align 8 .b64 full;
                mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, row; add.u32 %r3, %r3, %r2;
                st.shared.u32 [%r3], 0; mov.u32 %r15, full;
                setp.eq.u32 %p1, %r1, 0;
                @%p1 mbarrier.init.shared.b64 [full], 1;
                @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
                barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
                mov.u32 %r10, %cluster_ctarank; xor.b32 %r11, %r10, 1;
                mapa.shared::cluster.u32 %r4, %r3, DATA;
                mapa.shared::cluster.u32 %r5, %r15, BY;
                OPERATION
                WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [full], 0;
                @!%p2 bra WAIT;
                ret;
                }
                """
                        .replace("CTAS", "" + ctas)
                        .replace("DATA", data)
                        .replace("BY", by)
                        .replace("OPERATION", operation);
        return machine.run(
                Kernel.of(text, "k.ptx", "k"),
                Launch.grid(ctas)
                        .block(32)
                        .cluster(ctas, 1, 1)
                        .passing(Argument.buffer("in", new byte[4])));
    }

    private static Machine[] machines() {
        return new Machine[] {
            Machine.interpreter(), Machine.compiler(), Machine.compiler(new Compilations(0))
        };
    }

    @ParameterizedTest
    @CsvSource({
        "STORE, 2, %r11, %r10, the mbarrier is in another CTA than the data",
        "STORE, 2, %r10, %r11, the mbarrier is in another CTA than the data",
        "REDUCTION, 2, %r11, %r10, the mbarrier is in another CTA than the data",
        "STORE, 1, %r10, %r10, the cluster has no other CTA",
        "REDUCTION, 1, %r10, %r10, the cluster has no other CTA",
        "REDUCTION, 2, %r10, %r10, the data is in the CTA of the thread"
    })
    void areTold(String operation, int ctas, String data, String by, String why) {
        String text = operation.equals("STORE") ? STORE : REDUCTION;
        for (Machine machine : machines()) {
            assertThat(run(machine, text, ctas, data, by).findings())
                    .singleElement()
                    .satisfies(
                            finding -> {
                                assertThat(finding.rule()).isEqualTo(Rule.ASYNC_STORE_MISPLACED);
                                assertThat(finding.message()).endsWith(why);
                                assertThat(finding.section())
                                        .isEqualTo(text.equals(STORE) ? "9.7.9.12" : "9.7.13.7");
                            });
        }
    }

    @ParameterizedTest
    @CsvSource({"STORE, %r11", "STORE, %r10", "REDUCTION, %r11"})
    void areOne(String operation, String cta) {
        String text = operation.equals("STORE") ? STORE : REDUCTION;
        for (Machine machine : machines()) {
            assertThat(run(machine, text, 2, cta, cta).findings()).isEmpty();
        }
    }
}
