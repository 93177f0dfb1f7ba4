package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.FindingLog;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

@DisplayName("findings that do not end a launch")
final class ReportAllTest {
    private static final String HEAD =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry _Z4raceIfEvPT_(.param .u64 out) {
            .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<4>;
            .shared .align 4 .b8 tile[512];
            ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
            mov.u32 %r3, tile; shl.b32 %r4, %r1, 2; add.u32 %r4, %r3, %r4; xor.b32 %r5, %r4, 4;
            """;

    /// In each CTA of 64 threads 32 stores to words that a neighbour has stored to, at line 9; a
    /// register that nobody wrote decides in 64 threads, at line 10; CTA 2 leaves the buffer.
    private static final String BODY =
            """
            st.shared.u32 [%r4], %r1; st.shared.u32 [%r5], %r1;
            setp.eq.u32 %p1, %r8, 3;
            @%p1 st.shared.u32 [%r4], %r1;
            setp.eq.u32 %p2, %r2, 2; selp.u32 %r6, 4096, 0, %p2; cvt.u64.u32 %rd2, %r6;
            mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd3, %rd1; add.s64 %rd3, %rd3, %rd2;
            st.global.u32 [%rd3], %r1;
            ret;
            }
            """;

    private static final Kernel KERNEL = Kernel.of(HEAD + BODY, "k.ptx", "_Z4raceIfEvPT_");

    private static Outcome run(Machine machine, int workers, Reporting reporting) {
        Launch launch =
                Launch.grid(5)
                        .block(64)
                        .passing(Argument.poison("out", 256))
                        .withThreads(workers)
                        .reporting(reporting);
        return machine.run(KERNEL, launch);
    }

    private static Reporting all(String suppressions) {
        return new Reporting(Reporting.Scope.ALL, Suppressions.parse(suppressions, "known.txt"));
    }

    @Test
    void eachKindIsToldOnceAndCounted() {
        List<Finding> findings = run(Machine.interpreter(), 1, all("")).findings();
        assertThat(findings)
                .extracting(Finding::rule)
                .containsExactly(Rule.DATA_RACE, Rule.UNINITIALIZED_REGISTER, Rule.OUT_OF_BOUNDS);
        // Five CTAs of two warps: the second store meets the first's word of the neighbour, in 64
        // threads; CTA 2 ends at the first warp's store out of bounds, behind all of its others.
        assertThat(findings.get(0).count()).isEqualTo(5 * 64 - 32);
        assertThat(findings.get(1).count()).isEqualTo(5 * 2 - 1);
        assertThat(findings.get(2).count()).isOne();
        assertThat(String.valueOf(findings.get(2).where())).startsWith("CTA (2,0,0), warp 0");
    }

    @Test
    void theyDoNotDependOnWorkersNorOnTheExecutor() {
        List<Finding> findings = run(Machine.interpreter(), 1, all("")).findings();
        for (int workers : List.of(2, 3, 7)) {
            assertThat(run(Machine.interpreter(), workers, all("")).findings()).isEqualTo(findings);
            assertThat(run(Machine.compiler(), workers, all("")).findings()).isEqualTo(findings);
        }
    }

    @Test
    void otherCtasRunToTheirEnd() {
        Outcome outcome = run(Machine.interpreter(), 1, all(""));
        assertThat(outcome.found().complete()).isFalse();
        assertThat(outcome.ints("out")).startsWith(0, 1, 2, 3);
    }

    @Test
    void theFirstEndsTheLaunchUnlessAllAreWanted() {
        List<Finding> findings = run(Machine.interpreter(), 2, Reporting.FIRST).findings();
        assertThat(findings).extracting(Finding::rule).containsExactly(Rule.DATA_RACE);
        assertThat(findings.getFirst().count()).isOne();
    }

    /// All lanes shuffle down by one, with a mask of the even ones.
    @Test
    void lanesThatTheirMaskLeavesOutTakePart() {
        String body =
                """
                shfl.sync.down.b32 %r6, %r1, 1, 31, 0x55555555;
                mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd3, %rd1;
                st.global.u32 [%rd3], %r6;
                ret;
                }
                """;
        Kernel kernel = Kernel.of(HEAD + body, "k.ptx", "_Z4raceIfEvPT_");
        Launch launch = Launch.grid(1).block(32).passing(Argument.poison("out", 128));
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(machine.run(kernel, launch).findings())
                    .extracting(Finding::rule)
                    .containsExactly(Rule.SYNC_BY_NON_MEMBER);
            Outcome goesOn = machine.run(kernel, launch.reporting(all("")));
            assertThat(goesOn.findings())
                    .extracting(Finding::rule)
                    .containsExactly(Rule.SYNC_BY_NON_MEMBER);
            Outcome unchecked = machine.run(kernel, launch.withChecks(Set.of()));
            assertThat(unchecked.findings()).isEmpty();
            for (Outcome outcome : List.of(goesOn, unchecked)) {
                assertThat(outcome.found().complete()).isTrue();
                assertThat(outcome.ints("out")).startsWith(1, 2, 3, 4).endsWith(30, 31, 31);
            }
        }
    }

    @Test
    void whatIsKnownIsPassedOver() {
        String known =
                """
                data-race            kernel=race<float>     # by its name in C++
                uninitialized-read   at=k.ptx:10            # another rule: not used
                uninitialized-register at=k.ptx:10
                out-of-bounds        kernel=_Z4race*  at=k.ptx
                """;
        Suppressions suppressions = Suppressions.parse(known, "known.txt");
        for (Reporting.Scope scope : Reporting.Scope.values()) {
            Outcome outcome = run(Machine.compiler(), 2, new Reporting(scope, suppressions));
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.found().suppressed())
                    .extracting(one -> one.by().line())
                    .containsExactly(1, 3, 4);
            assertThat(suppressions.unused(outcome.found().suppressed()))
                    .extracting(one -> one.line())
                    .containsExactly(2);
        }
    }

    @Test
    void whatIsNotKnownIsToldBehindIt() {
        Reporting first =
                Reporting.FIRST.passing(Suppressions.parse("data-race at=k.ptx:9", "known.txt"));
        assertThat(run(Machine.compiler(), 2, first).findings())
                .extracting(Finding::rule)
                .containsExactly(Rule.UNINITIALIZED_REGISTER);
    }

    @Test
    void aFileThatIsWrongSaysWhere() {
        assertThatThrownBy(() -> Suppressions.parse("# fine\n\nraces", "known.txt"))
                .hasMessageStartingWith("known.txt:3: no rule races");
        assertThatThrownBy(() -> Suppressions.parse("data-race at=", "known.txt"))
                .hasMessage("known.txt:1: at=: expected at=FILE or at=FILE:LINE");
        assertThatThrownBy(() -> Suppressions.parse("data-race a.cu:5", "known.txt"))
                .hasMessage(
                        "known.txt:1: found a.cu:5; expected RULE [kernel=PATTERN]"
                                + " [at=FILE[:LINE]]");
    }

    /// More kinds than are kept: those of the first instructions are, whatever the order.
    @Test
    void kindsAreBounded() {
        StringBuilder body = new StringBuilder(HEAD);
        for (int i = 0; i < 150; i++) {
            body.append("setp.eq.u32 %p1, %r8, 3; @%p1 st.shared.u32 [%r4], %r1; ");
            body.append("ld.global.u32 %r8, [%rd1+4];\n");
        }
        Kernel kernel = Kernel.of(body + "ret;\n}\n", "k.ptx", "_Z4raceIfEvPT_");
        Launch launch =
                Launch.grid(3).block(32).passing(Argument.poison("out", 256)).reporting(all(""));
        Outcome outcome = Machine.interpreter().run(kernel, launch);
        assertThat(outcome.findings()).hasSize(FindingLog.MOST);
        assertThat(outcome.found().omitted()).isEqualTo(3 * (150 - FindingLog.MOST));
        assertThat(Machine.interpreter().run(kernel, launch.withThreads(3)).findings())
                .isEqualTo(outcome.findings());
    }
}
