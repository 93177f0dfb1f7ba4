package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// One CTA of a cluster of two writes 16 bytes into the other's shared memory, asynchronously: that
/// must not end before one of its threads has waited for the mbarrier that counts them.
@DisplayName("PTX ISA 5.1.7: a CTA ends that asynchronous operations of its cluster write to")
final class ClusterEndTest {
    private static final String COMPLETES = ".mbarrier::complete_tx::bytes";

    /// What writes 16 bytes at `%r4` for the mbarrier at `%r5`, both of the target, `%r6` and `%r7`
    /// being the same places here.
    enum Operation {
        STORE("st.async.weak.shared::cluster" + COMPLETES + ".v4.b32 [%r4], {1, 2, 3, 4}, [%r5];"),
        REDUCTION(
                """
                red.async.relaxed.cluster.shared::cluster%1$s.add.u64 [%%r4], 1, [%%r5];
                red.async.relaxed.cluster.shared::cluster%1$s.add.u64 [%%r4+8], 1, [%%r5];
                """
                        .formatted(COMPLETES)),
        COPY("cp.async.bulk.shared::cluster.shared::cta" + COMPLETES + " [%r4], [%r8], 16, [%r5];"),
        REDUCING_COPY(
                "cp.reduce.async.bulk.shared::cluster.shared::cta"
                        + COMPLETES
                        + ".add.u32 [%r4], [%r8], 16, [%r5];"),
        MULTICAST(
                "cp.async.bulk.shared::cluster.global"
                        + COMPLETES
                        + ".multicast::cluster [%r6], [%rd1], 16, [%r7], %h1;"),
        TENSOR_MULTICAST(
                "cp.async.bulk.tensor.1d.shared::cluster.global.tile"
                        + COMPLETES
                        + ".multicast::cluster [%r6], [%rd2, {0}], [%r7], %h1;");

        private final String text;

        Operation(String text) {
            this.text = text;
        }
    }

    /// @param target what the other one does behind the barrier of the cluster
    private static Kernel kernel(Operation operation, int sender, String target, String both) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u64 in, .param .align 64 .b8 map[128])
                .explicitcluster .reqnctapercluster 2, 1, 1 {
                .reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .b16 %h<2>; .reg .pred %p<4>;
                .shared .align 128 .b8 own[128]; .shared .align 8 .b64 full; .shared .align 16 .b8 tile[16];
                ld.param.u64 %rd1, [in]; mov.b64 %rd2, map; cvta.param.u64 %rd2, %rd2;
                mov.u32 %r1, %cluster_ctarank;
                setp.eq.u32 %p1, %r1, SENDER;
                mov.u32 %r6, own; mov.u32 %r7, full; mov.u32 %r8, tile;
                mapa.shared::cluster.u32 %r4, %r6, OTHER;
                mapa.shared::cluster.u32 %r5, %r7, OTHER;
                mov.u16 %h1, MASK;
                st.shared.v4.u32 [%r8], {5, 6, 7, 8};
                st.shared.v4.u32 [%r6], {0, 0, 0, 0};
                mbarrier.init.shared.b64 [full], 1;
                @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 16;
                fence.proxy.async;
                barrier.cluster.arrive; barrier.cluster.wait;
                @%p1 bra SEND;
                TARGET
                bra BOTH;
                SEND:
                OPERATION
                BOTH:
                LAST
                ret;
                WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [full], 0;
                @!%p3 bra WAIT;
                bra BOTH;
                }
                """
                        .replace("SENDER", "" + sender)
                        .replace("OTHER", "" + (1 - sender))
                        .replace("MASK", "" + (2 - sender))
                        .replace("TARGET", target)
                        .replace("OPERATION", operation.text)
                        .replace("LAST", both);
        return Kernel.of(text, "k.ptx", "k");
    }

    private static List<Finding> run(Machine machine, Kernel kernel, Set<RuleGroup> checks) {
        Argument.TensorMap map =
                new Argument.TensorMap(
                        new Argument.Address("in", 0),
                        FloatFormat.F32,
                        List.of(4L),
                        List.of(),
                        List.of(4),
                        List.of(1),
                        0,
                        0,
                        Argument.TensorMap.Fill.ZERO);
        Launch launch =
                Launch.grid(2).block(1).passing(Argument.zeros("in", 16), map).withChecks(checks);
        return machine.run(kernel, launch).findings();
    }

    @ParameterizedTest
    @EnumSource
    void isToldOfATargetThatDoesNotWait(Operation operation) {
        for (Variant variant : variants()) {
            List<Finding> found = variant.run(operation, "");
            assertThat(found).as("%s", variant).hasSize(1);
            Finding finding = found.getFirst();
            assertThat(finding.rule()).isEqualTo(Rule.ACCESS_TO_EXITED_CTA);
            assertThat(finding.message())
                    .contains("of the CTA of rank %d".formatted(1 - variant.sender))
                    .endsWith(
                            "one of its threads must wait for the mbarrier that counts the bytes");
            assertThat(finding.where().x()).isEqualTo(variant.sender);
            assertThat(finding.where().lanes()).isEqualTo(1);
            Finding.Note end = finding.notes().getFirst();
            assertThat(end.message())
                    .isEqualTo(
                            "thread (0,0,0) of CTA (%d,0,0) ended here"
                                    .formatted(1 - variant.sender));
            assertThat(Objects.requireNonNull(end.site()).mnemonic()).isEqualTo("ret");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNotToldOfOneThatWaits(Operation operation) {
        for (Variant variant : variants()) {
            assertThat(variant.run(operation, "bra WAIT;")).as("%s", variant).isEmpty();
        }
    }

    /// @param sender the rank of the CTA that writes
    /// @param both what both do at last
    private record Variant(Machine machine, int sender, String both, Set<RuleGroup> checks) {
        List<Finding> run(Operation operation, String target) {
            return ClusterEndTest.run(machine, kernel(operation, sender, target, both), checks);
        }

        @Override
        public String toString() {
            return "%s, %d writes, %s%s".formatted(machine.name(), sender, both, checks);
        }
    }

    /// Whichever of the two comes first, and where they meet in between as well: a barrier does not
    /// wait for what goes on beside the threads.
    private static List<Variant> variants() {
        List<Variant> all = new ArrayList<>();
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            for (int sender : new int[] {0, 1}) {
                for (String both : List.of("", "barrier.cluster.arrive; barrier.cluster.wait;")) {
                    all.add(new Variant(machine, sender, both, RuleGroup.CHECKS));
                    all.add(new Variant(machine, sender, both, Set.of(RuleGroup.ASYNC)));
                }
            }
        }
        return all;
    }
}
