package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
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
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Every kernel of the gallery of broken kernels ends in its blessed message, `message.txt` beside
/// it, on both executors.
///
/// `-Dheddle.bless=true` writes the messages of the interpreter anew; read them before they are
/// kept: would you know what to change?
@DisplayName("the gallery of broken kernels")
final class GalleryTest {
    private static final Path GALLERY = Path.of("..", "examples", "broken");
    private static final boolean BLESS = Boolean.getBoolean("heddle.bless");

    /// Goes over to vectors soon, so that both its ways are gone.
    private static final Machine COMPILER = Machine.compiler(new Compilations(0));

    /// Small enough that a runaway ends at once, large enough for every other kernel.
    private static final Launch.Bounds LIMITS =
            new Launch.Bounds(1 << 26, 1 << 16, 1 << 22, Duration.ofSeconds(60));

    static Stream<Path> kernels() throws IOException {
        if (!Files.isDirectory(GALLERY)) {
            return Stream.empty();
        }
        try (Stream<Path> folders = Files.list(GALLERY)) {
            List<Path> found = folders.filter(Files::isDirectory).sorted().toList();
            return found.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void isToldByTheInterpreter(Path folder) throws IOException {
        String message = message(folder, Machine.interpreter());
        Path blessed = folder.resolve("message.txt");
        if (BLESS) {
            Files.writeString(blessed, message);
        }
        assertThat(message).isEqualTo(Files.readString(blessed));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void isToldByTheCompiler(Path folder) throws IOException {
        assertThat(message(folder, COMPILER))
                .isEqualTo(Files.readString(folder.resolve("message.txt")));
    }

    /// What is told does not depend on how many workers look for it.
    @ParameterizedTest
    @MethodSource("kernels")
    void isToldByAnyNumberOfWorkers(Path folder) throws IOException {
        String blessed = Files.readString(folder.resolve("message.txt"));
        for (Machine machine : List.of(Machine.interpreter(), COMPILER)) {
            for (int workers : List.of(2, 4)) {
                assertThat(message(folder, machine, OptionalInt.of(workers)))
                        .as("%s, %d workers", machine.name(), workers)
                        .isEqualTo(blessed);
            }
        }
    }

    /// What was wrong put right, and nothing else: no finding.
    @ParameterizedTest
    @MethodSource("kernels")
    void itsRepairedTwinIsFine(Path folder) throws IOException {
        Path launch = folder.resolve("repaired.json");
        for (Machine machine : List.of(Machine.interpreter(), COMPILER)) {
            assertThat(
                            findings(
                                    folder,
                                    "repaired",
                                    Files.exists(launch) ? launch : folder.resolve("launch.json"),
                                    machine,
                                    OptionalInt.empty()))
                    .as("%s, %s", folder, machine.name())
                    .isEmpty();
        }
    }

    private static String message(Path folder, Machine machine) throws IOException {
        return message(folder, machine, OptionalInt.empty());
    }

    private static String message(Path folder, Machine machine, OptionalInt workers)
            throws IOException {
        String name = String.valueOf(folder.getFileName());
        List<String> found =
                findings(folder, name, folder.resolve("launch.json"), machine, workers);
        assertThat(found).as("the defect of " + folder).hasSize(1);
        return found.getFirst();
    }

    private static List<String> findings(
            Path folder, String name, Path launch, Machine machine, OptionalInt workers)
            throws IOException {
        Path kernel;
        try (Stream<Path> files = Files.list(folder)) {
            kernel =
                    files.filter(file -> file.toString().contains("/" + name + ".compute_"))
                            .findAny()
                            .orElseThrow(() -> new IllegalStateException(folder + ": no " + name));
        }
        BoundModule module =
                BoundModule.of(
                        Ptx.parse(Files.readString(kernel), String.valueOf(kernel.getFileName())));
        LaunchFile file = LaunchFile.read(launch);
        LaunchCheck check =
                LaunchCheck.of(
                        file.withConditions(
                                new Launch.Conditions(
                                        LIMITS,
                                        RuleGroup.CHECKS,
                                        workers.orElse(file.conditions().threads()))),
                        folder,
                        module);
        Outcome outcome = check.run(machine).outcome();
        return Stream.concat(outcome.findings().stream(), outcome.warnings().stream())
                .map(finding -> finding.text(module.source()::line))
                .toList();
    }
}
