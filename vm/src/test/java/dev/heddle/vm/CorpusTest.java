package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchResult;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Every kernel of the corpus, as nvcc compiled it for the first target that it has, gives what an
/// independent program on the host computed, with all checks on and no finding, on both executors.
@DisplayName("the corpus of CUDA kernels")
final class CorpusTest {
    private static final Path CORPUS = Path.of("..", "corpus");

    /// Goes over to vectors soon, so that both its ways are gone.
    private static final Machine COMPILER = Machine.compiler(new Compilations(1 << 8));

    /// Targets in the order in which they are taken.
    private static final List<String> TARGETS =
            List.of("compute_80", "compute_90a", "compute_120a");

    /// Every launch file beside PTX for one of the targets.
    static Stream<Path> launches() throws IOException {
        try (Stream<Path> files = Files.find(CORPUS, 2, (file, _) -> isLaunch(file))) {
            List<Path> found =
                    files.filter(file -> Files.exists(ptx(folder(file))))
                            .sorted(Comparator.naturalOrder())
                            .toList();
            assertThat(found).hasSizeGreaterThan(60);
            return found.stream();
        }
    }

    private static boolean isLaunch(Path file) {
        return name(file).matches("launch.*[.]json");
    }

    static Path folder(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static String name(Path folder) {
        return String.valueOf(folder.getFileName());
    }

    static Path ptx(Path folder) {
        return TARGETS.stream()
                .map(target -> folder.resolve("%s.%s.ptx".formatted(name(folder), target)))
                .filter(Files::exists)
                .findFirst()
                .orElse(folder.resolve("none"));
    }

    @ParameterizedTest
    @MethodSource("launches")
    void runsOnTheInterpreter(Path launch) throws IOException {
        run(launch, Machine.interpreter());
    }

    @ParameterizedTest
    @MethodSource("launches")
    void runsOnTheCompiler(Path launch) throws IOException {
        run(launch, COMPILER);
    }

    private static void run(Path launch, Machine machine) throws IOException {
        LaunchResult result = LaunchCheck.read(launch, ptx(folder(launch))).run(machine);
        assertThat(result.complaints()).isEmpty();
        assertThat(result.agreements()).hasSameSizeAs(result.check().file().expectations());
    }
}
