package dev.heddle.junit;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Format;
import dev.heddle.formats.Tensor;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.Agreement;
import dev.heddle.vm.launch.Expectation;
import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.launch.LaunchModules;

import org.junit.jupiter.api.DynamicTest;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
        return new LaunchTests(folder, Machine.compiler(), List.of(), LaunchTests::isLaunch);
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
        List<Path> launches;
        try (Stream<Path> files = Files.walk(folder)) {
            launches = files.filter(chosen).sorted().toList();
        }
        for (Path launch : launches) {
            Map<String, Object> fields = JSON.std.mapFrom(Files.readString(launch));
            for (Path ptx : LaunchModules.of(launch, fields, targets)) {
                tests.add(
                        DynamicTest.dynamicTest(
                                folder.relativize(launch) + " " + ptx.getFileName(),
                                launch.toUri(),
                                () -> test(launch, fields, ptx)));
            }
        }
        if (tests.isEmpty()) {
            throw new IllegalArgumentException(
                    folder + ": no launch files" + (targets.isEmpty() ? "" : " for " + targets));
        }
        return tests.stream();
    }

    private void test(Path launch, Map<?, ?> fields, Path ptx) throws IOException {
        Path beside = Objects.requireNonNull(launch.toAbsolutePath().getParent());
        LaunchFile file = LaunchFile.of(fields, (name, format) -> tensor(beside, name, format));
        Kernel kernel = Kernel.read(ptx, file.entry());
        Outcome outcome = new KernelRunner(machine).run(kernel, file.launch());
        List<String> complaints = new ArrayList<>();
        for (Expectation expectation : file.expectations()) {
            Agreement agreement =
                    expectation.compare(
                            outcome.buffer(expectation.buffer()),
                            tensor(
                                            beside,
                                            expectation.file(),
                                            Optional.of(expectation.type().format()))
                                    .codes()
                                    .bytes());
            if (!agreement.holds()) {
                complaints.add(expectation.buffer() + ": " + agreement);
                complaints.addAll(agreement.lines("got", "expected"));
            }
        }
        String stdout = file.stdout();
        if (stdout != null && !stdout.equals(outcome.output())) {
            complaints.add("printed:\n" + outcome.output() + "expected:\n" + stdout);
        }
        if (!complaints.isEmpty()) {
            throw new AssertionError(String.join("\n", complaints));
        }
    }

    private static Tensor tensor(Path folder, String name, Optional<Format> format) {
        try {
            return TensorReference.parse(folder.resolve(name).toString()).readBits(format);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
