package dev.heddle.cli;

import dev.heddle.files.Safetensors;
import dev.heddle.files.TensorReference;
import dev.heddle.formats.Tensor;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.BufferType;
import dev.heddle.vm.launch.LaunchFile;

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
/// @param types   of the buffers
record Saves(Map<String, TensorReference> targets, Map<String, BufferType> types) {
    private static final String UNNAMED = "tensor";

    /// @throws UsageError where a buffer is unknown or a file cannot be written
    static Saves of(LaunchFile file, Path folder) {
        Map<String, TensorReference> targets = new TreeMap<>();
        file.saves()
                .forEach(
                        (buffer, name) ->
                                targets.put(
                                        buffer,
                                        TensorReference.parse(folder.resolve(name).toString())));
        for (Map.Entry<String, TensorReference> target : targets.entrySet()) {
            requireWritable(target.getKey(), target.getValue().file());
        }
        List<String> places =
                targets.values().stream()
                        .map(
                                target ->
                                        target.file().toString().endsWith(".npy")
                                                ? target.file().toString()
                                                : target.file() + ":" + nameIn(target))
                        .toList();
        if (places.stream().distinct().count() != places.size()) {
            throw new UsageError(
                    "--save: two buffers in one place; name them FILE.safetensors:NAME");
        }
        return new Saves(targets, file.types());
    }

    private static void requireWritable(String buffer, Path file) {
        Path parent = file.toAbsolutePath().getParent();
        boolean possible =
                parent != null
                        && Files.isDirectory(parent)
                        && !Files.isDirectory(file)
                        && (Files.exists(file) ? Files.isWritable(file) : Files.isWritable(parent));
        if (!possible) {
            throw new UsageError("--save " + buffer + "=" + file + ": cannot be written");
        }
    }

    private static String nameIn(TensorReference target) {
        return target.name().orElse(UNNAMED);
    }

    /// Writes the files; returns one line for each buffer.
    List<String> write(Outcome outcome) throws IOException {
        List<String> lines = new ArrayList<>();
        Map<Path, Map<String, Tensor>> together = new LinkedHashMap<>();
        for (Map.Entry<String, TensorReference> save : targets.entrySet()) {
            String buffer = save.getKey();
            TensorReference target = save.getValue();
            BufferType type = types.get(buffer);
            if (type == null) {
                throw new UsageError("--save " + buffer + ": no such buffer");
            }
            Tensor tensor = type.tensor(outcome.buffer(buffer));
            if (target.file().toString().endsWith(".npy")) {
                target.write(tensor);
            } else {
                together.computeIfAbsent(target.file(), _ -> new LinkedHashMap<>())
                        .put(nameIn(target), tensor);
            }
            lines.add("saved %s (%s) in %s".formatted(buffer, tensor, target));
        }
        for (Map.Entry<Path, Map<String, Tensor>> file : together.entrySet()) {
            Safetensors.write(file.getKey(), file.getValue());
        }
        return lines;
    }
}
