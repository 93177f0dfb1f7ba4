package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Each CTA of a cluster writes the first 16 of 32 words, and reads those of the other.
@DisplayName("values that nobody wrote in shared memory of another CTA")
final class RemoteValuesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static final String COUNTED = ".mbarrier::complete_tx::bytes";
    private static final String REDUCTION =
            "red.async.relaxed.cluster.shared::cluster" + COUNTED + ".add.u32 [%r6], %r1, [%r8];";
    private static final String COPY =
            "@%p2 cp.reduce.async.bulk.shared::cluster.shared::cta" + COUNTED + ".add.u32";
    private static final String STORE =
            " @%p2 st.shared.v4.u32 [other], {1, 2, 3, 4}; fence.proxy.async; ";

    /// Of 64 bytes.
    private static final String COPIES =
            STORE
                    + COPY
                    + " [%r6], [other], 16, [%r8]; "
                    + COPY
                    + " [%r6+16], [other], 16, [%r8]; "
                    + COPY
                    + " [%r6+32], [other], 16, [%r8]; "
                    + COPY
                    + " [%r6+48], [other], 16, [%r8];";

    private static final String WAIT =
            " W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [object], 0; @!%p3 bra"
                    + " W;";

    private static List<Finding> run(Machine machine, String body) {
        String text =
                """
                .version 8.6
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out) {
                .reg .b64 %rd<9>; .reg .b32 %r<12>; .reg .pred %p<4>;
                .shared .align 16 .b32 tile[32];
                .shared .align 8 .b64 object; .shared .align 16 .b32 other[4];
                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank;
                mov.u32 %r3, tile; mad.lo.u32 %r4, %r1, 4, %r3; xor.b32 %r5, %r2, 1;
                mapa.shared::cluster.u32 %r6, %r4, %r5;
                mov.u32 %r7, object; mapa.shared::cluster.u32 %r8, %r7, %r5;
                setp.lt.u32 %p1, %r1, 16; setp.eq.u32 %p2, %r1, 0;
                @%p1 st.shared.u32 [%r4], %r1;
                @%p2 mbarrier.init.shared.b64 [object], 1;
                @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [object], 128;
                barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
                mov.u32 %r9, 0;
                BODY
                barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
                mad.lo.u32 %r10, %r2, 32, %r1; mad.wide.u32 %rd2, %r10, 4, %rd1;
                STORE st.global.u32 [%rd2], %r9;
                ret;
                }
                """
                        .replace("BODY", body.replace("FEW ", ""))
                        .replace("STORE", body.startsWith("FEW ") ? "@%p1" : "");
        Launch launch =
                Launch.grid(2)
                        .block(32)
                        .cluster(2, 1, 1)
                        .with(Argument.of("out", new int[64]))
                        .passing(new Argument.Address("out", 0));
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.shared::cluster.u32 %r9, [%r6];",
                "ld.relaxed.cluster.shared::cluster.u32 %r9, [%r6];",
                "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd3, %rd3, %r5;"
                        + " mad.wide.u32 %rd3, %r1, 4, %rd3; ld.u32 %r9, [%rd3];",
                "atom.shared::cluster.add.u32 %r9, [%r6], 1;",
                "red.relaxed.cluster.shared::cluster.add.u32 [%r6], 1;",
                REDUCTION,
                STORE + COPY + " [%r6+64], [other], 16, [%r8];",
            })
    void areToldWhereTheyDecide(String body) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.UNINITIALIZED_READ);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@%p1 ld.shared::cluster.u32 %r9, [%r6];",
                "FEW ld.shared::cluster.u32 %r9, [%r6];",
                "@%p1 atom.shared::cluster.add.u32 %r9, [%r6], 1;",
                "@%p1 " + REDUCTION + " @%p1 " + REDUCTION + WAIT,
                "@%p1 " + REDUCTION + COPIES + WAIT,
            })
    void areNoneWhereNobodyTakesThem(String body) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body)).isEmpty();
        }
    }
}
