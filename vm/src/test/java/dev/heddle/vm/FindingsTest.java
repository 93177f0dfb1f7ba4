package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

@DisplayName("what a broken kernel is told")
final class FindingsTest {
    private static final String HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n";
    private static final Extent ONE = new Extent(1, 1, 1);

    private static Finding finding(String body, int threads, int bytes) {
        Kernel kernel =
                Kernel.of(
                        HEAD
                                + ".visible .entry k(.param .u64 out) {\n"
                                + ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<4>;\n"
                                + ".shared .align 16 .b8 tile[256];\n"
                                + "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
                                + body
                                + "\nret;\n}\n",
                        "k.ptx",
                        "k");
        Launch launch =
                Launch.of(ONE, new Extent(threads, 1, 1), Argument.poison("out", bytes))
                        .withLimits(
                                new Launch.Bounds(
                                        1 << 26, 1 << 16, 1 << 24, Duration.ofSeconds(20)));
        Outcome outcome = Machine.interpreter().run(kernel, launch);
        Outcome compiled = Machine.compiler().run(kernel, launch);
        assertThat(outcome.findings()).hasSize(1);
        Finding finding = outcome.findings().getFirst();
        assertThat(compiled.findings().stream().map(Finding::message))
                .containsExactly(finding.message());
        return finding;
    }

    @Test
    void storeBehindTheBuffer() {
        Finding finding =
                finding(
                        "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
                                + "st.global.u32 [%rd3], %r1;",
                        32, 64);
        assertThat(finding.verdict()).isEqualTo(Verdict.UNDEFINED_BEHAVIOR);
        assertThat(finding.rule()).isEqualTo(Rule.OUT_OF_BOUNDS);
        assertThat(finding.message())
                .contains("in no buffer: right behind the end of out (64 bytes");
        assertThat(String.valueOf(finding.where()))
                .isEqualTo("CTA (0,0,0), warp 0, lane 16: thread (16,0,0)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sub.u32 %r2, %r1, 65; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; | : as by an index of -65 (of 4 bytes each), taken as 32 bits without sign
                    st.global.u32 [%rd1+-4], %r1;                                  | in no buffer: 4 bytes before out (64 bytes
                    mov.u64 %rd2, 0x55d9e459c128; ld.global.u32 %r2, [%rd2];       | in no buffer, but where a program of the host has heap and stack
                    mov.u64 %rd2, 0x7ffd3a1c5e40; st.global.u32 [%rd2], %r1;       | in no buffer, but where a program of the host has heap and stack
                    mov.u64 %rd2, 0x200000000000; st.global.u32 [%rd2], %r1;       | bytes behind the end of out
                    mov.u32 %r2, -8; st.shared.u32 [%r2], %r1;                     | shared address 0xfffffff8, 8 bytes before shared memory begins, outside the 256 bytes
                    """)
    void placesOutOfBounds(String body, String message) {
        assertThat(finding(body, 1, 64).message()).contains(message);
    }

    @Test
    void aMemberMaskOfNoLane() {
        assertThat(finding("vote.sync.ballot.b32 %r2, 1, 0;", 32, 64).message())
                .endsWith("with member mask 0x00000000, which names no lane");
    }

    @Test
    void misalignedLoad() {
        assertThat(finding("st.global.u32 [%rd1+2], %r1;", 1, 64).message())
                .contains("not a multiple of 4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    atom.global.add.u32 %r2, [%rd1+64], %r1; | OUT_OF_BOUNDS      | global
                    red.global.add.u32 [%rd1+2], %r1;        | MISALIGNED_ACCESS  | global
                    red.global.add.u32 [%rd1], %r1;          | UNINITIALIZED_READ | global
                    atom.shared.add.u32 %r2, [tile+256], %r1;| OUT_OF_BOUNDS      | shared
                    red.shared.add.u32 [tile+2], %r1;        | MISALIGNED_ACCESS  | shared
                    """)
    void anAtomicIsCalledAtomic(String instruction, Rule rule, String space) {
        Finding finding = finding(instruction, 1, 64);
        assertThat(finding.rule()).isEqualTo(rule);
        assertThat(finding.message())
                .startsWith("atomic operation of 4 bytes at " + space + " address");
    }

    @Test
    void readOfWhatNobodyWrote() {
        assertThat(
                        finding("ld.global.u32 %r2, [%rd1+4]; st.global.u32 [%rd1], %r2;", 1, 64)
                                .message())
                .contains("(out[1], bytes 4..7), of which nobody wrote byte 0");
    }

    /// The element is one that the declaration has: `.f32 grid[4][8]`, so byte 76 is `grid[2][3]`.
    @Test
    void anElementIsCalledAsItIsDeclared() {
        String declared = ".shared .f32 grid[4][8]; .reg .f32 %f<4>;\n";
        assertThat(
                        finding(
                                        declared
                                                + "ld.shared.f32 %f1, [grid+76];"
                                                + " st.global.f32 [%rd1], %f1;",
                                        1,
                                        64)
                                .message())
                .contains("(grid[2][3]), of which nobody wrote");
    }

    @Test
    void oneOfSeveralLaunchesIsNamed() {
        String text =
                HEAD
                        + """
                        .visible .entry first() { ret; }
                        .visible .entry second() {
                        .reg .b64 %rd1; .reg .b32 %r1;
                        mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1];
                        ret;
                        }
                        """;
        List<KernelLaunch> both =
                Kernel.of(BoundModule.of(Ptx.parse(text, "k.ptx")), List.of("first", "second"))
                        .stream()
                        .map(kernel -> new KernelLaunch(kernel, Launch.of(ONE, ONE)))
                        .toList();
        assertThat(Machine.interpreter().run(both, Observer.NONE).findings())
                .singleElement()
                .satisfies(
                        one ->
                                assertThat(one.notes().getLast().message())
                                        .isEqualTo("in launch 1, of second"));
    }

    @Test
    void aNullPointerIsTracedToItsParameter() {
        String text =
                HEAD
                        + """
                        .visible .entry k(.param .u32 n, .param .u64 in, .param .u64 out) {
                        .reg .b64 %rd<9>; .reg .b32 %r<9>;
                        ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
                        cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;
                        mov.u32 %r1, %tid.x; mul.wide.u32 %rd5, %r1, 4;
                        add.s64 %rd6, %rd3, %rd5; ld.global.u32 %r2, [%rd6+8];
                        add.s64 %rd7, %rd4, %rd5; st.global.u32 [%rd7], %r2;
                        ret;
                        }
                        """;
        Launch launch =
                Launch.of(
                        ONE,
                        new Extent(4, 1, 1),
                        Argument.s32(4),
                        Argument.s64(0),
                        Argument.poison("out", 16));
        Finding finding =
                Machine.interpreter()
                        .run(Kernel.of(text, "k.ptx", "k"), launch)
                        .findings()
                        .getFirst();
        assertThat(finding.rule()).isEqualTo(Rule.OUT_OF_BOUNDS);
        assertThat(finding.notes().getFirst().message()).isEqualTo("parameter in of k is null");
    }

    @Test
    void sharedRaceNamesBothPlaces() {
        Finding finding =
                finding(
                        "mov.u32 %r3, tile; shl.b32 %r4, %r1, 2; add.u32 %r4, %r3, %r4;\n"
                                + "st.shared.u32 [%r4], %r1;\n"
                                + "xor.b32 %r5, %r4, 4;\n"
                                + "ld.shared.u32 %r6, [%r5];\n"
                                + "st.global.u32 [%rd1], %r6;",
                        64, 64);
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.notes().getFirst().message()).startsWith("it matters here: %r6");
        assertThat(finding.notes().get(1).message())
                .isEqualTo("written here by thread (1,0,0) (warp 0, lane 1)");
    }

    @Test
    void divergentBarrier() {
        Finding finding =
                finding(
                        "setp.lt.u32 %p1, %r1, 16;\n"
                                + "@%p1 bra A;\n"
                                + "bar.sync 0;\n"
                                + "bra B;\n"
                                + "A: bar.sync 0;\n"
                                + "B:",
                        32, 64);
        assertThat(finding.rule()).isEqualTo(Rule.ALIGNED_UNDER_DIVERGENCE);
    }

    @Test
    void barrierThatNobodyCompletes() {
        Finding finding = finding("barrier.sync 1, 64;", 32, 64);
        assertThat(finding.verdict()).isEqualTo(Verdict.DEADLOCK);
    }

    @Test
    void loopWithoutEnd() {
        assertThat(finding("mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; bra L;", 32, 64).verdict())
                .isEqualTo(Verdict.RESOURCE_EXHAUSTED);
    }

    @Test
    void unsupportedInstructionIsNotTheKernelsFault() {
        Finding finding =
                TinyKernel.of("", "multimem.red.relaxed.sys.global.add.u32 [%rd1], 1;")
                        .finding(32, 64);
        assertThat(finding.verdict()).isEqualTo(Verdict.UNSUPPORTED);
        assertThat(finding.text(line -> "")).contains("not a bug in the kernel");
    }

    @Test
    void trap() {
        assertThat(finding("trap;", 1, 64).verdict()).isEqualTo(Verdict.TRAP);
    }

    @Test
    void whoArrivedInAPhaseThatBytesHaveEnded() {
        Finding finding =
                TinyKernel.of(
                                """
                                mov.u32 %r7, tile; mbarrier.init.shared.b64 [%r7], 1;
                                fence.mbarrier_init.release.cluster;
                                mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r7], 32;
                                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                                  [%r7+128], [%rd1], 32, [%r7];
                                A: mbarrier.try_wait.parity.shared.b64 %p1, [%r7], 0;
                                @!%p1 bra A;
                                B: mbarrier.try_wait.parity.shared.b64 %p1, [%r7], 1;
                                @!%p1 bra B;
                                """)
                        .finding(1, 64);
        assertThat(finding.rule()).isEqualTo(Rule.MBARRIER_NEVER_COMPLETES);
        assertThat(finding.notes())
                .extracting(Finding.Note::message)
                .contains("nobody has arrived in this phase");
    }
}
