package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

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

import java.util.List;

/// One warp copies with `cp.async` and hands its copies to an mbarrier; another one waits for the
/// phase and reads them.
@DisplayName("PTX ISA 9.7.13.15.15: copies that an mbarrier says the end of")
final class HandedCopiesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static final String WAIT =
            "WAIT: mbarrier.test_wait.parity.shared.b64 %p4, [full], %r6; @!%p4 bra WAIT;";
    private static final String FREE =
            "FREE: mbarrier.test_wait.parity.shared.b64 %p4, [empty], %r7; @!%p4 bra FREE;";
    private static final String ALL = "cp.async.mbarrier.arrive.noinc.shared.b64 [full];";
    private static final String ADDED =
            "cp.async.mbarrier.arrive.shared.b64 [full]; mbarrier.arrive.shared.b64 _, [full];";
    private static final String SOME =
            """
            @!%p3 cp.async.mbarrier.arrive.noinc.shared.b64 [full];
            @%p3 cp.async.mbarrier.arrive.noinc.shared.b64 [full];
            """;

    private static final Rule[] EARLY = {
        Rule.CP_ASYNC_READ_BEFORE_WAIT, Rule.CP_ASYNC_WRITE_BEFORE_WAIT
    };

    private static final String BODY =
            """
            @%p2 bra CONSUMER;
            FREE
            cp.async.cg.shared.global [%r4], [%rd2], 16;
            HAND
            bra NEXT;
            CONSUMER:
            WAIT
            ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r5]; add.u32 %r12, %r12, %r8;
            mbarrier.arrive.shared.b64 _, [empty];
            NEXT:
            """;

    private static List<Finding> run(Machine machine, String body, int arrivals) {
        String text =
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out) {
                .reg .b64 %rd<9>; .reg .b32 %r<15>; .reg .pred %p<9>;
                .shared .align 128 .b8 tile[1024];
                .shared .align 8 .b64 full; .shared .align 8 .b64 empty;
                .shared .align 8 .b64 other;
                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;
                mad.wide.u32 %rd2, %r2, 16, %rd1; mov.u32 %r3, tile;
                mad.lo.u32 %r4, %r2, 16, %r3; xor.b32 %r5, %r2, 5; mad.lo.u32 %r5, %r5, 16, %r3;
                setp.ne.u32 %p1, %r1, 0; setp.ge.u32 %p2, %r1, 32; setp.lt.u32 %p3, %r2, 9;
                @!%p1 mbarrier.init.shared.b64 [full], ARRIVALS;
                @!%p1 mbarrier.init.shared.b64 [empty], 32;
                @!%p1 mbarrier.init.shared.b64 [other], 32;
                @!%p2 st.shared.v4.u32 [%r4], {%r1, %r1, %r1, %r1};
                bar.sync 0;
                mov.u32 %r12, 0; mov.u32 %r13, 0;
                AGAIN: FILLER
                and.b32 %r6, %r13, 1; xor.b32 %r7, %r6, 1;
                BODY
                add.u32 %r13, %r13, 1; setp.lt.u32 %p5, %r13, 4; @%p5 bra AGAIN;
                mad.wide.u32 %rd3, %r1, 4, %rd1; st.global.u32 [%rd3+1024], %r12;
                ret;
                }
                """
                        .replace("BODY", body)
                        .replace("ARRIVALS", "" + arrivals)
                        // Machine code runs loops that have much for it.
                        .replace("FILLER", "xor.b32 %r12, %r12, 0;".repeat(40));
        Launch launch =
                Launch.grid(1)
                        .block(64)
                        .with(Argument.of("out", new int[1024]))
                        .passing(new Argument.Address("out", 0));
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch).findings();
    }

    private static String body(String hand, String free, String wait) {
        return BODY.replace("FREE", free).replace("HAND", hand).replace("WAIT\n", wait + "\n");
    }

    private static void assertSound(String body, int arrivals) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, arrivals)).isEmpty();
        }
    }

    private static void assertTold(String body, int arrivals, Rule... rules) {
        for (Machine machine : MACHINES) {
            assertThat(run(machine, body, arrivals))
                    .extracting(Finding::rule)
                    .isNotEmpty()
                    .isSubsetOf(rules);
        }
    }

    /// By all lanes at once, with arrivals that are added and taken away, and by some lanes first.
    @ParameterizedTest
    @CsvSource({"ALL", "ADDED", "SOME"})
    void areOverForWhoHasWaited(String form) {
        String hand = hand(form);
        assertSound(body(hand, FREE, WAIT), 32);
        String load = "ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r5]; add.u32 %r12, %r12, %r8;\n";
        String arrival = "mbarrier.arrive.shared.b64 _, [empty];\n";
        String early = body(hand, FREE, load + WAIT);
        assertTold(early, 32, Rule.DATA_RACE, Rule.CP_ASYNC_READ_BEFORE_WAIT);
        String late = body(hand, FREE, WAIT).replace(load, "").replace(arrival, arrival + load);
        assertTold(late, 32, Rule.DATA_RACE, Rule.CP_ASYNC_READ_BEFORE_WAIT);
    }

    private static String hand(String form) {
        return switch (form) {
            case "ALL" -> ALL;
            case "ADDED" -> ADDED;
            default -> SOME;
        };
    }

    /// The phase ends with the arrival of lane 19: what the lanes behind it copied is handed over
    /// in the next one, which the readers have not waited for.
    @Test
    void areNotThoseOfTheNextPhase() {
        String body =
                "setp.ne.u32 %p6, %r13, 3; @%p6 bra NEXT; mov.u32 %r6, 0;\n" + body(ALL, "", WAIT);
        assertSound(body.replace("[%r5]", "[tile+304]"), 20);
        assertTold(
                body.replace("[%r5]", "[tile+320]"),
                20,
                Rule.DATA_RACE,
                Rule.CP_ASYNC_READ_BEFORE_WAIT);
    }

    /// Copies that begin behind the arrival are not among those that it hands over.
    @Test
    void areNotThoseThatBeginLater() {
        String copy = "cp.async.cg.shared.global [%r4], [%rd2], 16;\n";
        String late = body(ALL, FREE, WAIT).replace(copy + ALL, ALL + "\n" + copy);
        // The next one writes the same bytes.
        assertTold(late, 32, Rule.CP_ASYNC_WRITE_BEFORE_WAIT, Rule.CP_ASYNC_READ_BEFORE_WAIT);
    }

    private static final String OWN =
            "OWN: mbarrier.test_wait.parity.shared.b64 %p4, [full], %r6; @!%p4 bra OWN;";
    private static final String LOAD = "ld.shared.u32 %r8, [%r4+4]; add.u32 %r12, %r12, %r8;";

    /// What a thread does itself with the bytes that its copy writes, behind the arrival.
    @ParameterizedTest
    @CsvSource({"ALL", "ADDED", "SOME"})
    void areTheirOwnThreadsOnceItHasWaited(String form) {
        String handed = hand(form);
        assertSound(body(handed + OWN + LOAD, FREE, WAIT), 32);
        assertSound(body(handed + "cp.async.wait_all;" + LOAD, FREE, WAIT), 32);
        assertTold(body(handed + LOAD + OWN, FREE, WAIT), 32, Rule.CP_ASYNC_READ_BEFORE_WAIT);
        String store = "st.shared.u32 [%r4+4], %r1;";
        assertTold(body(handed + store + OWN, FREE, WAIT), 32, Rule.CP_ASYNC_WRITE_BEFORE_WAIT);
        String copy = "cp.async.ca.shared.global [%r4+4], [%rd2], 4;";
        assertTold(body(handed + copy + OWN, FREE, WAIT), 32, Rule.CP_ASYNC_WRITE_BEFORE_WAIT);
    }

    /// Each thread waits for its own copies alone: what its neighbour handed over may be under way.
    @Test
    void areNotOverForTheirNeighboursThatWaitForTheirOwn() {
        String neighbour = LOAD.replace("%r4+4", "%r5");
        String waits = ALL + "cp.async.wait_all;";
        String meeting = "bar.warp.sync -1;";
        assertTold(body(waits + neighbour, FREE, WAIT), 32, Rule.CP_ASYNC_READ_BEFORE_WAIT);
        assertSound(body(waits + meeting + neighbour + meeting, FREE, WAIT), 32);
    }

    /// An object tracks all copies so far, those that were waited for or handed over before, too.
    @Test
    void areAllThatBeganBefore() {
        assertSound(body("cp.async.wait_all;" + ALL, FREE, WAIT), 32);
        assertSound(body("cp.async.commit_group;" + ALL, FREE, WAIT), 32);
        String other = ALL.replace("full", "other");
        assertSound(body(other + ALL, FREE, WAIT), 32);
        String arrives = "mbarrier.arrive.shared.b64 _, [full];";
        String both = WAIT.replace("full", "other") + WAIT.replace("WAIT", "SEEN");
        assertSound(body(other + arrives, FREE, both), 32);
        assertTold(body(other + arrives, FREE, WAIT), 32, EARLY);
    }

    /// A wait for a group is none for copies that came later, though all were handed over at once.
    @Test
    void areWaitedForByGroups() {
        String later = "cp.async.ca.shared.global [%r4+512], [%rd2], 4;";
        String hand = "cp.async.commit_group;" + later + ALL + "cp.async.wait_group 0;";
        assertSound(body(hand + LOAD, FREE, WAIT), 32);
        String loadLater = LOAD.replace("+4", "+512");
        assertTold(body(hand + loadLater, FREE, WAIT), 32, Rule.CP_ASYNC_READ_BEFORE_WAIT);
        assertSound(body(hand + OWN + loadLater, FREE, WAIT), 32);
    }

    /// The arrival says nothing of what else the threads did, which takes one of their own.
    @Test
    void bringNothingElseAlong() {
        String store = "st.shared.u32 [%r4+512], %r1;\n";
        String load = "ld.shared.u32 %r8, [%r5+512]; add.u32 %r12, %r12, %r8;\n";
        String copy = "cp.async.cg";
        String handed = body(ALL, FREE, WAIT + load).replace(copy, store + copy);
        String arrived = body(ADDED, FREE, WAIT + load).replace(copy, store + copy);
        assertTold(handed, 32, Rule.DATA_RACE);
        assertSound(arrived, 32);
    }
}
