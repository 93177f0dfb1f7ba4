package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.IntegerFormat;
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

/// Who changes what a bulk copy reads in global memory comes behind a wait for the mbarrier that
/// counts the copy; who touches what one writes there, behind a wait for its group. Each broken
/// kernel differs from its repaired twin by that wait.
@DisplayName("PTX ISA 9.7.9.25.1, 9.7.9.25.4.3: global memory of bulk copies under way")
final class BulkSourcesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static final String COPY =
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 32,"
                    + " [full];";
    private static final String TENSOR =
            "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                    + " [tile], [%rd3, {0}], [full];";
    private static final String WAIT =
            "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra WAIT;";
    private static final String BEFORE_END =
            "LAST: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra LAST;";
    private static final String WRITE = "st.global.u32 [%rd1+20], 7;";
    private static final String HAND_OVER = "st.release.gpu.global.u32 [%rd1+64], 1;";
    private static final String TAKE_OVER =
            "SPIN: ld.acquire.gpu.global.u32 %r2, [%rd1+64]; setp.eq.u32 %p3, %r2, 0; @%p3 bra"
                    + " SPIN;";

    // Thread 0 of CTA 0 begins a copy.
    private static final String HEAD =
            """
            .version 8.3
            .target sm_90
            .address_size 64
            .visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) CLUSTER {
            .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>; .reg .b16 %h<3>;
            .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 full;
            ld.param.u64 %rd1, [out]; mov.u64 %rd3, map; cvta.param.u64 %rd3, %rd3;
            mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 1024, %r1;
            setp.ne.u32 %p1, %r3, 0;
            """;
    private static final String BEGIN =
            """
            @%p1 bra OVER;
            mbarrier.init.shared.b64 [full], 1; fence.proxy.async;
            mbarrier.arrive.expect_tx.shared.b64 _, [full], 32;
            """;

    private static List<Finding> run(Machine machine, String body, int ctas, int threads) {
        return run(machine, "", body, ctas, threads);
    }

    private static List<Finding> run(
            Machine machine, String cluster, String body, int ctas, int threads) {
        Argument.TensorMap map =
                new Argument.TensorMap(
                        new Argument.Address("out", 0),
                        IntegerFormat.U32,
                        List.of(8L),
                        List.of(),
                        List.of(8),
                        List.of(1),
                        0,
                        0,
                        Argument.TensorMap.Fill.ZERO);
        Launch launch =
                Launch.grid(ctas)
                        .block(threads)
                        .with(Argument.of("out", new int[1024]))
                        .passing(map, new Argument.Address("out", 0));
        String text = HEAD.replace("CLUSTER", cluster) + body + "\nret;\n}\n";
        Kernel kernel = Kernel.of(text, "k.ptx", "k");
        return machine.run(kernel, launch).findings();
    }

    /// Both executors find nothing in a kernel, and the race without its wait.
    private static void assertTold(
            String body, String wait, String instead, int ctas, int threads, String said) {
        assertThat(body).contains(wait);
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, ctas, threads)).isEmpty();
            List<Finding> found = run(machine, body.replace(wait, instead), ctas, threads);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().rule()).isEqualTo(Rule.DATA_RACE);
            assertThat(found.getFirst().message()).contains(said);
            assertThat(found.getFirst().notes())
                    .anySatisfy(note -> assertThat(note.message()).startsWith("begun here"));
        }
    }

    private static final String READS = "races with a bulk operation that reads it";
    private static final String WRITES = "races with a bulk operation that writes there";

    @ParameterizedTest
    @ValueSource(
            strings = {
                WRITE,
                "red.global.add.u32 [%rd1], 1;",
                "atom.global.exch.b64 %rd2, [%rd1+8], 1;",
                "st.global.v4.u32 [%rd1+16], {%r1, %r1, %r1, %r1};"
            })
    void areNotChangedByTheThreadThatBeganIt(String change) {
        for (String copy : new String[] {COPY, TENSOR}) {
            String body = BEGIN + copy + "\n" + WAIT + "\n" + change + "\nOVER:";
            assertTold(body, WAIT, "", 1, 1, READS);
        }
    }

    /// Bytes beside them are nobody's.
    @Test
    void doNotMatterElsewhere() {
        String body = BEGIN + COPY + "\nst.global.u32 [%rd1+32], 1;\n" + WAIT + "\nOVER:";
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, 1, 1)).isEmpty();
        }
    }

    /// A barrier hands on what the thread has waited for, and no more.
    @ParameterizedTest
    @ValueSource(ints = {2, 64})
    void areChangedByOthersBehindABarrier(int threads) {
        String others =
                """

                OVER: bar.sync 0;
                setp.ne.u32 %%p4, %%r1, %d;
                @!%%p4 st.global.u32 [%%rd1+20], 7;
                """
                        .formatted(threads - 1);
        assertTold(BEGIN + COPY + "\n" + WAIT + others, WAIT, "", 1, threads, READS);
        assertTold(BEGIN + TENSOR + "\n" + WAIT + others, WAIT, "", 1, threads, READS);
    }

    /// Whoever waits may change them.
    @Test
    void areChangedByAnotherThreadThatHasWaited() {
        String others =
                """

                OVER: bar.sync 0;
                setp.ne.u32 %p4, %r1, 63;
                @%p4 bra END;
                """;
        assertTold(BEGIN + COPY + others + WAIT + "\n" + WRITE + "\nEND:", WAIT, "", 1, 64, READS);
    }

    /// Others read words while the copy does, in machine code: both reads count.
    @Test
    void areReadByOthersMeanwhile() {
        String others =
                """

                OVER: mov.u32 %r7, 0; mov.u32 %r6, 0;
                and.b32 %r5, %r1, 31;
                mul.wide.u32 %rd4, %r5, 4; add.u64 %rd4, %rd1, %rd4;
                LOOP: ld.global.u32 %r4, [%rd4];
                add.u32 %r6, %r6, 1; add.u32 %r7, %r7, %r4;
                setp.lt.u32 %p4, %r6, 64; @%p4 bra LOOP;
                @%p1 bra MEET;
                WAITS
                MEET: bar.sync 0;
                @!%p1 st.global.u32 [%rd1+4], 1;
                mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd1, %rd5;
                st.global.u32 [%rd5+256], %r7;
                """
                        .replace("WAITS", WAIT);
        assertTold(BEGIN + COPY + others, WAIT, "", 1, 64, READS);
    }

    @Test
    void areChangedByAnotherCtaBehindAFlag() {
        for (String copy : new String[] {COPY, TENSOR}) {
            String body =
                    BEGIN
                            + copy
                            + "\n"
                            + WAIT
                            + HAND_OVER
                            + "\n"
                            + BEFORE_END
                            + "ret;\nOVER:\n"
                            + TAKE_OVER
                            + WRITE;
            assertTold(body, WAIT, "", 2, 1, READS);
        }
    }

    /// The waits of all CTAs that get a copy count.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                        + ".multicast::cluster [tile], [%rd1], 32, [full], %h1;",
                "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                        + ".multicast::cluster [tile], [%rd3, {0}], [full], %h1;"
            })
    void areChangedBehindTheWaitsOfAllTargetsOfAMulticast(String copy) {
        String body =
                """
                mbarrier.init.shared.b64 [full], 1; fence.proxy.async;
                mbarrier.arrive.expect_tx.shared.b64 _, [full], 32;
                barrier.cluster.arrive; barrier.cluster.wait;
                mov.u16 %h1, 3;
                @!%p1 COPY
                WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra WAIT;
                ORDERED
                barrier.cluster.arrive; barrier.cluster.wait;
                WRITE
                barrier.cluster.arrive; barrier.cluster.wait;
                """;
        String cluster = ".explicitcluster .reqnctapercluster 2, 1, 1";
        String both = "barrier.cluster.arrive; barrier.cluster.wait;";
        for (String writer : new String[] {"@%p1 " + WRITE, "@!%p1 " + WRITE}) {
            String kernel = body.replace("COPY", copy).replace("WRITE", writer);
            for (Machine machine : MACHINES) {
                assertThat(run(machine, cluster, kernel.replace("ORDERED", ""), 2, 1)).isEmpty();
                String early = kernel.replace("ORDERED\n" + both, "");
                assertThat(run(machine, cluster, early, 2, 1)).hasSize(1);
            }
        }
    }

    // What is written.

    private static String store(String operation, String wait) {
        return """
        @%p1 bra OVER;
        st.shared.v4.u32 [tile], {%r1, %r1, %r1, %r1};
        fence.proxy.async;
        OPERATION
        cp.async.bulk.commit_group;
        WAIT
        """
                .replace("OPERATION", operation)
                .replace("WAIT", wait);
    }

    private static final String STORE =
            "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 16;";
    private static final String ADD =
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], 16;";
    private static final String WRITTEN = "cp.async.bulk.wait_group 0;";
    private static final String READ = "cp.async.bulk.wait_group.read 0;";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.global.u32 %r4, [%rd1+12]; st.global.u32 [%rd1+32], %r4;",
                "st.global.u32 [%rd1+4], 1;"
            })
    void areReadyForAnotherCtaBehindAFlag(String access) {
        for (String operation : new String[] {STORE, ADD}) {
            String body =
                    store(operation, WRITTEN) + HAND_OVER + "\nret;\nOVER:\n" + TAKE_OVER + access;
            assertTold(body, WRITTEN, READ, 2, 1, WRITES);
            assertTold(body, WRITTEN, "", 2, 1, WRITES);
        }
    }

    /// Reductions are atomic for the whole device.
    @Test
    void areAtomicForAnotherCta() {
        String body = store(ADD, READ) + HAND_OVER + "\nret;\nOVER:\n" + TAKE_OVER;
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body + "red.global.add.u32 [%rd1], 1;", 2, 1)).isEmpty();
            String other = body + "red.global.add.u64 [%rd1], 1;";
            assertThat(run(machine, other, 2, 1)).hasSize(1);
        }
    }

    /// Groups complete one after the other; operations of one group are in no order
    /// (9.7.9.25.1.1).
    @Test
    void areWrittenTwiceByGroupsAlone() {
        String commit = "cp.async.bulk.commit_group;";
        String body = store(STORE + "\n" + commit + "\n" + STORE, "") + "OVER:";
        assertTold(body, commit + "\n" + STORE, STORE, 1, 1, WRITES);
    }

    @Test
    void areReducedIntoTwice() {
        String body = store(ADD + "\n" + ADD, READ) + ADD + "\ncp.async.bulk.commit_group;\nOVER:";
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, 1, 1)).isEmpty();
        }
    }

    /// Of a page that CTAs of a cluster copy, nothing is forgotten.
    @ParameterizedTest
    @CsvSource({"2, 20", "2, 2600", "3, 1000", "5, 20", "5, 2600"})
    void areKnownWhereSeveralCtasCopyALot(int ctas, int written) {
        String kernel =
                """
                .shared .align 128 .b8 all[4096];
                mbarrier.init.shared.b64 [full], 1; fence.proxy.async;
                mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [all], [%rd1], 4096, [full];
                EARLY: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra EARLY;
                NEXT: barrier.cluster.arrive; barrier.cluster.wait;
                @!%p1 st.global.u32 [%rd1+WRITTEN], 7;
                LATE: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra LATE;
                """
                        .replace("WRITTEN", String.valueOf(written));
        String cluster = ".explicitcluster .reqnctapercluster %d, 1, 1".formatted(ctas);
        String late = kernel.replace("EARLY:", "@%p1 bra NEXT; EARLY:");
        for (Machine machine : MACHINES) {
            assertThat(run(machine, cluster, kernel, ctas, 1)).isEmpty();
            List<Finding> found = run(machine, cluster, late, ctas, 1);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().message()).contains(READS);
        }
    }
}
