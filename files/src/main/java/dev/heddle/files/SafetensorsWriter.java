package dev.heddle.files;

import dev.heddle.formats.InputException;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// A `.safetensors` file of any size, written through mapped memory: its tensors are declared first
/// and filled then, in any order.
///
/// ```
/// SafetensorsWriter writer = new SafetensorsWriter(Map.of("made by", "heddle"));
/// writer.declare(new TensorHeader("w", FloatFormat.F16, List.of(8192, 8192)));
/// writer.write(Path.of("w.safetensors"), memory -> fill(memory.get("w")));
/// ```
public final class SafetensorsWriter {
    private static final int ALIGNMENT = 8;
    private static final ValueLayout.OfLong LENGTH =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Map<String, String> metadata;
    private final Map<String, TensorHeader> tensors = new LinkedHashMap<>();

    /// What fills the tensors.
    @FunctionalInterface
    public interface Content {
        /// Fills the tensors.
        ///
        /// @param tensors the memory of each tensor, zero bytes, by name
        void fill(Map<String, MemorySegment> tensors) throws IOException;
    }

    /// @param metadata what the file says of itself, as `__metadata__`
    public SafetensorsWriter(Map<String, String> metadata) {
        this.metadata = new LinkedHashMap<>(metadata);
    }

    /// Adds a tensor.
    ///
    /// @throws InputException if there is one of that name already, or the name is
    ///     reserved
    public void declare(TensorHeader tensor) {
        if (tensor.name().equals(SafetensorsHeader.METADATA)
                || tensors.putIfAbsent(tensor.name(), tensor) != null) {
            throw new InputException(
                    "tensor name %s: taken already"
                            .formatted(TensorFileException.quoted(tensor.name())));
        }
    }

    /// The names of the tensors.
    public Set<String> names() {
        return Collections.unmodifiableSet(tensors.keySet());
    }

    /// Bytes of the data of all tensors.
    public long dataBytes() {
        return tensors.values().stream().mapToLong(TensorHeader::bytes).sum();
    }

    /// Writes the file, whole or not at all.
    ///
    /// @throws TensorFileException if it cannot be written; what was there stays
    public void write(Path file, Content content) throws TensorFileException {
        Map<String, Object> header = new LinkedHashMap<>();
        if (!metadata.isEmpty()) {
            header.put(SafetensorsHeader.METADATA, metadata);
        }
        List<TensorHeader> widestFirst = new ArrayList<>(tensors.values());
        widestFirst.sort(Comparator.comparingInt(tensor -> -tensor.format().bits()));
        Map<String, Long> starts = new LinkedHashMap<>();
        long offset = 0;
        for (TensorHeader tensor : widestFirst) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("dtype", SafetensorsType.dtype(tensor.format()));
            entry.put("shape", tensor.shape());
            entry.put("data_offsets", List.of(offset, offset + tensor.bytes()));
            header.put(tensor.name(), entry);
            starts.put(tensor.name(), offset);
            offset += tensor.bytes();
        }
        byte[] text = padded(JSON.std.asBytes(header));
        long dataStart = (long) Long.BYTES + text.length;
        FileReplacement.map(
                file,
                dataStart + offset,
                memory -> {
                    memory.set(LENGTH, 0, text.length);
                    MemorySegment.copy(
                            text, 0, memory, ValueLayout.JAVA_BYTE, Long.BYTES, text.length);
                    Map<String, MemorySegment> places = new LinkedHashMap<>();
                    starts.forEach(
                            (name, start) -> {
                                long bytes = Objects.requireNonNull(tensors.get(name)).bytes();
                                places.put(name, memory.asSlice(dataStart + start, bytes));
                            });
                    content.fill(places);
                });
    }

    private static byte[] padded(byte[] text) {
        byte[] padded = Arrays.copyOf(text, Math.ceilDiv(text.length, ALIGNMENT) * ALIGNMENT);
        Arrays.fill(padded, text.length, padded.length, (byte) ' ');
        return padded;
    }
}
