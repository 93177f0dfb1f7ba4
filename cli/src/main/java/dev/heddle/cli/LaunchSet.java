package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.programs.fatbin.Executable;
import dev.heddle.vm.launch.KernelCache;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.launch.LaunchModules;
import dev.heddle.vm.report.Suppressions;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Which launches a command line asks for: a module with options, or any number of launch files.
///
/// @param requests one for each launch
/// @param skipped  launch files that have no PTX for the targets asked for
/// @param known    findings that the command line says are known
record LaunchSet(List<Request> requests, List<Path> skipped, Suppressions known) {

    /// One launch, not read yet; its name is what messages call it.
    sealed interface Request {
        String name();

        /// Reads all it needs.
        LaunchPlan read(KernelCache kernels) throws IOException;
    }

    /// A launch of a module.
    ///
    /// @param file   with the options
    /// @param folder in which the files lie that it names
    /// @param ptx    the module
    /// @param text   what it says where it came from standard input or an executable, else null
    record Whole(String name, LaunchFile file, Path folder, Path ptx, @Nullable String text)
            implements Request {
        @Override
        public LaunchPlan read(KernelCache kernels) throws IOException {
            if (text == null) {
                LaunchPlan.readable(ptx);
            } else {
                kernels.hold(ptx, text);
            }
            return LaunchPlan.read(name, file, folder, ptx, kernels);
        }
    }

    /// A launch file that is wrong.
    record Wrong(String name, RuntimeException why) implements Request {
        @Override
        public LaunchPlan read(KernelCache kernels) {
            throw why;
        }
    }

    static LaunchSet of(ParseResult given) throws IOException {
        List<String> files = Command.words(given);
        String launch = Command.value(given, "--launch");
        boolean input = files.equals(List.of("-"));
        boolean launches = files.stream().allMatch(file -> file.endsWith(".json"));
        boolean modules = input || files.stream().allMatch(LaunchSet::isModule);
        if (files.isEmpty()) {
            throw new UsageError(
                    "run: expected one module FILE.ptx (- is standard input), an executable with"
                            + " PTX inside, or launch files FILE.json");
        }
        LaunchOptions options = new LaunchOptions(given);
        if (modules && files.size() == 1) {
            return new LaunchSet(
                    List.of(module(given, input, launch, options)), List.of(), options.known());
        }
        if (!launches) {
            throw new UsageError(
                    "run: expected one module FILE.ptx or executable, or launch files FILE.json;"
                            + " found "
                            + String.join(" ", files));
        }
        if (launch != null) {
            throw new UsageError(
                    "--launch " + launch + ": goes with a module, not with launch files");
        }
        return launches(files, targets(given), options);
    }

    /// Whether a file holds a module, or several as executables do.
    private static boolean isModule(String file) {
        return file.endsWith(".ptx") || isExecutable(Path.of(file));
    }

    private static boolean isExecutable(Path file) {
        try {
            return Files.isRegularFile(file) && Executable.is(file);
        } catch (IOException _) {
            return false; // whoever reads it says why it cannot be read
        }
    }

    private static Request module(
            ParseResult given, boolean input, @Nullable String launch, LaunchOptions options)
            throws IOException {
        Path ptx =
                input
                        ? Path.of(PtxSource.STANDARD_INPUT)
                        : LaunchPlan.readable(Path.of(Command.words(given).getFirst()));
        Path path = launch == null ? null : LaunchPlan.readable(Path.of(launch));
        LaunchFile file = path == null ? options.alone() : options.over(LaunchFile.read(path));
        Path folder = path == null ? Path.of("").toAbsolutePath() : LaunchCheck.folder(path);
        return input
                ? new Whole(ptx.toString(), file, folder, ptx, PtxSource.standardInput())
                : whole(ptx.toString(), file, folder, ptx, targets(given));
    }

    /// A launch of a module; of those inside an executable, the one that has its kernels.
    private static Request whole(
            String name, LaunchFile file, Path folder, Path ptx, List<String> targets)
            throws IOException {
        if (!isExecutable(ptx)) {
            return new Whole(name, file, folder, ptx, null);
        }
        List<String> entries = file.starts().stream().map(LaunchFile.Start::entry).toList();
        PtxSource inside = PtxSource.holding(ptx, entries, targets);
        return new Whole(name, file, folder, Path.of(inside.name()), inside.text());
    }

    private static List<String> targets(ParseResult given) {
        String targets = Command.value(given, "--target");
        return targets == null ? List.of() : List.of(targets.split(",", -1));
    }

    private static LaunchSet launches(
            List<String> files, List<String> targets, LaunchOptions options) throws IOException {
        List<Request> requests = new ArrayList<>();
        List<Path> skipped = new ArrayList<>();
        for (String file : files) {
            try {
                Path path = LaunchPlan.readable(Path.of(file));
                LaunchFile stated = LaunchFile.read(path);
                LaunchFile whole = options.over(stated);
                List<Path> found = LaunchModules.of(path, stated.ptx(), targets);
                if (found.isEmpty()) {
                    skipped.add(path);
                }
                for (Path ptx : found) {
                    String name = targets.isEmpty() ? file : file + " " + ptx.getFileName();
                    requests.add(whole(name, whole, LaunchCheck.folder(path), ptx, targets));
                }
            } catch (InputException | UsageError e) {
                requests.add(new Wrong(file, e));
            }
        }
        if (requests.isEmpty()) {
            throw new UsageError(
                    "--target "
                            + String.join(",", targets)
                            + ": no launch file has a module NAME."
                            + String.join(",", targets)
                            + ".ptx beside it");
        }
        return new LaunchSet(requests, skipped, options.known());
    }
}
