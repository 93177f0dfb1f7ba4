package dev.heddle.vm.launch;

import dev.heddle.formats.InputException;
import dev.heddle.formats.Tensor;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.KernelLaunch;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A launch file with its kernels and arrays read: it runs on any machine and says whether what
/// comes out is as expected. The command, JUnit and the project's own tests all take this way.
///
/// ```java
/// LaunchResult result = LaunchCheck.read(Path.of("launch.json"), Path.of("vadd.ptx"))
///         .run(Machine.compiler());
/// result.complaints(); // empty where all is well
/// ```
///
/// @param file what it states
/// @param folder in which the files lie that it names
/// @param launches ready to run
/// @param types of the buffers
public record LaunchCheck(
        LaunchFile file, Path folder, List<KernelLaunch> launches, Map<String, BufferType> types) {

    public LaunchCheck {
        launches = List.copyOf(launches);
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    }

    /// Reads a launch file, a module and all arrays.
    ///
    /// @throws IOException where a file cannot be read
    /// @throws IllegalArgumentException where one is wrong, or they do not fit together
    public static LaunchCheck read(Path launch, Path ptx) throws IOException {
        return of(LaunchFile.read(launch), folder(launch), ptx, new KernelCache());
    }

    /// The folder of a launch file.
    public static Path folder(Path launch) {
        Path parent = launch.toAbsolutePath().getParent();
        return parent == null ? launch.toAbsolutePath() : parent;
    }

    /// Reads a module and the arrays that a launch file names, side by side: each may take a tenth
    /// of a second.
    ///
    /// @param folder in which the arrays lie
    /// @param ptx the module
    /// @param kernels those already read
    /// @throws IOException where a file cannot be read
    /// @throws IllegalArgumentException where one is wrong, or they do not fit together
    public static LaunchCheck of(LaunchFile file, Path folder, Path ptx, KernelCache kernels)
            throws IOException {
        FutureTask<List<Kernel>> module =
                new FutureTask<>(
                        () -> kernels.of(ptx, entries(file), file.conditions().limits().time()));
        Thread.ofPlatform().daemon().name("heddle-module").start(module);
        Map<String, Contents.Loaded> buffers = buffers(file, folder);
        return of(file, folder, result(module), buffers);
    }

    /// Reads the arrays that a launch file names, for a module that is read.
    ///
    /// @throws IllegalArgumentException where something is wrong or does not fit together
    public static LaunchCheck of(LaunchFile file, Path folder, BoundModule module) {
        return of(file, folder, Kernel.of(module, entries(file)), buffers(file, folder));
    }

    private static List<String> entries(LaunchFile file) {
        return file.starts().stream().map(LaunchFile.Start::entry).toList();
    }

    private static Map<String, Contents.Loaded> buffers(LaunchFile file, Path folder) {
        Map<String, Contents.Loaded> loaded = new LinkedHashMap<>();
        file.buffers().forEach((name, contents) -> loaded.put(name, contents.load(folder)));
        return loaded;
    }

    private static LaunchCheck of(
            LaunchFile file,
            Path folder,
            List<Kernel> kernels,
            Map<String, Contents.Loaded> loaded) {
        Map<String, BufferType> types = new LinkedHashMap<>();
        List<Argument.Buffer> buffers = new ArrayList<>();
        loaded.forEach(
                (name, one) -> {
                    types.put(name, one.type());
                    buffers.add(new Argument.Buffer(name, one.type().bytes(), one.bytes()));
                });
        List<KernelLaunch> launches = new ArrayList<>();
        for (LaunchFile.Start start : file.starts()) {
            Launch launch = launch(start, folder, buffers, file.conditions());
            KernelLaunch one = new KernelLaunch(kernels.get(launches.size()), launch);
            requireFit(start, one);
            launches.add(one);
        }
        return new LaunchCheck(file, folder, launches, types);
    }

    private static void requireFit(LaunchFile.Start start, KernelLaunch launch) {
        try {
            launch.kernel().requireFit(launch.launch());
        } catch (InputException e) {
            throw new LaunchFileException(start.place(), String.valueOf(e.getMessage()));
        }
    }

    private static Launch launch(
            LaunchFile.Start start,
            Path folder,
            List<Argument.Buffer> buffers,
            Launch.Conditions conditions) {
        Map<String, Argument> variables = new LinkedHashMap<>();
        start.variables().forEach((name, contents) -> variables.put(name, value(contents, folder)));
        return new Launch(
                start.shape(), start.arguments(), new Launch.State(buffers, variables), conditions);
    }

    private static Argument value(Contents contents, Path folder) {
        if (contents instanceof Contents.Literal(Argument value)) {
            return value;
        }
        byte[] bytes = contents.load(folder).bytes();
        return new Argument.Value(bytes == null ? new byte[0] : bytes);
    }

    private static List<Kernel> result(FutureTask<List<Kernel>> module) throws IOException {
        try {
            return module.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the module was read");
        }
    }

    /// The kernel of the first launch, for names and lines of the module.
    public Kernel kernel() {
        return launches.getFirst().kernel();
    }

    /// Runs all launches on a machine and compares.
    public LaunchResult run(Machine machine) {
        return run(machine, Observer.NONE);
    }

    /// Runs all launches on a machine, tells an observer on the way, and compares.
    ///
    /// @throws LaunchFileException where an expected array cannot be read, or is of another size
    public LaunchResult run(Machine machine, Observer observer) {
        // A trace follows one CTA after the other.
        List<KernelLaunch> all = new ArrayList<>(launches);
        if (observer.steps() != null) {
            all.replaceAll(one -> new KernelLaunch(one.kernel(), one.launch().withThreads(1)));
        }
        Outcome outcome = machine.run(all, observer);
        Map<String, Agreement> agreements = new LinkedHashMap<>();
        if (outcome.isClean()) {
            for (Expectation one : file.expectations()) {
                agreements.put(one.buffer(), compare(one, outcome));
            }
        }
        return new LaunchResult(this, machine.name(), outcome, agreements);
    }

    private Agreement compare(Expectation expectation, Outcome outcome) {
        BufferType type = types.get(expectation.buffer());
        if (type == null) {
            throw new IllegalStateException(expectation.buffer());
        }
        return expectation.compare(type, outcome.buffer(expectation.buffer()), folder);
    }

    /// A buffer after a run, with its type.
    public Tensor tensor(String buffer, Outcome outcome) {
        BufferType type = types.get(buffer);
        if (type == null) {
            throw new IllegalArgumentException("no buffer " + buffer + " among " + types.keySet());
        }
        return type.tensor(outcome.buffer(buffer));
    }
}
