package dev.heddle.junit;

import dev.heddle.vm.Machine;
import dev.heddle.vm.launch.KernelCache;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.launch.LaunchModules;

import org.junit.jupiter.api.DynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A test for every launch file in a folder and below: the kernel runs without a finding, and its
/// buffers are as the file expects.
///
/// ```java
/// @TestFactory
/// Stream<DynamicTest> kernels() throws IOException {
///     return LaunchTests.in(Path.of("src/test/kernels")).tests();
/// }
/// ```
///
/// @param folder with launch files and what they name
/// @param machine to run on
/// @param targets of the modules, where a launch file has several beside it
/// @param chosen which launch files
public record LaunchTests(
        Path folder, Machine machine, List<String> targets, Predicate<Path> chosen) {
    public LaunchTests {
        targets = List.copyOf(targets);
    }

    /// Those in a folder and below whose names begin with `launch` and end in `.json`, on the
    /// compiler.
    public static LaunchTests in(Path folder) {
        return new LaunchTests(folder, Machine.tiered(), List.of(), LaunchTests::isLaunch);
    }

    private static boolean isLaunch(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith("launch") && name.endsWith(".json");
    }

    /// The same on another machine.
    public LaunchTests on(Machine other) {
        return new LaunchTests(folder, other, targets, chosen);
    }

    /// The same for modules of these targets, such as `compute_80`.
    public LaunchTests withTargets(String... names) {
        return new LaunchTests(folder, machine, List.of(names), chosen);
    }

    /// The same for only some of the launch files.
    public LaunchTests only(Predicate<Path> files) {
        return new LaunchTests(folder, machine, targets, chosen.and(files));
    }

    /// The tests, named by launch file and module.
    ///
    /// @throws IOException where the folder cannot be read
    /// @throws IllegalArgumentException where it holds no launch file for the targets
    public Stream<DynamicTest> tests() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        KernelCache kernels = new KernelCache();
        List<Path> launches;
        try (Stream<Path> files = Files.walk(folder)) {
            launches = files.filter(chosen).sorted().toList();
        }
        for (Path launch : launches) {
            tests.addAll(tests(launch, kernels));
        }
        if (tests.isEmpty()) {
            throw new IllegalArgumentException(
                    folder + ": no launch files" + (targets.isEmpty() ? "" : " for " + targets));
        }
        return tests.stream();
    }

    /// One for each module of a launch file; a file that cannot be read fails as a test of its own.
    private List<DynamicTest> tests(Path launch, KernelCache kernels) {
        List<DynamicTest> tests = new ArrayList<>();
        try {
            LaunchFile file = LaunchFile.read(launch);
            Path beside = LaunchCheck.folder(launch);
            for (Path ptx : LaunchModules.of(launch, file.ptx(), targets)) {
                tests.add(
                        DynamicTest.dynamicTest(
                                folder.relativize(launch) + " " + ptx.getFileName(),
                                launch.toUri(),
                                () -> test(LaunchCheck.of(file, beside, ptx, kernels))));
            }
        } catch (IOException | IllegalArgumentException e) {
            tests.add(
                    DynamicTest.dynamicTest(
                            folder.relativize(launch).toString(),
                            launch.toUri(),
                            () -> {
                                throw e;
                            }));
        }
        return tests;
    }

    private void test(LaunchCheck check) {
        List<String> complaints = check.run(machine).complaints();
        if (!complaints.isEmpty()) {
            throw new AssertionError(
                    "on %s:%n%s".formatted(machine.name(), String.join("\n", complaints)));
        }
    }
}
