package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// All lanes of a warp begin an asynchronous operation at once, each on its word, or all on one; a
/// thread of the warp has written word 5 before. That comes before what the thread itself begins,
/// and nothing orders it before what others do.
@DisplayName("PTX ISA 9.7.9.12, 9.7.13.7: operations that lanes of a warp begin together")
final class AsideLanesTest {
    /// Operations go to the own CTA, too: `red.async` must not, and is in order like all others.
    private static final Suppressions PLACE =
            Suppressions.parse("async-store-misplaced", "known.txt");

    private static final String COUNTED = ".shared::cluster.mbarrier::complete_tx::bytes";
    private static final String STORE = "st.async" + COUNTED + ".b32 [%r4], %r2, [%r5];";
    private static final String REDUCE =
            "red.async.relaxed.cluster" + COUNTED + ".add.u32 [%r4], 1, [%r5];";

    /// @param target the rank of the CTA that has the memory; that of rank 0 begins
    /// @param pitch of the words of lanes
    /// @param writer the thread that has written
    private static List<Finding> run(
            String operation, int target, int pitch, int writer, String end, Machine machine) {
        String text =
                """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry k() .explicitcluster .reqnctapercluster 2, 1, 1 {
                .reg .b32 %r<9>; .reg .pred %p<5>;
                .shared .align 128 .b8 own[128]; .shared .align 8 .b64 full;
                mov.u32 %r1, %cluster_ctarank;
                mov.u32 %r2, %tid.x;
                setp.ne.u32 %p1, %r1, 0;
                setp.eq.u32 %p2, %r2, WRITER;
                setp.eq.u32 %p4, %r2, 0;
                mov.u32 %r6, own; mov.u32 %r7, full;
                mapa.shared::cluster.u32 %r4, %r6, TARGET;
                mapa.shared::cluster.u32 %r5, %r7, TARGET;
                mad.lo.u32 %r6, %r2, 4, %r6;
                st.shared.u32 [%r6], 0;
                @%p4 mbarrier.init.shared.b64 [full], 1;
                @%p4 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
                barrier.cluster.arrive; barrier.cluster.wait;
                @%p1 bra BEGUN;
                @%p2 st.shared::cluster.u32 [%r4+20], 7;
                mad.lo.u32 %r4, %r2, PITCH, %r4;
                OPERATION
                BEGUN:
                setp.ne.u32 %p1, %r1, TARGET;
                @%p1 bra END;
                WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [full], 0;
                @!%p3 bra WAIT;
                LAST
                END:
                barrier.cluster.arrive; barrier.cluster.wait;
                ret;
                }
                """
                        .replace("WRITER", "" + writer)
                        .replace("TARGET", "" + target)
                        .replace("PITCH", "" + pitch)
                        .replace("OPERATION", operation)
                        .replace("LAST", end);
        Launch launch =
                Launch.grid(2)
                        .block(32)
                        .withChecks(RuleGroup.CHECKS)
                        .reporting(Reporting.FIRST.passing(PLACE));
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
    }

    private static List<Machine> machines() {
        return List.of(Machine.interpreter(), Machine.compiler());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 31", "1, 0", "1, 4", "1, 31"})
    void raceWithWhatAnotherLaneWrote(int target, int writer) {
        for (Machine machine : machines()) {
            for (String operation : List.of(STORE, REDUCE)) {
                List<Finding> found = run(operation, target, 4, writer, "", machine);
                assertThat(found).as(operation).hasSize(1);
                assertThat(found.getFirst().rule()).isEqualTo(Rule.DATA_RACE);
                assertThat(found.getFirst().where().lanes()).isEqualTo(1 << 5);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void comeBehindWhatTheLaneItselfWrote(int target) {
        for (Machine machine : machines()) {
            for (String operation : List.of(STORE, REDUCE)) {
                String read = "ld.shared.u32 %r8, [%r6];";
                assertThat(run(operation, target, 4, 5, read, machine)).as(operation).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void ofOneWordAreOverTogether(int target) {
        for (Machine machine : machines()) {
            String read = "ld.shared.u32 %r8, [own]; ld.shared.u32 %r8, [own+20];";
            assertThat(run(REDUCE, target, 0, 1, read, machine)).isEmpty();
        }
    }

    /// Whichever lane has written the word to which all reduce, it has not done that for others.
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 5", "0, 31", "1, 0", "1, 5", "1, 31"})
    void ofOneWordRaceWithWhatOneWrote(int target, int writer) {
        for (Machine machine : machines()) {
            String reduce = REDUCE.replace("[%r4]", "[%r4+20]");
            List<Finding> found = run(reduce, target, 0, writer, "", machine);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().rule()).isEqualTo(Rule.DATA_RACE);
            assertThat(found.getFirst().where().lanes()).isEqualTo(writer == 0 ? 2 : 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void raceWithWhoDoesNotWait(int target) {
        Rule rule = target == 0 ? Rule.ASYNC_READ_BEFORE_COMPLETION : Rule.DATA_RACE;
        for (Machine machine : machines()) {
            for (String operation : List.of(STORE, REDUCE)) {
                String uses = " setp.eq.u32 %p3, %r8, 1; @%p3 bra BEGUN;";
                String begins = operation + " ld.shared::cluster.u32 %r8, [%r4];" + uses;
                List<Finding> found = run(begins, target, 4, 5, "", machine);
                assertThat(found).as(operation).isNotEmpty();
                assertThat(found.getFirst().rule()).isEqualTo(rule);
            }
        }
    }
}
