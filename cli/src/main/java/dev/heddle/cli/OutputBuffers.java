package dev.heddle.cli;

import dev.heddle.files.Safetensors;
import dev.heddle.files.TensorReference;
import dev.heddle.formats.InputException;
import dev.heddle.formats.Tensor;
import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.launch.LaunchFileException;
import dev.heddle.vm.launch.LaunchResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Buffers to save after a launch. Everything that can be wrong is found before the launch.
///
/// @param targets where each buffer goes
record OutputBuffers(Map<String, TensorReference> targets) {
    private static final String UNNAMED = "tensor";

    /// @param folder of the launch file
    /// @throws LaunchFileException where a file cannot be written, or must not be
    static OutputBuffers of(LaunchFile file, Path folder) {
        Map<String, TensorReference> targets = new TreeMap<>();
        List<String> places = new ArrayList<>();
        file.saves()
                .forEach(
                        (buffer, save) -> {
                            TensorReference target = target(save, folder);
                            requireAllowed(save, target.file(), folder);
                            requireWritable(save, target.file());
                            if (places.contains(place(target))) {
                                throw new LaunchFileException(
                                        save.place(),
                                        "%s: two buffers in one place; name them FILE.safetensors:NAME"
                                                .formatted(save.file()));
                            }
                            places.add(place(target));
                            targets.put(buffer, target);
                        });
        return new OutputBuffers(targets);
    }

    private static TensorReference target(LaunchFile.Save save, Path folder) {
        try {
            return TensorReference.parse(save.file()).in(folder);
        } catch (InputException e) {
            throw new LaunchFileException(save.place(), String.valueOf(e.getMessage()));
        }
    }

    /// A stranger's launch file writes beside itself, and nowhere else: links lead nowhere either,
    /// and no pipe keeps it waiting. Folders are asked of the system, for it follows a link before
    /// the `..` behind it.
    private static void requireAllowed(LaunchFile.Save save, Path file, Path folder) {
        if (save.anywhere()) {
            return;
        }
        boolean inside;
        try {
            inside = real(file).startsWith(folder.toRealPath());
        } catch (IOException e) {
            throw new LaunchFileException(save.place(), save.file() + ": cannot be written");
        }
        if (!inside) {
            throw new LaunchFileException(
                    save.place(),
                    "%s lies outside the launch file's folder: give --save NAME=FILE, or --save-anywhere"
                            .formatted(save.file()));
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new LaunchFileException(save.place(), save.file() + ": is not a regular file");
        }
    }

    private static Path real(Path file) throws IOException {
        Path whole = file.toAbsolutePath();
        Path parent = whole.getParent();
        if (Files.exists(file) || parent == null) {
            return whole.toRealPath();
        }
        return Files.exists(parent) ? parent.toRealPath() : whole.normalize();
    }

    private static void requireWritable(LaunchFile.Save save, Path file) {
        Path parent = file.toAbsolutePath().getParent();
        boolean possible =
                parent != null
                        && Files.isDirectory(parent)
                        && !Files.isDirectory(file)
                        && (Files.exists(file) ? Files.isWritable(file) : Files.isWritable(parent));
        if (!possible) {
            throw new LaunchFileException(save.place(), save.file() + ": cannot be written");
        }
    }

    private static String place(TensorReference target) {
        return isNpy(target) ? target.file().toString() : target.file() + ":" + nameIn(target);
    }

    private static boolean isNpy(TensorReference target) {
        return target.file().toString().endsWith(".npy");
    }

    private static String nameIn(TensorReference target) {
        return target.name().orElse(UNNAMED);
    }

    /// Writes the files; returns one line for each buffer.
    List<String> write(LaunchResult result) throws IOException {
        List<String> lines = new ArrayList<>();
        Map<Path, Map<String, Tensor>> together = new LinkedHashMap<>();
        for (Map.Entry<String, TensorReference> save : targets.entrySet()) {
            String buffer = save.getKey();
            TensorReference target = save.getValue();
            Tensor tensor = result.check().tensor(buffer, result.outcome());
            if (isNpy(target)) {
                target.write(tensor);
            } else {
                together.computeIfAbsent(target.file(), _ -> new LinkedHashMap<>())
                        .put(nameIn(target), tensor);
            }
            lines.add(ShownPath.in("saved %s (%s) in %s".formatted(buffer, tensor, target)));
        }
        for (Map.Entry<Path, Map<String, Tensor>> file : together.entrySet()) {
            Safetensors.write(file.getKey(), file.getValue());
        }
        return lines;
    }
}
