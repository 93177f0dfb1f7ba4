package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.Stream;

@DisplayName("PTX ISA 9.7.19.5: setmaxnreg.inc waits for registers that others give back")
final class RegisterPoolTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static final String INC = "setmaxnreg.inc.sync.aligned.u32 ";
    private static final String DEC = "setmaxnreg.dec.sync.aligned.u32 ";

    /// One warpgroup does one thing, the other the other; then both store.
    private static TinyKernel of(String first, String second) {
        return TinyKernel.of(
                        """
                        .shared .align 8 .u32 flag;
                        shl.b32 %%r2, %%r1, 2; cvt.u64.u32 %%rd2, %%r2; add.u64 %%rd2, %%rd1, %%rd2;
                        setp.lt.u32 %%p2, %%r1, 128;
                        @!%%p2 bra OTHERS;
                        %s
                        bra DONE;
                        OTHERS:
                        %s
                        DONE:
                        st.global.u32 [%%rd2], 5;
                        """
                                .formatted(first, second))
                .on("sm_90a", "8.3");
    }

    /// Each warp has 128 registers for each thread; what all have is 32,768.
    private static TinyKernel of128(String first, String second) {
        return of(first, second).with(".maxnreg 128 .maxntid 256");
    }

    private static void isSound(TinyKernel kernel) {
        assertThat(kernel.run(256, new int[256])).containsOnly(5);
    }

    private static Finding finding(TinyKernel kernel) {
        return kernel.finding(256, 1024);
    }

    static Stream<TinyKernel> sound() {
        return Stream.of(
                of128(INC + "232;", DEC + "24;"),
                of128(DEC + "24;", INC + "232;"),
                of128(INC + "232; bar.sync 0;", DEC + "24; bar.sync 0;"),
                of128(INC + "128;", DEC + "128;"),
                // What one gives back the other takes, in turn
                of128(
                        DEC + "96; bar.sync 0; " + INC + "160;",
                        INC + "160; bar.sync 2, 128; " + DEC + "96; bar.sync 0;"),
                // Registers are handed out by eights
                of(INC + "104;", "").with(".maxnreg 100"),
                of(INC + "256;", "").with(".maxnreg 255"),
                of(INC + "24;", "").with(".maxnreg 16"),
                // "The actual number of registers used may be less" (11.4.1), and is with ptxas
                of128(INC + "64;", ""),
                of128(INC + "64; bar.sync 1, 128; " + DEC + "40;", INC + "152;"),
                of128(INC + "232;", DEC + "56; bar.sync 2, 128; " + DEC + "24;"));
    }

    @ParameterizedTest
    @MethodSource
    void sound(TinyKernel kernel) {
        isSound(kernel);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".maxntid 256 .minnctapersm 1"})
    void nobodyWaitsWhereTheRegistersAreNotKnown(String directives) {
        isSound(of(INC + "240;", "").with(directives));
        isSound(of(DEC + "104;", INC + "104;").with(directives));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''          | ''          | warp 0, which has 128: its threads need 3584 more, the pool of the CTA has 0,
                    ''          | DEC 24;     | warp 3, which has 128: its threads need 3584 more, the pool of the CTA has 2560,
                    ''          | INC 136;    | warp 0, which has 128: its threads need 3584 more, the pool of the CTA has 0,
                    bar.sync 0; | bar.sync 0; | warp 0, which has 128: its threads need 3584 more, the pool of the CTA has 0,
                    DEC 120; bar.sync 1, 128; | '' | warp 3, which has 120: its threads need 3840 more, the pool of the CTA has 1024,
                    """)
    void waitsForEver(String first, String second, String message) {
        Finding finding =
                finding(
                        of128(
                                first.replace("DEC ", DEC) + INC + "240;",
                                second.replace("DEC ", DEC).replace("INC ", INC)));
        assertThat(finding.rule()).isEqualTo(Rule.REGISTERS_NEVER_FREE);
        assertThat(finding.message()).contains("of 240 registers by " + message);
    }

    @Test
    void whoCouldGiveThemBackIsNamed() {
        Finding ended = finding(of128(INC + "240;", ""));
        assertThat(ended.notes().stream().map(Finding.Note::message))
                .contains(
                        "warps 0-3: 128 registers for each thread",
                        "warps 4-7: 128 registers for each thread, not given back before the"
                                + " end",
                        "warps 0-3, lanes 0-31 wait for 112 registers more each");
        Finding late = finding(of128(INC + "240; bar.sync 0;", "bar.sync 0; " + DEC + "24;"));
        assertThat(late.rule()).isEqualTo(Rule.REGISTERS_NEVER_FREE);
        assertThat(late.notes().stream().map(Finding.Note::message))
                .contains(
                        "warps 0-7: 128 registers for each thread",
                        "warps 4-7, lanes 0-31 wait at barrier 0, which has 128 of 256 threads");
    }

    /// The second warpgroup spins on what the first would do behind its `setmaxnreg.inc`.
    @Test
    void whoSpinsMayDoSoForWhoWaits() {
        String spin =
                "WAIT: ld.volatile.shared.u32 %r3, [flag]; setp.eq.u32 %p3, %r3, 0; @%p3 bra WAIT;";
        String set = "st.volatile.shared.u32 [flag], 1;";
        String init = "st.volatile.shared.u32 [flag], 0; bar.sync 0;";
        Finding finding = finding(of128(init + INC + "232;" + set, init + spin + DEC + "24;"));
        assertThat(finding.rule()).isEqualTo(Rule.REGISTERS_NEVER_FREE);
        assertThat(finding.notes().stream().map(Finding.Note::message))
                .contains("warps 4-7, lanes 0-31 spin here too");
        isSound(of128(init + INC + "232;" + set, init + DEC + "24;" + spin));
    }

    @Test
    void theFirstGivesBackNoMoreThanThereAre() {
        Finding finding = finding(of128(DEC + "160;", ""));
        assertThat(finding.rule()).isEqualTo(Rule.SETMAXNREG_WRONG_WAY);
        assertThat(finding.message())
                .endsWith("by a warp that has 128, those of its kernel's .maxnreg");
    }

    private static Kernel ofCtas(String body) {
        return Kernel.of(
                """
                .version 8.3
                .target sm_90a
                .address_size 64
                .visible .entry k(.param .u32 last) .maxnreg 128 {
                .reg .pred %p<3>; .reg .b32 %r<4>;
                ld.param.u32 %r2, [last];
                mov.u32 %r1, %tid.x; setp.lt.u32 %p2, %r1, 128;
                mov.u32 %r3, %ctaid.x; setp.eq.u32 %p1, %r3, %r2;
                """
                        + body
                        + " ret; }",
                "k.ptx",
                "k");
    }

    /// CTAs have a pool each; others of the cluster that wait for a CTA are not to blame.
    @Test
    void isOfOneCtaOfACluster() {
        Kernel kernel =
                ofCtas(
                        """
                        @%p1 bra LAST;
                        setmaxnreg.dec.sync.aligned.u32 24;
                        bra DONE;
                        LAST: setmaxnreg.inc.sync.aligned.u32 240;
                        DONE:
                        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
                        """);
        Launch launch =
                Launch.of(new Extent(2, 1, 1), new Extent(128, 1, 1), Argument.s32(1))
                        .cluster(2, 1, 1);
        for (Machine machine : MACHINES) {
            Outcome outcome = machine.run(kernel, launch);
            assertThat(outcome.findings()).hasSize(1);
            assertThat(outcome.findings().getFirst().rule()).isEqualTo(Rule.REGISTERS_NEVER_FREE);
        }
    }

    /// What a CTA leaves is not of the next, nor of the next launch.
    @Test
    void isOfOneCtaOfMany() {
        Kernel kernel =
                ofCtas(
                        """
                        @%p2 bra FIRST;
                        @%p1 bra DONE;
                        setmaxnreg.dec.sync.aligned.u32 24;
                        bra DONE;
                        FIRST: setmaxnreg.inc.sync.aligned.u32 232;
                        DONE:
                        """);
        for (Machine machine : MACHINES) {
            try (Session session = machine.open(new GlobalMemory(64 << 20, true))) {
                for (int last : new int[] {40, 100, 40}) {
                    Launch launch =
                            Launch.of(
                                    new Extent(41, 1, 1),
                                    new Extent(256, 1, 1),
                                    Argument.s32(last));
                    Outcome outcome = session.launch(kernel, launch, Observer.NONE);
                    assertThat(outcome.findings().stream().map(Finding::rule))
                            .hasSize(last == 40 ? 1 : 0)
                            .allMatch(Rule.REGISTERS_NEVER_FREE::equals);
                }
            }
        }
    }
}
