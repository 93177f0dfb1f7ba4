package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// A CTA accesses the memory of rank 0, and again behind a barrier of the cluster: the first time
/// is over for rank 0, which has looked, and the second is so where it is handed over.
@DisplayName("PTX ISA 8.7.1: what a CTA does in another's memory behind a barrier of the cluster")
final class LaterAccessesTest {
    private static final String ATOMIC = "red.relaxed.cluster.shared::cluster.add.u32 [%r4+4], 1";
    private static final String PTX =
            """
            .version 8.6
            .target sm_90a
            .address_size 64
            .visible .entry k() {
            .reg .b32 %r<9>; .reg .pred %p<9>;
            .shared .align 4 .b32 tile[2];
            .shared .align 4 .b32 flag;
            mov.u32 %r1, %cluster_ctarank;
            setp.eq.u32 %p1, %r1, 0;
            mov.u32 %r2, tile;
            mov.u32 %r3, flag;
            mov.u32 %r7, 0;
            mapa.shared::cluster.u32 %r4, %r2, 0;
            mapa.shared::cluster.u32 %r5, %r3, 1;
            st.shared.u32 [%r2], 0;
            st.shared.u32 [%r2+4], 0;
            st.shared.u32 [%r3], 0;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            @!%p1 st.shared::cluster.u32 [%r4], 5;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            @%p1 bra INSIDE;
            SECOND;
            st.RELEASE.cluster.shared::cluster.u32 [%r5], 1;
            bra DONE;
            INSIDE:
            ld.shared.u32 %r6, [%r2];
            WAIT: ld.ACQUIRE.cluster.shared::cluster.u32 %r6, [%r5];
            setp.eq.u32 %p2, %r6, 0;
            @%p2 bra WAIT;
            LAST;
            setp.eq.u32 %p3, %r7, 9;
            @%p3 bra DONE;
            DONE:
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
            }
            """;

    private static List<Finding> run(Machine machine, String second, String last, boolean ordered) {
        String text =
                PTX.replace("SECOND", second)
                        .replace("LAST", last)
                        .replace("RELEASE", ordered ? "release" : "relaxed")
                        .replace("ACQUIRE", ordered ? "acquire" : "relaxed");
        Launch launch = Launch.grid(2).block(1).cluster(2, 1, 1).passing();
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
    }

    /// By ordinary stores, loads and atomic operations.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "st.shared::cluster.u32 [%r4+4], 7; ld.shared.u32 %r7, [%r2+4]",
                "st.shared::cluster.u32 [%r4+4], 7; st.shared.u32 [%r2+4], 8",
                "ld.shared::cluster.u32 %r7, [%r4+4]; st.shared.u32 [%r2+4], 8",
                ATOMIC + "; ld.shared.u32 %r7, [%r2+4]",
                ATOMIC + "; st.shared.u32 [%r2+4], 8",
            })
    void areOverWhereTheyAreHandedOver(String second, String last) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(run(machine, second, last, true)).isEmpty();
            assertThat(run(machine, second, last, false))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.DATA_RACE);
        }
    }

    /// One lane of the other CTA stores, then another lane, which knows as much as the first.
    ///
    /// @param first the thread that stores before the barrier, of this CTA or of a third
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "mov.u32 %r7, %r1; 32; true",
                "mov.u32 %r7, %r1; 64; true",
                "bar.warp.sync -1; 32; false"
            })
    void ofOneLaneAreNotOverForAnother(String between, int first, boolean isRace) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry k() {
                .reg .b32 %r<9>; .reg .pred %p<9>;
                .shared .align 4 .b32 tile[2];
                mov.u32 %r1, %cluster_ctarank;
                mov.u32 %r3, %tid.x;
                mad.lo.u32 %r3, %r1, 32, %r3;
                setp.eq.u32 %p1, %r3, 32;
                setp.eq.u32 %p2, %r3, 33;
                setp.eq.u32 %p3, %r3, FIRST;
                mov.u32 %r2, tile;
                mapa.shared::cluster.u32 %r4, %r2, 0;
                barrier.cluster.arrive;
                barrier.cluster.wait;
                @%p3 st.shared::cluster.u32 [%r4], 5;
                barrier.cluster.arrive;
                barrier.cluster.wait;
                @%p1 st.shared::cluster.u32 [%r4+4], 7;
                BETWEEN;
                @%p2 st.shared::cluster.u32 [%r4+4], 8;
                barrier.cluster.arrive;
                barrier.cluster.wait;
                ret;
                }
                """
                        .replace("BETWEEN", between)
                        .replace("FIRST", "" + first);
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Launch launch = Launch.grid(3).block(32).cluster(3, 1, 1).passing();
            assertThat(machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings())
                    .extracting(Finding::rule)
                    .isEqualTo(isRace ? List.of(Rule.DATA_RACE) : List.of());
        }
    }
}
