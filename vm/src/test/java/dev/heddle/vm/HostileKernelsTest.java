package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.launch.LaunchCheck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Kernels that nobody meant: the machine ends them with a message, in time, within memory.
///
/// `-Dheddle.mutants=10000 -Dheddle.seed=1` runs the campaign at length.
@DisplayName("hostile kernels")
final class HostileKernelsTest {
    private static final Path CORPUS = Path.of("..", "corpus");
    private static final int MUTANTS = Integer.getInteger("heddle.mutants", 150);
    private static final long SEED = Long.getLong("heddle.seed", 1);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /// What a launch may take to come to its end after its time is up, on a busy machine.
    private static final long GRACE = Duration.ofSeconds(8).toNanos();

    private static final Launch.Bounds LIMITS =
            new Launch.Bounds(64 << 20, 64 << 10, 1 << 21, TIMEOUT);

    /// A kernel of the corpus with its launch.
    record Original(String name, String text, String entry, Launch launch) {}

    private static List<Original> originals() throws IOException {
        List<Original> found = new ArrayList<>();
        try (Stream<Path> folders = Files.list(CORPUS)) {
            for (Path folder : folders.sorted().toList()) {
                Path ptx = folder.resolve(folder.getFileName() + ".compute_80.ptx");
                Path launch = folder.resolve("launch.json");
                if (Files.exists(ptx) && Files.exists(launch)) {
                    LaunchCheck check = LaunchCheck.read(launch, ptx);
                    found.add(
                            new Original(
                                    String.valueOf(folder.getFileName()),
                                    Files.readString(ptx),
                                    check.kernel().code().name(),
                                    check.launches().getFirst().launch().withLimits(LIMITS)));
                }
            }
        }
        return found;
    }

    @Test
    @DisplayName("mutants of the corpus end in a message, on both executors")
    void mutants() throws IOException {
        List<Original> originals = originals();
        Map<String, Integer> ends = new TreeMap<>();
        List<String> broken = new ArrayList<>();
        for (int i = 0; i < MUTANTS; i++) {
            long seed = SEED + i;
            Original original = originals.get((int) (seed % originals.size()));
            MutantKernels mutants = new MutantKernels(seed);
            String text = mutants.mutate(original.text());
            Launch launch = mutants.mutate(original.launch());
            for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
                String end;
                try {
                    end = end(text, original.entry(), launch, machine);
                } catch (RuntimeException | Error e) {
                    end = "crash";
                    StringWriter trace = new StringWriter();
                    (e.getCause() == null ? e : e.getCause())
                            .printStackTrace(new PrintWriter(trace));
                    broken.add(
                            "seed %d, %s, %s: %s"
                                    .formatted(seed, original.name(), machine.name(), trace));
                }
                if (end.equals("late")) {
                    broken.add(
                            "seed %d, %s, %s: late"
                                    .formatted(seed, original.name(), machine.name()));
                }
                ends.merge(end, 1, Integer::sum);
            }
        }
        assertThat(broken).as("%d mutants from seed %d: %s", MUTANTS, SEED, ends).isEmpty();
        if (Boolean.getBoolean("heddle.print")) {
            System.out.println(MUTANTS + " mutants, two executors: " + ends);
        }
    }

    private static String end(String text, String entry, Launch launch, Machine machine) {
        Kernel kernel;
        try {
            kernel = Kernel.of(text, "mutant.ptx", entry);
        } catch (InputException e) {
            return "refused by the parser";
        }
        long start = System.nanoTime();
        Outcome outcome;
        try {
            outcome = machine.run(kernel, launch);
        } catch (InputException e) {
            return "launch refused";
        }
        if (System.nanoTime() - start > TIMEOUT.toNanos() + GRACE) {
            return "late";
        }
        outcome.findings().forEach(finding -> finding.text(kernel.source()::line));
        return outcome.isClean() ? "clean" : outcome.findings().getFirst().verdict().words();
    }

    private static final String HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n";

    private static Outcome run(String ptx, Extent grid, Machine machine, Argument... arguments) {
        return machine.run(
                Kernel.of(HEAD + ptx, "k.ptx", "k"),
                Launch.of(grid, new Extent(32, 1, 1), arguments)
                        .withLimits(
                                new Launch.Bounds(
                                        64 << 20, 64 << 10, Long.MAX_VALUE / 2, TIMEOUT)));
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("a kernel does not outlive its time")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    two thousand million CTAs | ret;
                    one lane in a loop      | mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 3; @%p1 bra E; L: add.u32 %r2, %r2, 1; bra L; E: ret;
                    a loop of loads         | L: ld.volatile.global.u32 %r1, [%rd1]; red.global.add.u32 [%rd1], 1; bra L;
                    a loop on the clock     | L: mov.u64 %rd2, %clock64; ld.volatile.global.u32 %r1, [%rd1]; bra L;
                    """)
    void timeout(String name, String body) {
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            long start = System.nanoTime();
            Outcome outcome =
                    run(
                            loop(body),
                            new Extent(Integer.MAX_VALUE, 1, 1),
                            machine,
                            Argument.zeros("p", 64));
            assertThat(System.nanoTime() - start).as(name).isLessThan(TIMEOUT.toNanos() + GRACE);
            assertThat(outcome.findings()).as(name).hasSize(1);
            assertThat(outcome.findings().getFirst().verdict())
                    .isEqualTo(Verdict.RESOURCE_EXHAUSTED);
        }
    }

    /// A kernel that goes around: `%rd1` is its parameter, `%r2` zero.
    private static String loop(String body) {
        return ".visible .entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %rd<4>;"
                + " .reg .pred %p<2>; mov.u32 %r2, 0; ld.param.u64 %rd1, [p];\n"
                + body
                + "\n}";
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("a loop that repeats its state is told at once")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    an empty loop           | L: bra L;
                    a loop around a barrier | L: bar.sync 0; bra L;
                    a loop on a register    | mov.u32 %r1, 5; L: setp.ne.u32 %p1, %r1, 3; @%p1 bra L;
                    a loop of three states  | L: add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 3; @%p1 mov.u32 %r2, 0; bra L;
                    one lane without a way on | mov.u32 %r1, %tid.x; M: setp.ne.u32 %p1, %r1, 3; @%p1 bra E; L: bra M; E: ret;
                    a weak load             | L: ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;
                    """)
    void circles(String name, String body) {
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            Outcome outcome =
                    run(loop(body), new Extent(1, 1, 1), machine, Argument.zeros("p", 64));
            assertThat(outcome.findings()).as(name).hasSize(1);
            assertThat(outcome.findings().getFirst().rule()).as(name).isEqualTo(Rule.ENDLESS_LOOP);
        }
    }

    @Test
    @DisplayName("recursion without local memory ends at the limit of local memory")
    void recursion() {
        Outcome outcome =
                run(
                        """
                        .func f() { call f; ret; }
                        .visible .entry k() { call f; ret; }
                        """,
                        new Extent(1, 1, 1),
                        Machine.interpreter());
        assertThat(outcome.findings().getFirst().verdict()).isEqualTo(Verdict.RESOURCE_EXHAUSTED);
    }

    @Test
    @DisplayName("a printf of gigabytes ends in a message")
    void printf() {
        Outcome outcome =
                run(
                        """
                        .extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
                        .global .align 1 .b8 text[16] = {37, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 100, 10, 0, 0};
                        .visible .entry k() {
                        .local .align 8 .b8 arguments[8];
                        .reg .b64 %rd<4>;
                        mov.u64 %rd1, text;
                        mov.u64 %rd2, arguments;
                        st.local.u64 [%rd2], 1;
                        cvta.local.u64 %rd3, %rd2;
                        L: { .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1;
                        st.param.b64 [p1], %rd3; .param .b32 r0;
                        call.uni (r0), vprintf, (p0, p1); }
                        bra L;
                        }
                        """,
                        new Extent(100, 1, 1), Machine.interpreter());
        assertThat(outcome.findings().getFirst().verdict()).isEqualTo(Verdict.RESOURCE_EXHAUSTED);
        assertThat(outcome.output()).hasSizeLessThan(64 << 20);
    }

    @Test
    @DisplayName("a parameter far behind the last one is out of bounds")
    void parameter() {
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            Outcome outcome =
                    run(
                            """
                            .visible .entry k(.param .u64 p) {
                            .reg .b64 %rd<4>;
                            ld.param.u64 %rd1, [p+2147483647];
                            st.global.u64 [%rd1], %rd1;
                            }
                            """,
                            new Extent(1, 1, 1), machine, Argument.poison("p", 8));
            assertThat(outcome.findings()).as(machine.name()).isNotEmpty();
            assertThat(outcome.findings().getFirst().rule()).isEqualTo(Rule.OUT_OF_BOUNDS);
        }
    }

    @ParameterizedTest
    @DisplayName("more memory than a launch may take is refused")
    @CsvSource({
        "'.global .b8 huge[99999999999];'",
        "'.global .b8 large[1000000000];'",
        "'.shared .b8 huge[300000];'",
        "'.shared .b8 huge[99999999999];'"
    })
    void memory(String declaration) {
        org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                run(
                                        declaration + "\n.visible .entry k() { ret; }",
                                        new Extent(1, 1, 1),
                                        Machine.interpreter()));
    }
}
