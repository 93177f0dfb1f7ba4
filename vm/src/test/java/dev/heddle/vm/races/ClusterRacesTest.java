package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A store of what is there already does not race with the store that put it there, and still
/// races with a load. In each case one CTA (the writer) stores 5 in the memory of rank 0, another
/// (the reader) sees that by release and acquire and loads it, and a third (the late one), which
/// nothing orders behind either, stores 5 again.
@DisplayName("PTX ISA 8.7.1: races between three CTAs of a cluster")
final class ClusterRacesTest {
    private static final Machine[] MACHINES = {Machine.interpreter(), Machine.compiler()};

    private static final String PTX =
            """
            .version 8.6
            .target sm_90a
            .address_size 64
            .visible .entry k() {
            .reg .b32 %r<9>; .reg .pred %p<9>;
            .shared .align 4 .b32 tile;
            .shared .align 4 .b32 flag;
            mov.u32 %r1, %cluster_ctarank;
            mov.u32 %r2, tile;
            mov.u32 %r3, flag;
            mapa.shared::cluster.u32 %r4, %r2, 0;
            st.shared.u32 [%r2], 0;
            st.shared.u32 [%r3], 0;
            barrier.cluster.arrive.release.aligned;
            barrier.cluster.wait.acquire.aligned;
            setp.eq.u32 %p1, %r1, WRITER;
            setp.eq.u32 %p2, %r1, READER;
            setp.eq.u32 %p3, %r1, LATE;
            @%p1 bra writes;
            @%p2 bra reads;
            @%p3 bra late;
            bra done;
            writes:
            st.shared::cluster.u32 [%r4], 5;
            mapa.shared::cluster.u32 %r5, %r3, READER;
            st.release.cluster.shared::cluster.u32 [%r5], 1;
            bra done;
            reads:
            ld.acquire.cluster.shared.u32 %r6, [%r3];
            setp.eq.u32 %p4, %r6, 0;
            @%p4 bra reads;
            LOAD
            mapa.shared::cluster.u32 %r5, %r3, LATE;
            st.relaxed.cluster.shared::cluster.u32 [%r5], 1;
            bra done;
            late:
            ld.relaxed.cluster.shared.u32 %r6, [%r3];
            setp.eq.u32 %p4, %r6, 0;
            @%p4 bra late;
            st.shared::cluster.u32 [%r4], 5;
            done:
            barrier.cluster.arrive.release.aligned;
            barrier.cluster.wait.acquire.aligned;
            ret;
            }
            """;

    private static Outcome run(Machine machine, int writer, int reader, int late, String load) {
        String text =
                PTX.replace("WRITER", "" + writer)
                        .replace("READER", "" + reader)
                        .replace("LATE", "" + late)
                        .replace("LOAD", load);
        return machine.run(
                Kernel.of(text, "k.ptx", "k"), Launch.grid(4).block(1).cluster(4, 1, 1).passing());
    }

    @ParameterizedTest(name = "writer {0}, reader {1}, late store {2}")
    @CsvSource({"0, 2, 1", "2, 3, 1", "1, 2, 0", "1, 0, 2", "0, 1, 2"})
    void theLoadIsTold(int writer, int reader, int late) {
        for (Machine machine : MACHINES) {
            assertThat(
                            run(machine, writer, reader, late, "ld.shared::cluster.u32 %r7, [%r4];")
                                    .findings())
                    .as(machine.name())
                    .isNotEmpty()
                    .first()
                    .extracting("rule")
                    .isEqualTo(Rule.DATA_RACE);
        }
    }

    @ParameterizedTest(name = "writer {0}, late store {2}")
    @CsvSource({"0, 2, 1", "2, 3, 1", "1, 2, 0"})
    void storesOfOneValueAreNone(int writer, int reader, int late) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, writer, reader, late, "").findings())
                    .as(machine.name())
                    .isEmpty();
        }
    }
}
