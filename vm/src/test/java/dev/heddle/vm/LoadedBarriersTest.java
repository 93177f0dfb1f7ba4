package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// The mbarrier is at `tile+16`: all threads have learnt that it was made, and a phase of it has
/// ended.
@DisplayName("PTX ISA 9.7.13.15.3: nothing but mbarrier operations reads an mbarrier in use")
final class LoadedBarriersTest {
    private static final String BEFORE =
            """
            mov.u32 %r7, tile; mov.u32 %r8, 1; mov.u32 %r9, 0; setp.eq.u32 %p1, %r1, 0;
            mad.lo.u32 %r10, %r1, 4, %r7; mad.wide.u32 %rd2, %r1, 4, %rd1;
            @%p1 st.shared.v4.u32 [%r7], {%r8, %r8, %r8, %r8};
            @%p1 st.shared.v2.u32 [%r7+24], {%r8, %r8};
            """;

    private static final String MADE =
            """
            @%p1 mbarrier.init.shared.b64 [%r7+16], 64; bar.sync 0;
            mbarrier.arrive.shared.b64 _, [%r7+16];
            WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r7+16], 0; @!%p2 bra WAIT;
            """;

    private static TinyKernel kernel(String before, String behind) {
        return TinyKernel.of(BEFORE + before + MADE + behind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.shared.u64 %rd3, [%r7+16];",
                "ld.shared.u32 %r3, [%r7+16];",
                "ld.shared.u32 %r3, [%r7+20];",
                "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r7+16];",
                "ld.shared.v2.u64 {%rd3, %rd4}, [%r7+16];",
                "ld.shared.u8 %r3, [%r7+23];",
                "ld.shared.u16 %r3, [%r7+18];",
                "setp.lt.u32 %p3, %r1, 8; @%p3 ld.shared.u32 %r3, [%r10];",
                "setp.eq.u32 %p3, %r1, 40; @%p3 ld.shared.u32 %r3, [%r7+16];",
                "ld.volatile.shared.u64 %rd3, [%r7+16];",
                "ld.relaxed.cta.shared.u32 %r3, [%r7+16];",
                "ld.acquire.cta.shared.u64 %rd3, [%r7+16];",
                "cvta.shared.u64 %rd3, tile; ld.u64 %rd4, [%rd3+16];",
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r7];"
                        + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r7+16];",
                "bar.sync 0; mbarrier.arrive.shared.b64 _, [%r7+16]; ld.shared.u32 %r3, [%r7+20];"
            })
    void aLoadOfOneIsTold(String load) {
        Finding found = kernel("", load).finding(64, 256);
        assertThat(found.rule()).isEqualTo(Rule.MBARRIER_OVERWRITTEN);
        assertThat(found.message())
                .endsWith(
                        " loads of the mbarrier at shared address 0x10, which is in use: only"
                                + " mbarrier instructions may touch it");
        assertThat(found.notes().getFirst().message())
                .isEqualTo("initialised here for 64 arrivals");
    }

    /// A copy of the bytes from `tile+at` on to global memory.
    private static String copy(int at, int bytes) {
        return """
        fence.proxy.async; bar.sync 0;
        @%%p1 cp.async.bulk.global.shared::cta.bulk_group [%%rd1], [%%r7+%d], %d;
        @%%p1 cp.async.bulk.commit_group; @%%p1 cp.async.bulk.wait_group 0;
        """
                .formatted(at, bytes);
    }

    @ParameterizedTest
    @CsvSource({"16, 16", "0, 32", "16, 64"})
    void aBulkCopyOfOneIsTold(int at, int bytes) {
        String all = "setp.gt.u32 %p4, %r1, 7; @%p4 st.shared.u32 [%r10], %r8;";
        Finding found = kernel(all, copy(at, bytes)).finding(64, 256);
        assertThat(found.rule()).isEqualTo(Rule.MBARRIER_OVERWRITTEN);
        assertThat(found.message()).contains(" reads of the mbarrier at shared address 0x10,");
    }

    @Test
    void aBulkCopyBesideOneIsNot() {
        assertThat(kernel("", copy(0, 16)).run(64, new int[64])).startsWith(1, 1, 1, 1, 0);
        String end = "bar.sync 0; @%p1 mbarrier.inval.shared.b64 [%r7+16];";
        String anew = "@%p1 st.shared.v2.u32 [%r7+16], {%r8, %r8};";
        assertThat(kernel("", end + anew + copy(16, 16)).run(64, new int[64]))
                .startsWith(1, 1, 1, 1, 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Beside it.
                "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r7]; st.global.u32 [%rd2], %r6;",
                "ld.shared.u64 %rd3, [%r7+24]; st.global.u32 [%rd2], %rd3;",
                "ld.volatile.shared.u32 %r3, [%r7+24]; st.global.u32 [%rd2], %r3;",
                "ld.shared.u8 %r3, [%r7+15]; ld.shared.u8 %r4, [%r7+24]; st.global.u32 [%rd2],"
                        + " %r4;",
                // What it was before the object was ended does not count, nor what comes behind.
                """
                bar.sync 0; @%p1 mbarrier.inval.shared.b64 [%r7+16]; bar.sync 0;
                @%p1 st.shared.v2.u32 [%r7+16], {%r8, %r8}; bar.sync 0;
                ld.shared.v2.u32 {%r3, %r4}, [%r7+16]; st.global.u32 [%rd2], %r4; bar.sync 0;
                ld.volatile.shared.u32 %r3, [%r7+16]; ld.shared.u8 %r3, [%r7+16]; bar.sync 0;
                @%p1 mbarrier.init.shared.b64 [%r7+16], 64; bar.sync 0;
                mbarrier.arrive.shared.b64 _, [%r7+16]; bar.sync 0;
                @%p1 mbarrier.inval.shared.b64 [%r7+16]; bar.sync 0;
                @%p1 st.shared.u8 [%r7+16], %r8; bar.sync 0;
                ld.shared.u8 %r3, [%r7+16];
                """
            })
    void aLoadBesideOneOrBehindItsEndIsNot(String load) {
        assertThat(kernel("", load).run(64, new int[64])).containsOnly(1);
    }

    @Test
    void aLoadBeforeItIsMadeIsNot() {
        TinyKernel kernel =
                kernel(
                        """
                        @%p1 st.shared.v2.u32 [%r7+16], {%r8, %r8}; bar.sync 0;
                        ld.shared.v2.u32 {%r3, %r4}, [%r7+16]; ld.volatile.shared.u32 %r5, [%r7+16];
                        bar.sync 0;
                        """,
                        "st.global.u32 [%rd2], %r3;");
        assertThat(kernel.run(64, new int[64])).containsOnly(1);
    }

    private static final String CLUSTER =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            .visible .entry kernel() .reqnctapercluster 2, 1, 1 {
                .reg .b32 %r<5>;
                .shared .align 8 .b8 memory[16];
                mov.u32 %r1, memory;
                mbarrier.init.shared.b64 [%r1], 1; st.shared.u32 [%r1+8], %r1;
                barrier.cluster.arrive; barrier.cluster.wait;
                mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1;
                mapa.shared::cluster.u32 %r3, %r1, %r2;
                ld.shared::cluster.u32 %r4, [%r3+AT];
                barrier.cluster.arrive; barrier.cluster.wait;
                ret;
            }
            """;

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 8})
    void soItIsInAnotherCta(int at) {
        Kernel kernel = Kernel.of(CLUSTER.replace("AT", "" + at), "k.ptx", "kernel");
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            List<Finding> found = machine.run(kernel, Launch.grid(2).block(1).passing()).findings();
            assertThat(found).hasSize(at < 8 ? 1 : 0);
            for (Finding each : found) {
                assertThat(each.rule()).isEqualTo(Rule.MBARRIER_OVERWRITTEN);
                assertThat(each.message()).contains("address 0x0 of the CTA of rank ");
            }
        }
    }

    /// Behind its end its memory is memory like all other.
    @Test
    void raceBehindItsEndIsFound() {
        TinyKernel kernel =
                kernel(
                        "",
                        """
                        bar.sync 0; @%p1 mbarrier.inval.shared.b64 [%r7+16];
                        setp.eq.u32 %p3, %r1, 40; @%p3 st.shared.u32 [%r7+16], %r8;
                        """);
        assertThat(kernel.finding(64, 256).rule()).isEqualTo(Rule.DATA_RACE);
    }
}
