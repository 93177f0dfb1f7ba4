package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.launch.LaunchCheck;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Mutants of kernels that run as whole CTAs by machine code, on which nothing bounds the steps:
/// both executors do and say the same, with checks and without.
///
/// `-Dheddle.wholeCtas=10000 -Dheddle.seed=1` takes more of them.
@DisplayName("Mutants of kernels that run as whole CTAs")
final class WholeCtaMutantsTest {
    private static final Path CORPUS = Path.of("..", "corpus");
    private static final int MUTANTS = Integer.getInteger("heddle.wholeCtas", 80);
    private static final long SEED = Long.getLong("heddle.seed", 1);

    private static final Launch.Bounds LIMITS =
            new Launch.Bounds(64 << 20, 64 << 10, Long.MAX_VALUE / 2, Duration.ofSeconds(2));

    /// In kernels that go by warps.
    private static final Pattern ELSEWHERE =
            Pattern.compile(
                    "\\b(atom|red|shfl|vote|match|mma|wmma|ldmatrix|cp|mbarrier|call|fence|membar|tex)\\b");

    private record Original(String name, String text, String entry, Launch launch) {}

    /// How a launch came to its end: what was found, and the memory it left.
    private record End(String told, boolean timed, Map<String, MemorySegment> buffers) {
        boolean isLike(End other) {
            return told.equals(other.told)
                    && buffers.keySet().equals(other.buffers.keySet())
                    && buffers.entrySet().stream()
                            .allMatch(
                                    one -> holds(one.getValue(), other.buffers.get(one.getKey())));
        }

        private static boolean holds(MemorySegment one, @Nullable MemorySegment other) {
            return other != null && one.mismatch(other) < 0;
        }
    }

    private static List<Original> originals() throws IOException {
        List<Original> found = new ArrayList<>();
        try (Stream<Path> folders = Files.list(CORPUS)) {
            for (Path folder : folders.sorted().toList()) {
                Path ptx = folder.resolve(folder.getFileName() + ".compute_80.ptx");
                Path launch = folder.resolve("launch.json");
                if (!Files.exists(ptx) || !Files.exists(launch)) {
                    continue;
                }
                String text = Files.readString(ptx);
                if (!ELSEWHERE.matcher(text).find()) {
                    LaunchCheck check = LaunchCheck.read(launch, ptx);
                    found.add(
                            new Original(
                                    String.valueOf(folder.getFileName()),
                                    text,
                                    check.kernel().code().name(),
                                    check.launches().getFirst().launch()));
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(10);
        return found;
    }

    @Test
    @DisplayName("end alike on both executors")
    void mutants() throws IOException {
        List<Original> originals = originals();
        List<String> different = new ArrayList<>();
        Map<String, Integer> ends = new TreeMap<>();
        for (long seed = SEED; seed < SEED + MUTANTS; seed++) {
            Original original = originals.get((int) (seed % originals.size()));
            MutantKernels mutants = new MutantKernels(seed);
            String text = mutants.mutate(original.text());
            Launch launch = mutants.mutate(original.launch()).withThreads(1).withLimits(LIMITS);
            launch = launch.withChecks(seed % 2 == 0 ? RuleGroup.CHECKS : Set.of());
            End expected = end(text, original.entry(), launch, Machine.interpreter());
            End found = end(text, original.entry(), launch, Machine.compiler());
            ends.merge(found.told.split(":")[0], 1, Integer::sum);
            if (!expected.timed && !found.timed && !found.isLike(expected)) {
                different.add(
                        "seed %d, %s, checks %s: %s\nshould be %s"
                                .formatted(
                                        seed,
                                        original.name(),
                                        launch.checks(),
                                        found.told,
                                        expected.told));
            }
        }
        if (Boolean.getBoolean("heddle.print")) {
            System.out.println(MUTANTS + " mutants of " + originals.size() + " kernels: " + ends);
        }
        assertThat(different).isEmpty();
    }

    private static End end(String text, String entry, Launch launch, Machine machine) {
        try {
            Kernel kernel = Kernel.of(text, "mutant.ptx", entry);
            Outcome outcome = machine.run(kernel, launch);
            if (outcome.isClean()) {
                return new End("clean", false, outcome.buffers());
            }
            Rule rule = outcome.findings().getFirst().rule();
            boolean timed = rule == Rule.TIME_LIMIT_REACHED || rule == Rule.ENDLESS_LOOP;
            // Without checks, nothing says which of several stores out of bounds comes first.
            return new End(
                    rule + ": " + (launch.checks().isEmpty() ? "" : outcome.findings()),
                    timed,
                    launch.checks().isEmpty() ? Map.of() : outcome.buffers());
        } catch (InputException e) {
            return new End("refused", false, Map.of());
        }
    }
}
