package dev.heddle.files;

import dev.heddle.formats.InputException;

import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The tensors of a model: those of one `.safetensors` file, or of the several that a
/// `.safetensors.index.json` names.
///
/// Headers are read and checked; data stays in the files until it is mapped.
public final class Checkpoint {
    private static final String INDEX = ".safetensors.index.json";
    private static final long MAX_INDEX = 64 << 20;

    private final Map<Path, Safetensors> shards;
    private final Map<String, Safetensors> owners;

    private Checkpoint(Map<Path, Safetensors> shards, Map<String, Safetensors> owners) {
        this.shards = shards;
        this.owners = owners;
    }

    /// Whether a name is that of the index of a sharded checkpoint.
    public static boolean isIndex(Path file) {
        return file.toString().endsWith(INDEX);
    }

    /// What the files of an index are called after: `model` of `model.safetensors.index.json`.
    static String stem(Path index) {
        String name = String.valueOf(index.getFileName());
        return name.substring(0, name.length() - INDEX.length());
    }

    /// Reads the headers of a file, or of all files that an index names.
    ///
    /// @throws TensorFileException if one cannot be read, or index and files do not agree
    public static Checkpoint open(Path file) throws TensorFileException {
        if (isIndex(file)) {
            return sharded(file);
        }
        Safetensors only = Safetensors.open(file);
        Map<String, Safetensors> owners = new LinkedHashMap<>();
        only.names().forEach(name -> owners.put(name, only));
        return new Checkpoint(Map.of(file, only), owners);
    }

    private static Checkpoint sharded(Path index) throws TensorFileException {
        Map<Path, Safetensors> shards = new LinkedHashMap<>();
        Map<String, Safetensors> owners = new LinkedHashMap<>();
        for (Map.Entry<String, String> weight : weightMap(index).entrySet()) {
            Path shard = index.resolveSibling(weight.getValue());
            Safetensors tensors = shards.get(shard);
            if (tensors == null) {
                tensors = Safetensors.open(shard);
                shards.put(shard, tensors);
            }
            if (!tensors.names().contains(weight.getKey())) {
                throw new TensorFileException(
                        index,
                        "places tensor %s in %s: not there"
                                .formatted(
                                        TensorFileException.quoted(weight.getKey()),
                                        weight.getValue()));
            }
            owners.put(weight.getKey(), tensors);
        }
        return new Checkpoint(shards, owners);
    }

    private static Map<String, String> weightMap(Path index) throws TensorFileException {
        Map<String, String> weights = new LinkedHashMap<>();
        try (InputFile input = InputFile.open(index)) {
            if (input.size() > MAX_INDEX) {
                throw input.problem(
                        "index of %d bytes: expected at most %d"
                                .formatted(input.size(), MAX_INDEX));
            }
            Object json = JSON.std.anyFrom(input.read(0, input.size(), "the index"));
            if (!(json instanceof Map<?, ?> fields)
                    || !(fields.get("weight_map") instanceof Map<?, ?> map)) {
                throw input.problem("expected a JSON object with \"weight_map\", an object");
            }
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                String file = String.valueOf(entry.getValue());
                if (!file.endsWith(".safetensors")
                        || file.chars().anyMatch(c -> c < ' ' || c == '/' || c == '\\')) {
                    throw input.problem(
                            "file %s: expected the name of a .safetensors file in the same folder"
                                    .formatted(TensorFileException.quoted(file)));
                }
                weights.put(String.valueOf(entry.getKey()), file);
            }
            return weights;
        } catch (JacksonException e) {
            throw new TensorFileException(
                    index, "is no JSON: " + TensorFileException.quoted(e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw TensorFileException.of(index, e);
        }
    }

    /// The tensors, in the order of the header or of the index.
    public List<TensorHeader> tensors() throws TensorFileException {
        List<TensorHeader> headers = new ArrayList<>();
        for (Map.Entry<String, Safetensors> tensor : owners.entrySet()) {
            headers.add(tensor.getValue().header(tensor.getKey()));
        }
        return headers;
    }

    /// The files, in the order in which they are named, with what each holds.
    public Map<Path, Safetensors> shards() {
        return Collections.unmodifiableMap(shards);
    }

    /// What the files say of themselves, together.
    public Map<String, String> metadata() {
        Map<String, String> metadata = new LinkedHashMap<>();
        shards.values().forEach(shard -> metadata.putAll(shard.metadata()));
        return metadata;
    }

    /// The bytes of a tensor where they lie in its file, to read.
    ///
    /// @throws TensorFileException if the file cannot be mapped
    /// @throws InputException if there is no tensor of that name
    public MemorySegment map(String name, Arena arena) throws TensorFileException {
        Safetensors owner = owners.get(name);
        if (owner == null) {
            throw new InputException("no tensor " + TensorFileException.quoted(name));
        }
        return Objects.requireNonNull(owner).map(name, arena);
    }
}
