package dev.heddle.vm.launch;

import dev.heddle.formats.InputException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Which PTX files a launch file is for.
public final class LaunchModules {
    private LaunchModules() {}

    /// The module that a launch file names, or else those beside it: the only one, or those whose
    /// names end in `.TARGET.ptx`.
    ///
    /// @param launch the launch file
    /// @param named the module that it names; empty where it does not
    /// @param targets such as `compute_80`; empty for the only module
    /// @return empty where none has a target asked for
    /// @throws InputException where no target is asked for and there is not one module
    public static List<Path> of(Path launch, String named, List<String> targets)
            throws IOException {
        Path parent = launch.getParent();
        Path folder = parent == null ? Path.of("") : parent;
        if (!named.isEmpty()) {
            return List.of(folder.resolve(named));
        }
        List<Path> beside;
        try (Stream<Path> all = Files.list(folder)) {
            beside = all.filter(file -> file.toString().endsWith(".ptx")).sorted().toList();
        }
        if (!targets.isEmpty()) {
            return beside.stream().filter(file -> targets.contains(target(file))).toList();
        }
        if (beside.size() != 1) {
            List<String> found =
                    beside.stream().map(file -> String.valueOf(file.getFileName())).toList();
            throw new InputException(
                    "%s: %d modules beside it; say which, by a field \"ptx\" or by the target%s"
                            .formatted(
                                    launch,
                                    found.size(),
                                    found.isEmpty() ? "" : ": " + String.join(", ", found)));
        }
        return beside;
    }

    /// `compute_80` of `name.compute_80.ptx`.
    private static String target(Path ptx) {
        String[] parts = String.valueOf(ptx.getFileName()).split("[.]", -1);
        return parts.length < 2 ? "" : parts[parts.length - 2];
    }
}
