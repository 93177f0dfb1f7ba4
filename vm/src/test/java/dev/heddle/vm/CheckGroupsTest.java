package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// What is told with all checks is told with those of its rule's group alone.
@DisplayName("one group of checks")
final class CheckGroupsTest {
    private static final List<Machine> MACHINES =
            List.of(Machine.interpreter(), Machine.compiler(new Compilations(0)));
    private static final Launch.Bounds LIMITS =
            new Launch.Bounds(1 << 26, 1 << 16, 1 << 22, Duration.ofSeconds(60));

    static Stream<Path> gallery() throws IOException {
        // What is loaded behind a variable is followed, as a value that nobody wrote is.
        return GalleryTest.kernels().filter(folder -> !folder.endsWith("out-of-bounds-next-array"));
    }

    @ParameterizedTest
    @MethodSource("gallery")
    void tellsOfBrokenKernels(Path folder) throws IOException {
        Rule rule = told(folder, MACHINES.getFirst(), RuleGroup.CHECKS).getFirst();
        if (!RuleGroup.CHECKS.contains(rule.group())) {
            return;
        }
        for (Machine machine : MACHINES) {
            assertThat(told(folder, machine, Set.of(rule.group())))
                    .as("%s, %s alone", machine.name(), rule.group())
                    .containsExactly(rule);
        }
    }

    private static List<Rule> told(Path folder, Machine machine, Set<RuleGroup> checks)
            throws IOException {
        Path ptx;
        try (Stream<Path> files = Files.list(folder)) {
            String name = folder.getFileName() + ".compute_";
            ptx =
                    files.filter(file -> file.toString().contains("/" + name))
                            .findAny()
                            .orElseThrow();
        }
        BoundModule module = BoundModule.of(Ptx.parse(Files.readString(ptx), "k.ptx"));
        LaunchFile file = LaunchFile.read(folder.resolve("launch.json"));
        Outcome outcome =
                LaunchCheck.of(
                                file.withConditions(new Launch.Conditions(LIMITS, checks, 1)),
                                folder,
                                module)
                        .run(machine)
                        .outcome();
        return Stream.concat(outcome.findings().stream(), outcome.warnings().stream())
                .map(Finding::rule)
                .toList();
    }
}
