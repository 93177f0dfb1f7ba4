package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.LoadedModule;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.Session;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.FenceRestriction;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.RestrictedFences;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.MemorySnapshot;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;

/// Thread 0 of CTA 1 writes or reads something and releases by a relaxed arrival behind a fence;
/// thread 0 of CTA 0 comes behind it.
@DisplayName("PTX ISA 9.7.13.4: fences that order only some operations")
final class RestrictedFencesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static final String RELEASE_OWN = "fence.release.sync_restrict::shared::cta.cluster;\n";
    private static final String ACQUIRE_SHARED =
            "fence.acquire.sync_restrict::shared::cluster.cluster;\n";

    private static final String MEETING = "barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n";

    private static final String STORE_GLOBAL = "@%p1 st.global.u32 [%rd1], 7;\n";
    private static final String LOAD_GLOBAL =
            "@%p2 ld.global.u32 %r6, [%rd1]; @%p2 st.global.u32 [%rd1+64], %r6;\n";

    // Of CTA 1, its own; of CTA 0, that of CTA 1.
    private static final String STORE_OWN = "@%p1 st.shared.u32 [word], 7;\n";
    private static final String LOAD_PEER =
            "@%p2 ld.shared::cluster.u32 %r6, [%r5]; @%p2 st.global.u32 [%rd1+64], %r6;\n";

    // Of CTA 1, that of CTA 0; of CTA 0, its own.
    private static final String STORE_PEER = "@%p1 st.shared::cluster.u32 [%r4], 7;\n";
    private static final String LOAD_OWN =
            "@%p2 ld.shared.u32 %r6, [word]; @%p2 st.global.u32 [%rd1+64], %r6;\n";

    private static final String INIT =
            "@%p3 mbarrier.init.shared.b64 [full], 32; fence.mbarrier_init.release.cluster;\n";
    private static final String USE = "mbarrier.arrive.shared.b64 %rd3, [full];\n";

    private static Kernel kernel(String body) {
        return Kernel.of(text(body), "k.ptx", "k");
    }

    private static String text(String body) {
        return """
        .version 8.8
        .target sm_90
        .address_size 64
        .visible .entry k(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1 {
        .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>;
        .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 full; .shared .u32 word;
        ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank;
        setp.eq.u32 %p3, %r1, 0;
        setp.eq.and.u32 %p1, %r2, 1, %p3; setp.eq.and.u32 %p2, %r2, 0, %p3;
        mov.u32 %r3, word; mapa.shared::cluster.u32 %r4, %r3, 0;
        mapa.shared::cluster.u32 %r5, %r3, 1;
        barrier.cluster.arrive; barrier.cluster.wait;
        BODY
        barrier.cluster.arrive; barrier.cluster.wait;
        ret;
        }
        """
                .replace("BODY", body);
    }

    private static List<Finding> run(Machine machine, String body, Reporting reporting) {
        Launch launch = Launch.grid(2).block(32).passing(Argument.zeros("out", 256));
        return machine.run(kernel(body), launch.reporting(reporting)).findings();
    }

    private static void assertFine(String body) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, Reporting.FIRST)).as(body).isEmpty();
        }
    }

    private static void assertRaces(String body, String... words) {
        for (Machine machine : MACHINES) {
            List<Finding> found = run(machine, body, Reporting.FIRST);
            assertThat(found).as(body).extracting(Finding::rule).containsExactly(Rule.DATA_RACE);
            assertThat(found.getFirst().message()).contains(words);
            assertThat(found.getFirst().notes().getFirst().message())
                    .startsWith("a fence here orders only ")
                    .contains("9.7.13.4");
        }
    }

    @Test
    void oneOfTheOwnMemoryReleasesThatAlone() {
        assertFine(STORE_OWN + RELEASE_OWN + MEETING + LOAD_PEER);
        assertRaces(STORE_GLOBAL + RELEASE_OWN + MEETING + LOAD_GLOBAL, "global address");
        assertRaces(STORE_PEER + RELEASE_OWN + MEETING + LOAD_OWN, "shared address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fence.release.cluster;\n", "fence.acq_rel.gpu;\n"})
    void oneOfAllMemoryReleasesAll(String fence) {
        assertFine(STORE_OWN + fence + MEETING + LOAD_PEER);
        assertFine(STORE_GLOBAL + fence + MEETING + LOAD_GLOBAL);
        assertFine(STORE_PEER + fence + MEETING + LOAD_OWN);
    }

    /// What CTA 0 has read in the memory of CTA 1 is no access to its own.
    @Test
    void oneOfTheOwnMemoryReleasesNoReadsOfAnother() {
        String read = "@%p1 ld.shared::cluster.u32 %r6, [%r4]; @%p1 st.global.u32 [%rd1], %r6;\n";
        String first =
                "@%p2 st.shared.u32 [word], 1; barrier.cluster.arrive;"
                        + " barrier.cluster.wait;\n";
        String write = "@%p2 st.shared.u32 [word], 2;\n";
        assertRaces(first + read + RELEASE_OWN + MEETING + write, "shared address");
        assertFine(first + read + "fence.release.cluster;\n" + MEETING + write);
    }

    /// A flag in global memory hands on; who reads it acquires by a fence.
    @Test
    void oneOfSharedMemoryAcquiresThatAlone() {
        String raise = "fence.release.cluster; @%p1 st.relaxed.cluster.global.u32 [%rd1+128], 1;\n";
        String see =
                """
                WAIT: mov.u32 %r7, 1; @%p2 ld.relaxed.cluster.global.u32 %r7, [%rd1+128];
                setp.eq.u32 %p4, %r7, 0; @%p4 bra WAIT;
                """;
        assertFine(STORE_PEER + raise + see + ACQUIRE_SHARED + LOAD_OWN);
        assertFine(STORE_OWN + raise + see + ACQUIRE_SHARED + LOAD_PEER);
        assertRaces(STORE_GLOBAL + raise + see + ACQUIRE_SHARED + LOAD_GLOBAL, "global address");
        assertFine(STORE_GLOBAL + raise + see + "fence.acquire.cluster;\n" + LOAD_GLOBAL);
    }

    @Test
    void oneOfInitializationReleasesObjectsAlone() {
        assertFine(INIT + MEETING + USE);
        assertRaces(STORE_GLOBAL + INIT + MEETING + LOAD_GLOBAL + USE, "global address");
        assertRaces(STORE_OWN + INIT + MEETING + LOAD_PEER + USE, "shared address");
        assertFine(
                STORE_GLOBAL
                        + INIT
                        + "barrier.cluster.arrive; barrier.cluster.wait;\n"
                        + LOAD_GLOBAL
                        + USE);
    }

    @Test
    void isToldBesideOtherFindings() {
        String body =
                "@%p2 st.global.u32 [%rd1+80], %r8;\n"
                        + STORE_GLOBAL
                        + RELEASE_OWN
                        + MEETING
                        + LOAD_GLOBAL;
        Reporting all = new Reporting(Reporting.Scope.ALL, Suppressions.NONE);
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, Reporting.FIRST))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.UNINITIALIZED_REGISTER);
            assertThat(run(machine, body, all))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.UNINITIALIZED_REGISTER, Rule.DATA_RACE);
        }
    }

    /// The reader of a tile releases it to who copies over it (PTX ISA 9.7.13.17 has such code).
    @Test
    void thoseOfProxiesReleaseAndAcquire() {
        String first =
                "@%p3 mbarrier.init.shared.b64 [full], 1; mov.b32 %r8, 0;"
                        + " barrier.cluster.arrive; barrier.cluster.wait;\n";
        String read = "@%p1 ld.shared.u32 %r6, [tile]; @%p1 st.global.u32 [%rd1+64], %r6;\n";
        String copy =
                """
                mov.u32 %r3, tile; mapa.shared::cluster.u32 %r5, %r3, 1;
                mov.u32 %r3, full; mapa.shared::cluster.u32 %r4, %r3, 1;
                @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 16;
                @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], 16, [%r4];
                DONE: mov.u32 %r7, 1;
                @!%p1 bra END;
                mbarrier.try_wait.parity.shared.b64 %p4, [full], 0; @!%p4 bra DONE;
                END:
                """;
        String release = "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;\n";
        String acquire =
                "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;\n";
        String written = "@%p1 st.shared.u32 [tile], 5; fence.proxy.async;\n";
        assertFine(first + written + read + release + MEETING + acquire + copy);
        for (Machine machine : MACHINES) {
            assertThat(run(machine, first + written + read + MEETING + copy, Reporting.FIRST))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.DATA_RACE);
        }
    }

    /// The write of an atomic operation that acquires is relaxed, and so is the read of one that
    /// releases.
    @Test
    void anAtomicOperationHandsOnWhatAFenceReleases() {
        String raise = "@%p1 atom.acquire.cluster.global.exch.b32 %r8, [%rd1+128], 1;\n";
        String see =
                """
                WAIT: mov.u32 %r7, 1; @%p2 OPERATION;
                setp.eq.u32 %p4, %r7, 0; @%p4 bra WAIT;
                """;
        String acquire = see.replace("OPERATION", "ld.acquire.cluster.global.u32 %r7, [%rd1+128]");
        assertFine(STORE_OWN + RELEASE_OWN + raise + acquire + LOAD_PEER);
        assertRaces(STORE_GLOBAL + RELEASE_OWN + raise + acquire + LOAD_GLOBAL, "global address");
        assertFine(STORE_GLOBAL + "fence.release.cluster;\n" + raise + acquire + LOAD_GLOBAL);
        String release = "@%p1 st.release.cluster.global.u32 [%rd1+128], 1;\n";
        String add =
                see.replace("OPERATION", "atom.release.cluster.global.add.u32 %r7, [%rd1+128], 0");
        assertFine(STORE_OWN + release + add + ACQUIRE_SHARED + LOAD_PEER);
        assertRaces(STORE_GLOBAL + release + add + ACQUIRE_SHARED + LOAD_GLOBAL, "global address");
        assertFine(STORE_GLOBAL + release + add + "fence.acquire.cluster;\n" + LOAD_GLOBAL);
    }

    /// A proxy fence stands between two accesses only where the fences before it order the first.
    @Test
    void aProxyFenceMayStandBehindNothing() {
        String store =
                """
                mov.u32 %r3, tile; mapa.shared::cluster.u32 %r4, %r3, 0;
                @%p1 st.shared::cluster.v4.u32 [%r4], {7, 7, 7, 7};
                """;
        String flag =
                """
                @%p1 st.relaxed.cluster.global.u32 [%rd1+128], 1;
                WAIT: mov.u32 %r7, 1; @%p2 ld.relaxed.cluster.global.u32 %r7, [%rd1+128];
                setp.eq.u32 %p4, %r7, 0; @%p4 bra WAIT;
                fence.acquire.cluster;
                """;
        String fence = "@%p2 fence.proxy.async;\n";
        String meet = "barrier.cluster.arrive; barrier.cluster.wait;\n";
        String copy =
                """
                @%p2 cp.async.bulk.global.shared::cta.bulk_group [%rd1+192], [tile], 16;
                cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
                """;
        assertFine(store + "fence.release.cluster;\n" + flag + fence + meet + copy);
        assertFine(store + RELEASE_OWN + flag + meet + fence + copy);
        for (Machine machine : MACHINES) {
            String body = store + RELEASE_OWN + flag + fence + meet + copy;
            assertThat(run(machine, body, Reporting.FIRST))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.MISSING_PROXY_FENCE);
        }
    }

    /// What a load reads in a race is not followed where nobody looks at values.
    @Test
    void tellWhatIsReadAndNotUsed() {
        String read = "@%p2 ld.global.u32 %r6, [%rd1];\n";
        assertFine(STORE_GLOBAL + RELEASE_OWN + MEETING + read);
        Launch launch =
                Launch.grid(2)
                        .block(32)
                        .passing(Argument.zeros("out", 256))
                        .withChecks(Set.of(RuleGroup.RACES));
        for (Machine machine : MACHINES) {
            assertThat(
                            machine.run(kernel(STORE_GLOBAL + RELEASE_OWN + MEETING + read), launch)
                                    .findings())
                    .extracting(Finding::rule)
                    .containsExactly(Rule.DATA_RACE);
            assertThat(
                            machine.run(
                                            kernel(
                                                    STORE_GLOBAL
                                                            + "fence.release.cluster;\n"
                                                            + MEETING
                                                            + read),
                                            launch)
                                    .findings())
                    .isEmpty();
        }
    }

    /// A launch of a session that is run again for a value that nobody wrote is run for its fences
    /// then.
    @Test
    void areLookedBehindOnceValuesAreFollowed() {
        String unused = "@%p3 st.shared.u32 [tile], %r8;\n";
        for (Machine machine : MACHINES) {
            assertThat(
                            inSession(
                                    machine,
                                    unused + STORE_GLOBAL + RELEASE_OWN + MEETING + LOAD_GLOBAL))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.DATA_RACE);
            assertThat(inSession(machine, unused + STORE_OWN + RELEASE_OWN + MEETING + LOAD_PEER))
                    .isEmpty();
        }
    }

    private static List<Finding> inSession(Machine machine, String body) {
        Parsed parsed = Ptx.parse(text(body), "k.ptx");
        Launch launch = Launch.grid(2).block(32).passing(Argument.zeros("out", 256));
        try (Session session = machine.open(new GlobalMemory(1 << 20, true));
                MemorySnapshot before =
                        session.memory().snapshot(MemorySnapshot.Cost.upTo(1 << 20))) {
            LoadedModule module = session.load(parsed.module(), parsed.source());
            Outcome outcome = session.launch(module.kernel("k"), launch, Observer.NONE, before);
            assertThat(before.isRestored()).isTrue();
            return outcome.findings();
        }
    }

    private static List<FenceRestriction> mattering(String body) {
        return RestrictedFences.of(kernel(body).program()).all().stream()
                .map(RestrictedFences.Restricted::restriction)
                .toList();
    }

    /// A module mostly has other kernels, too.
    @Test
    void matterToTheKernelsThatMayExecuteThem() {
        String other =
                """
                .visible .entry other() { ret; }
                .visible .entry caller() {
                    .reg .b64 %rd1;
                    mov.u64 %rd1, other;
                    P: .callprototype _ ();
                    call %rd1, (), P;
                    ret;
                }
                """;
        BoundModule module =
                BoundModule.of(
                        Ptx.parse(text(STORE_GLOBAL + INIT + MEETING + USE) + other, "k.ptx"));
        List<Kernel> kernels = Kernel.of(module, List.of("k", "other", "caller"));
        assertThat(kernels)
                .extracting(each -> fencesOf(each).isEmpty())
                .containsExactly(false, true, false);
    }

    private static List<RestrictedFences.Restricted> fencesOf(Kernel kernel) {
        Program program = kernel.program();
        return RestrictedFences.of(program).of(program.reachedBy(List.of(kernel.code()))).all();
    }

    @Test
    void matterWhereSomethingRelaxedHandsOnWhatCameBefore() {
        String full = "barrier.cluster.arrive; barrier.cluster.wait;\n";
        assertThat(mattering(INIT + MEETING + USE)).isEmpty();
        assertThat(mattering(STORE_GLOBAL + INIT + full + USE)).isEmpty();
        assertThat(mattering(STORE_GLOBAL + INIT + MEETING + USE))
                .containsExactly(FenceRestriction.MBARRIER_INIT);
        String strong = "red.relaxed.cluster.global.add.u32 [%rd1], 1;\n";
        assertThat(mattering(STORE_GLOBAL + INIT + full + strong + USE)).isEmpty();
        assertThat(mattering(STORE_GLOBAL + INIT + strong + full + USE))
                .containsExactly(FenceRestriction.MBARRIER_INIT);
        assertThat(mattering("BACK: " + INIT + MEETING + STORE_GLOBAL + "@%p4 bra BACK;\n"))
                .containsExactly(FenceRestriction.MBARRIER_INIT);
        assertThat(mattering(RELEASE_OWN + MEETING + ACQUIRE_SHARED))
                .containsExactly(FenceRestriction.SHARED_CTA, FenceRestriction.SHARED_CLUSTER);
    }
}
