package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
        LaunchPlan read(ParseResult given) throws IOException {
            return LaunchPlan.read(name, ptx, launch, given);
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
            throw new Refusal(
                    "run: expected one module FILE.ptx, or launch files FILE.json; found "
                            + String.join(" ", files));
        }
        if (launch != null) {
            throw new Refusal("--launch " + launch + ": goes with a module, not with launch files");
        }
        String targets = Command.value(given, "--target");
        List<Request> requests = new ArrayList<>();
        List<Path> skipped = new ArrayList<>();
        for (String file : files) {
            Path path = LaunchPlan.readable(Path.of(file));
            List<Path> found = modulesOf(path, targets);
            if (found.isEmpty()) {
                skipped.add(path);
            }
            for (Path ptx : found) {
                String name = targets == null ? file : file + " " + ptx.getFileName();
                requests.add(new Request(name, ptx, path));
            }
        }
        if (requests.isEmpty()) {
            throw new Refusal(
                    "--target "
                            + targets
                            + ": no launch file has a module NAME."
                            + targets
                            + ".ptx beside it");
        }
        return new LaunchSet(requests, skipped);
    }

    /// The modules that a launch file is for: the one it names, or those beside it.
    private static List<Path> modulesOf(Path launch, @Nullable String targets) throws IOException {
        Path parent = launch.toAbsolutePath().getParent();
        Path folder = parent == null ? Path.of(".") : parent;
        if (LaunchPlan.fields(launch).get("ptx") instanceof String named) {
            return List.of(folder.resolve(named));
        }
        List<Path> beside;
        try (Stream<Path> all = Files.list(folder)) {
            beside = all.filter(file -> file.toString().endsWith(".ptx")).sorted().toList();
        }
        if (targets != null) {
            List<String> wanted = List.of(targets.split(",", -1));
            return beside.stream().filter(file -> wanted.contains(target(file))).toList();
        }
        if (beside.size() != 1) {
            throw new Refusal(
                    launch
                            + ": "
                            + beside.size()
                            + " modules beside it; say which with a field \"ptx\", or with --target"
                            + (beside.isEmpty()
                                    ? ""
                                    : " "
                                            + String.join(
                                                    " or ",
                                                    beside.stream()
                                                            .map(LaunchSet::target)
                                                            .toList())));
        }
        return beside;
    }

    /// `compute_80` of `name.compute_80.ptx`.
    private static String target(Path ptx) {
        String[] parts = String.valueOf(ptx.getFileName()).split("[.]", -1);
        return parts.length < 2 ? "" : parts[parts.length - 2];
    }
}
