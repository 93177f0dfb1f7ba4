package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.Check;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchFile;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Kernels whose idioms look wrong and are right: no finding, whichever executor runs them.
@DisplayName("the gallery of sound kernels")
final class SoundGalleryTest {
    private static final Path SOUND = Path.of("..", "examples", "sound");

    /// Goes over to vectors soon, so that both its ways are gone.
    private static final Machine COMPILER = Machine.compiler(new Compilations(0));

    private static final Launch.Bounds LIMITS =
            new Launch.Bounds(1 << 26, 1 << 16, 1 << 24, Duration.ofSeconds(60));

    static Stream<Path> kernels() throws IOException {
        try (Stream<Path> files = Files.walk(SOUND, 2)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList();
            return found.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void isFineWithTheInterpreter(Path kernel) throws IOException {
        assertThat(findings(kernel, Machine.interpreter())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void isFineWithTheCompiler(Path kernel) throws IOException {
        assertThat(findings(kernel, COMPILER)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void isFineToTheChecker(Path kernel) throws IOException {
        assertThat(Check.text(Files.readString(kernel), kernel.getFileName().toString()).findings())
                .isEmpty();
    }

    private static List<String> findings(Path kernel, Machine machine) throws IOException {
        Path folder = kernel.resolveSibling("");
        BoundModule module =
                BoundModule.of(
                        Ptx.parse(Files.readString(kernel), kernel.getFileName().toString()));
        LaunchFile file = LaunchFile.read(folder.resolve("launch.json"));
        LaunchCheck check =
                LaunchCheck.of(
                        file.withConditions(new Launch.Conditions(LIMITS, RuleGroup.CHECKS, 2)),
                        folder,
                        module);
        return check.run(machine).outcome().findings().stream()
                .map(finding -> finding.text(module.source()::line))
                .toList();
    }
}
