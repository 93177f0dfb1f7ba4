package dev.heddle.files;

import tools.jackson.jr.ob.JSON;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A checkpoint in several `.safetensors` files with an index, written whole or not at all: the
/// files take their places when all of them are complete, the index last.
///
/// @param shards what each file holds
public record CheckpointWriter(List<Shard> shards) {
    public CheckpointWriter {
        shards = List.copyOf(shards);
    }

    /// A file of a checkpoint.
    ///
    /// @param writer  knows its tensors
    /// @param content fills them
    public record Shard(SafetensorsWriter writer, SafetensorsWriter.Content content) {}

    /// Writes `model-00001-of-00003.safetensors` and so on beside `model.safetensors.index.json`.
    ///
    /// @throws TensorFileException if one cannot be written; what was there stays
    public void write(Path index) throws TensorFileException {
        String stem = Checkpoint.stem(index);
        Map<String, Object> weights = new LinkedHashMap<>();
        long total = 0;
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            String file = "%s-%05d-of-%05d.safetensors".formatted(stem, i + 1, shards.size());
            files.add(index.resolveSibling(file));
            shards.get(i).writer().names().forEach(name -> weights.put(name, file));
            total += shards.get(i).writer().dataBytes();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("metadata", Map.of("total_size", total));
        json.put("weight_map", weights);
        byte[] text = JSON.std.asBytes(json);
        try (FileReplacement.Several several = new FileReplacement.Several()) {
            for (int i = 0; i < shards.size(); i++) {
                Shard shard = shards.get(i);
                shard.writer().write(several.stage(files.get(i)), shard.content());
            }
            FileReplacement.write(several.stage(index), out -> out.write(text));
            several.replace();
        }
    }
}
