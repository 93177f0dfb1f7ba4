package dev.heddle.cli;

import dev.heddle.vm.launch.LaunchModules;

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
record LaunchSet(List<Request> requests, List<Path> skipped) {

    /// One launch.
    ///
    /// @param name   what messages call it
    /// @param ptx    its module
    /// @param launch its launch file, or null
    record Request(String name, Path ptx, @Nullable Path launch) {
        LaunchPlan read(ParseResult given, LoadedKernels kernels) throws IOException {
            return LaunchPlan.read(name, ptx, launch, given, kernels);
        }
    }

    static LaunchSet of(ParseResult given) throws IOException {
        List<String> files = Command.words(given);
        String launch = Command.value(given, "--launch");
        boolean modules = files.stream().allMatch(file -> file.endsWith(".ptx"));
        boolean launches = files.stream().allMatch(file -> file.endsWith(".json"));
        if (modules && files.size() == 1) {
            Path ptx = LaunchPlan.readable(Path.of(files.getFirst()));
            return new LaunchSet(
                    List.of(
                            new Request(
                                    ptx.toString(), ptx, launch == null ? null : Path.of(launch))),
                    List.of());
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
        String targets = Command.value(given, "--target");
        List<Request> requests = new ArrayList<>();
        List<Path> skipped = new ArrayList<>();
        for (String file : files) {
            Path path = LaunchPlan.readable(Path.of(file));
            List<Path> found = modules(path, targets);
            if (found.isEmpty()) {
                skipped.add(path);
            }
            for (Path ptx : found) {
                String name = targets == null ? file : file + " " + ptx.getFileName();
                requests.add(new Request(name, ptx, path));
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
        return new LaunchSet(requests, skipped);
    }

    private static List<Path> modules(Path launch, @Nullable String targets) throws IOException {
        List<String> wanted = targets == null ? List.of() : List.of(targets.split(",", -1));
        return LaunchModules.of(launch, LaunchPlan.fields(launch), wanted);
    }
}
