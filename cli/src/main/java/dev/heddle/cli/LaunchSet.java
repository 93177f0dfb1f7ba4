package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.vm.launch.KernelCache;
import dev.heddle.vm.launch.LaunchCheck;
import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.launch.LaunchModules;
import dev.heddle.vm.report.Suppressions;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
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
    /// @param text   what it says where it came from standard input, else null
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
        boolean modules = input || files.stream().allMatch(file -> file.endsWith(".ptx"));
        boolean launches = files.stream().allMatch(file -> file.endsWith(".json"));
        if (files.isEmpty()) {
            throw new UsageError(
                    "run: expected one module FILE.ptx (- is standard input), or launch files"
                            + " FILE.json");
        }
        LaunchOptions options = new LaunchOptions(given);
        if (modules && files.size() == 1) {
            String text = input ? PtxSource.standardInput() : null;
            Path ptx =
                    input
                            ? Path.of(PtxSource.STANDARD_INPUT)
                            : LaunchPlan.readable(Path.of(files.getFirst()));
            return new LaunchSet(
                    List.of(module(ptx, text, launch, options)), List.of(), options.known());
        }
        if (!launches) {
            throw new UsageError(
                    "run: expected one module FILE.ptx, or launch files FILE.json; found "
                            + String.join(" ", files));
        }
        if (launch != null) {
            throw new UsageError(
                    "--launch " + launch + ": goes with a module, not with launch files");
        }
        return launches(files, Command.value(given, "--target"), options);
    }

    private static Request module(
            Path ptx, @Nullable String text, @Nullable String launch, LaunchOptions options)
            throws IOException {
        if (launch == null) {
            Path folder = Path.of("").toAbsolutePath();
            return new Whole(ptx.toString(), options.alone(), folder, ptx, text);
        }
        Path path = LaunchPlan.readable(Path.of(launch));
        return new Whole(
                ptx.toString(),
                options.over(LaunchFile.read(path)),
                LaunchCheck.folder(path),
                ptx,
                text);
    }

    private static LaunchSet launches(
            List<String> files, @Nullable String targets, LaunchOptions options)
            throws IOException {
        List<String> wanted = targets == null ? List.of() : List.of(targets.split(",", -1));
        List<Request> requests = new ArrayList<>();
        List<Path> skipped = new ArrayList<>();
        for (String file : files) {
            try {
                Path path = LaunchPlan.readable(Path.of(file));
                LaunchFile stated = LaunchFile.read(path);
                LaunchFile whole = options.over(stated);
                List<Path> found = LaunchModules.of(path, stated.ptx(), wanted);
                if (found.isEmpty()) {
                    skipped.add(path);
                }
                for (Path ptx : found) {
                    String name = targets == null ? file : file + " " + ptx.getFileName();
                    requests.add(new Whole(name, whole, LaunchCheck.folder(path), ptx, null));
                }
            } catch (InputException | UsageError e) {
                requests.add(new Wrong(file, e));
            }
        }
        if (requests.isEmpty()) {
            throw new UsageError(
                    "--target "
                            + targets
                            + ": no launch file has a module NAME."
                            + targets
                            + ".ptx beside it");
        }
        return new LaunchSet(requests, skipped, options.known());
    }
}
