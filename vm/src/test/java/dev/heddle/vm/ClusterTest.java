package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Objects;

@DisplayName("PTX ISA 2.2.2: clusters")
final class ClusterTest {
    private static final Machine[] MACHINES = {Machine.interpreter(), Machine.compiler()};

    /// CTAs of 32 threads; `%rd1` holds the place of the CTA's 64 words in `out`, `%r1` the thread,
    /// `%r2` the rank, `%r3` the linear CTA, `%r4` the next rank.
    private static final String PTX =
            """
            .version 8.6
            .target sm_90a
            .address_size 64
            .visible .entry k(.param .u64 out) {
            .reg .b64 %rd<19>; .reg .b32 %r<29>; .reg .pred %p<9>;
            .shared .align 16 .b8 tile[256];
            .shared .align 8 .b64 full;
            ld.param.u64 %rd1, [out];
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, %cluster_ctarank;
            mov.u32 %r3, %ctaid.x;
            mul.wide.u32 %rd2, %r3, 256;
            add.u64 %rd1, %rd1, %rd2;
            mad.wide.u32 %rd1, %r1, 4, %rd1;
            add.u32 %r4, %r2, 1;
            mov.u32 %r5, %cluster_nctarank;
            rem.u32 %r4, %r4, %r5;
            mov.u32 %r6, tile;
            mad.lo.u32 %r6, %r1, 4, %r6;
            mad.lo.u32 %r7, %r3, 100, %r1;
            st.shared.u32 [%r6], %r7;
            BODY
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            ret;
            }
            """;

    private static final String MEET =
            "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;";

    private static Outcome run(Machine machine, String body, int ctas, int cluster) {
        return machine.run(
                Kernel.of(PTX.replace("BODY", body), "k.ptx", "k"),
                Launch.grid(ctas)
                        .block(32)
                        .cluster(cluster, 1, 1)
                        .passing(Argument.zeros("out", 256 * ctas)));
    }

    private interface Word {
        int of(int cta, int thread);
    }

    private static void expect(String body, int ctas, int cluster, Word first, Word second) {
        for (Machine machine : MACHINES) {
            Outcome outcome = run(machine, body, ctas, cluster);
            assertThat(outcome.findings()).as(machine.name()).isEmpty();
            int[] out = outcome.ints("out");
            for (int i = 0; i < out.length; i++) {
                Word word = i % 64 < 32 ? first : second;
                assertThat(out[i]).as("word %d", i).isEqualTo(word.of(i / 64, i % 32));
            }
        }
    }

    private static Finding finding(String body, int cluster) {
        Finding found = null;
        for (Machine machine : MACHINES) {
            Outcome outcome = run(machine, body, cluster, cluster);
            assertThat(outcome.findings()).as(machine.name()).hasSize(1);
            found = outcome.findings().getFirst();
        }
        return Objects.requireNonNull(found);
    }

    private static int next(int cta, int cluster) {
        return cta / cluster * cluster + (cta % cluster + 1) % cluster;
    }

    @Test
    @DisplayName("9.7.9.22: CTAs read each other's shared memory, by window and by generic address")
    void remoteLoads() {
        for (int cluster : new int[] {1, 2, 3, 8, 16}) {
            expect(
                    MEET
                            + """
                            mapa.shared::cluster.u32 %r8, %r6, %r4;
                            ld.shared::cluster.u32 %r9, [%r8];
                            st.global.u32 [%rd1], %r9;
                            cvt.u64.u32 %rd3, %r6;
                            cvta.shared.u64 %rd3, %rd3;
                            mapa.u64 %rd4, %rd3, %r4;
                            ld.u32 %r10, [%rd4];
                            getctarank.u64 %r11, %rd4;
                            mad.lo.u32 %r10, %r11, 10000, %r10;
                            st.global.u32 [%rd1+128], %r10;
                            """,
                    2 * cluster,
                    cluster,
                    (cta, thread) -> 100 * next(cta, cluster) + thread,
                    (cta, thread) ->
                            100 * next(cta, cluster)
                                    + thread
                                    + 10000 * (next(cta, cluster) % cluster));
        }
    }

    @Test
    @DisplayName("9.7.13.5: atomics on another CTA's shared memory")
    void remoteAtomics() {
        expect(
                MEET
                        + """
                        mapa.shared::cluster.u32 %r8, %r6, 0;
                        red.relaxed.cluster.shared::cluster.add.u32 [%r8], 1;
                        atom.relaxed.cluster.shared::cluster.add.u32 %r9, [%r8], 0;
                        """
                        + MEET
                        + """
                        ld.shared::cluster.u32 %r9, [%r8];
                        st.global.u32 [%rd1], %r9;
                        isspacep.shared::cta %p1, %rd1;
                        cvt.u64.u32 %rd3, %r8;
                        cvta.shared::cluster.u64 %rd3, %rd3;
                        isspacep.shared::cluster %p2, %rd3;
                        selp.u32 %r10, 1, 0, %p2;
                        st.global.u32 [%rd1+128], %r10;
                        """,
                4,
                4,
                (cta, thread) -> thread + 4,
                (cta, thread) -> 1);
    }

    @Test
    @DisplayName("9.7.9.12, 9.7.13.7: st.async and red.async, counted by the other CTA's mbarrier")
    void countedStores() {
        expect(
                """
                mov.u32 %r12, full;
                setp.eq.u32 %p1, %r1, 0;
                @%p1 mbarrier.init.shared.b64 [%r12], 1;
                @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r12], 256;
                """
                        + MEET
                        + """
                        mapa.shared::cluster.u32 %r8, %r6, %r4;
                        mapa.shared::cluster.u32 %r13, %r12, %r4;
                        st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r8+128], %r3, [%r13];
                        red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32
                            [%r8], 7, [%r13];
                        W: mbarrier.try_wait.parity.shared.b64 %p2, [%r12], 0;
                        @!%p2 bra W;
                        ld.shared.u32 %r9, [%r6];
                        st.global.u32 [%rd1], %r9;
                        ld.shared.u32 %r9, [%r6+128];
                        st.global.u32 [%rd1+128], %r9;
                        """,
                3,
                3,
                (cta, thread) -> 100 * cta + thread + 7,
                (cta, thread) -> (cta + 2) % 3);
    }

    @Test
    @DisplayName("9.7.13.15: an arrival at the mbarrier of another CTA")
    void remoteArrival() {
        expect(
                """
                mov.u32 %r12, full;
                setp.eq.u32 %p1, %r1, 0;
                @%p1 mbarrier.init.shared.b64 [%r12], 32;
                """
                        + MEET
                        + """
                        mapa.shared::cluster.u32 %r13, %r12, %r4;
                        mapa.shared::cluster.u32 %r8, %r6, %r4;
                        st.shared::cluster.u32 [%r8], %r2;
                        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r13];
                        W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [%r12], 0;
                        @!%p2 bra W;
                        ld.shared.u32 %r9, [%r6];
                        st.global.u32 [%rd1], %r9;
                        """,
                8,
                4,
                (cta, thread) -> (cta + 3) % 4,
                (cta, thread) -> 0);
    }

    @Test
    @DisplayName("10.12 to 10.17: where a CTA is")
    void registers() {
        String text =
                """
                .version 8.6
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out) .reqnctapercluster 2, 3, 1 {
                .reg .b64 %rd<9>; .reg .b32 %r<29>; .reg .pred %p<3>;
                ld.param.u64 %rd1, [out];
                mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x;
                mad.lo.u32 %r4, %r2, %r3, %r1;
                mad.wide.u32 %rd1, %r4, 4, %rd1;
                mov.u32 %r5, %clusterid.x; mov.u32 %r6, %clusterid.y;
                mov.u32 %r7, %cluster_ctaid.x; mov.u32 %r8, %cluster_ctaid.y;
                mov.u32 %r9, %cluster_ctarank; mov.u32 %r10, %nclusterid.x;
                mov.pred %p1, %is_explicit_cluster;
                selp.u32 %r11, 1, 0, %p1;
                mad.lo.u32 %r11, %r11, 10, %r10;
                mad.lo.u32 %r11, %r11, 10, %r5; mad.lo.u32 %r11, %r11, 10, %r6;
                mad.lo.u32 %r11, %r11, 10, %r7; mad.lo.u32 %r11, %r11, 10, %r8;
                mad.lo.u32 %r11, %r11, 10, %r9;
                st.global.u32 [%rd1], %r11;
                ret;
                }
                """;
        Outcome outcome =
                Machine.compiler()
                        .run(
                                Kernel.of(text, "k.ptx", "k"),
                                Launch.grid(4, 6, 1)
                                        .block(1)
                                        .passing(Argument.zeros("out", 4 * 24)));
        assertThat(outcome.findings()).isEmpty();
        int[] out = outcome.ints("out");
        for (int y = 0; y < 6; y++) {
            for (int x = 0; x < 4; x++) {
                String digits =
                        "12%d%d%d%d%d".formatted(x / 2, y / 3, x % 2, y % 3, x % 2 + y % 3 * 2);
                assertThat(out[4 * y + x]).isEqualTo(Integer.parseInt(digits));
            }
        }
    }

    @Test
    @DisplayName("9.7.13.3: a CTA that never arrives, and threads out of turn")
    void brokenBarriers() {
        Finding never =
                finding(
                        "setp.eq.u32 %p1, %r2, 1; W: @%p1 bra W2; "
                                + MEET
                                + " bra D; W2: barrier.sync 1, 64; D:",
                        2);
        assertThat(never.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(never.notes().toString()).contains("barrier of the cluster, which has 32 of 64");
        Finding twice = finding("barrier.cluster.arrive; barrier.cluster.arrive;", 2);
        assertThat(twice.rule()).isEqualTo(Rule.CLUSTER_BARRIER_OUT_OF_TURN);
        assertThat(finding("barrier.cluster.wait;", 2).message())
                .contains("without having arrived");
    }

    @Test
    @DisplayName("a rank that the cluster has not")
    void aRankThatIsNotThere() {
        Finding found =
                finding(
                        MEET
                                + "mapa.shared::cluster.u32 %r8, %r6, 2; ld.shared::cluster.u32"
                                + " %r9, [%r8];",
                        2);
        assertThat(found.rule()).isEqualTo(Rule.OUT_OF_BOUNDS);
        assertThat(found.message())
                .contains("load of 4 bytes at cluster address 0x3")
                .endsWith(", in the CTA of rank 2, and the cluster has 2 CTAs");
    }
}
