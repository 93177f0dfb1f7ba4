package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.launch.Expectation;
import dev.heddle.vm.launch.LaunchFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every kernel of the corpus, as nvcc compiled it for compute_80, gives what an independent
/// program on the host computed, with
/// all checks on and no finding, on both executors.
@DisplayName("the corpus of CUDA kernels")
final class CorpusTest {
    private static final Path CORPUS = Path.of("..", "corpus");
    private static final Machine COMPILER = Machine.compiler();

    /// Beyond this machine so far.
    private static final Set<String> UNSUPPORTED = Set.of("gemm-wmma");

    static Stream<Path> kernels() throws IOException {
        if (!Files.isDirectory(CORPUS)) {
            return Stream.empty();
        }
        try (Stream<Path> folders = Files.list(CORPUS)) {
            List<Path> found =
                    folders.filter(folder -> Files.exists(ptx(folder)))
                            .filter(folder -> Files.exists(folder.resolve("launch.json")))
                            .filter(folder -> !UNSUPPORTED.contains(name(folder)))
                            .sorted(Comparator.naturalOrder())
                            .toList();
            return found.stream();
        }
    }

    private static String name(Path folder) {
        return String.valueOf(folder.getFileName());
    }

    private static Path ptx(Path folder) {
        return folder.resolve(name(folder) + ".compute_80.ptx");
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void runsOnTheInterpreter(Path folder) throws IOException {
        run(folder, Machine.interpreter());
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void runsOnTheCompiler(Path folder) throws IOException {
        run(folder, COMPILER);
    }

    private static void run(Path folder, Machine machine) throws IOException {
        LaunchFile file;
        try {
            file =
                    LaunchFile.parse(
                            Files.readString(folder.resolve("launch.json")),
                            name -> elements(folder.resolve(name)));
        } catch (UnsupportedOperationException e) {
            Assumptions.abort(folder + ": " + e.getMessage());
            return;
        }
        Kernel kernel =
                Kernel.of(Files.readString(ptx(folder)), ptx(folder).toString(), file.entry());
        Outcome outcome = machine.run(kernel, file.launch());
        assertThat(outcome.findings().stream().map(f -> f.text(kernel.source()::line)).toList())
                .isEmpty();
        for (Expectation expectation : file.expectations()) {
            Expectation.Agreement agreement =
                    expectation.compare(
                            outcome.buffer(expectation.buffer()),
                            elements(folder.resolve(expectation.file())));
            assertThat(agreement.holds()).as("%s: %s", expectation.buffer(), agreement).isTrue();
        }
        if (file.stdout() != null) {
            assertThat(outcome.output()).isEqualTo(file.stdout());
        }
    }

    /// The elements of a .npy file: what follows its header.
    private static byte[] elements(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int header =
                bytes[6] == 1
                        ? 10 + (bytes[8] & 255 | (bytes[9] & 255) << 8)
                        : 12 + (bytes[8] & 255 | (bytes[9] & 255) << 8 | (bytes[10] & 255) << 16);
        return Arrays.copyOfRange(bytes, header, bytes.length);
    }
}
