package dev.heddle.sparse;

import static dev.heddle.files.TensorFileException.quoted;

import dev.heddle.files.Checkpoint;
import dev.heddle.files.Npy;
import dev.heddle.files.Safetensors;
import dev.heddle.files.TensorHeader;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// The matrices of a file, dense and compressed: a `.safetensors` file, a sharded checkpoint by its
/// index, a `.npy` file, or raw bytes. What is larger than memory is mapped, not read.
public final class MatrixSource implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final Map<String, NamedMatrix> matrices = new LinkedHashMap<>();
    private final Map<String, MemorySegment> others = new LinkedHashMap<>();
    private final Map<String, TensorHeader> otherHeaders = new LinkedHashMap<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final List<List<String>> shards = new ArrayList<>();

    /// What a file cannot say of itself.
    ///
    /// @param format  how its matrices are kept; without it, as their labels say, or dense
    /// @param element what their elements are; without it, what the file calls them
    /// @param size    rows and columns, for raw bytes and for parts that do not tell them
    public record Hints(
            Optional<StorageFormat> format, Optional<Format> element, Optional<Size> size) {
        /// The file knows.
        public static final Hints NONE =
                new Hints(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// Rows and columns of a matrix.
    public record Size(int rows, int columns) {}

    private MatrixSource() {}

    /// Opens a file, or all files of a checkpoint.
    ///
    /// @throws IOException              if a file cannot be read; the message names it
    /// @throws InputException if its matrices are not what it or the hints say
    public static MatrixSource open(Path file, Hints hints) throws IOException {
        MatrixSource source = new MatrixSource();
        try {
            String name = file.toString();
            if (name.endsWith(".npy")) {
                source.npy(file, hints);
            } else if (name.endsWith(".safetensors") || Checkpoint.isIndex(file)) {
                source.checkpoint(Checkpoint.open(file), hints);
            } else {
                source.raw(file, hints);
            }
            return source;
        } catch (IOException | RuntimeException e) {
            source.close();
            throw e;
        }
    }

    /// The matrices, by name.
    public Map<String, NamedMatrix> matrices() {
        return matrices;
    }

    /// The tensors that are no matrices, by name.
    public Map<String, TensorHeader> others() {
        return otherHeaders;
    }

    /// The bytes of a tensor that is no matrix.
    MemorySegment other(String name) {
        return Objects.requireNonNull(others.get(name));
    }

    /// What the file says of itself beside labels of matrices.
    Map<String, String> metadata() {
        return metadata;
    }

    /// The names of matrices and other tensors by the files that they are in.
    List<List<String>> shards() {
        return shards;
    }

    private void npy(Path file, Hints hints) throws IOException {
        String name = FileConversion.TENSOR;
        shards.add(List.of(name));
        StorageFormat format = hints.format().orElse(StorageFormats.named("dense"));
        if (format.dense()) {
            Npy.Mapped found = Npy.map(file, hints.element(), arena);
            if (found.shape().size() != 2) {
                throw new InputException(
                        "%s: shape %s: expected a matrix".formatted(file, found.shape()));
            }
            add(
                    name,
                    format,
                    new MatrixType(found.shape().get(0), found.shape().get(1), found.format()),
                    List.of(found.codes()));
            return;
        }
        List<MemorySegment> parts = new ArrayList<>();
        List<TensorHeader> headers = new ArrayList<>();
        for (String suffix : format.parts().suffixes()) {
            Npy.Mapped part = Npy.map(beside(file, suffix), Optional.empty(), arena);
            headers.add(new TensorHeader(suffix, part.format(), part.shape()));
            parts.add(part.codes());
        }
        add(name, format, type(format, headers, hints), parts);
    }

    /// The file of a part of a matrix: `w.values.npy` of `w.npy`.
    static Path beside(Path file, String suffix) {
        String name = String.valueOf(file.getFileName());
        return suffix.isEmpty()
                ? file
                : file.resolveSibling(
                        name.substring(0, name.length() - ".npy".length()) + "." + suffix + ".npy");
    }

    private void raw(Path file, Hints hints) throws IOException {
        String name = FileConversion.TENSOR;
        shards.add(List.of(name));
        if (hints.size().isEmpty() || hints.element().isEmpty()) {
            throw new InputException(
                    file + ": raw bytes: say --shape ROWSxCOLUMNS and --type FORMAT");
        }
        StorageFormat format = hints.format().orElse(StorageFormats.named("dense"));
        MatrixType type =
                new MatrixType(
                        hints.size().get().rows(),
                        hints.size().get().columns(),
                        hints.element().get());
        try (FileChannel channel = FileChannel.open(file)) {
            MemorySegment bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            matrices.put(name, new NamedMatrix(name, StoredMatrix.of(format, type, bytes), type));
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file or folder", e);
        }
    }

    private void checkpoint(Checkpoint checkpoint, Hints hints) throws IOException {
        Map<String, TensorHeader> headers = new LinkedHashMap<>();
        checkpoint.tensors().forEach(header -> headers.put(header.name(), header));
        Set<String> taken = new HashSet<>();
        for (Map.Entry<String, String> text : checkpoint.metadata().entrySet()) {
            if (Label.isKey(text.getKey())) {
                labelled(checkpoint, Label.matrix(text.getKey()), text.getValue(), headers, taken);
            } else {
                metadata.put(text.getKey(), text.getValue());
            }
        }
        StorageFormat unlabelled = hints.format().orElse(StorageFormats.named("dense"));
        for (TensorHeader header : headers.values()) {
            if (!taken.contains(header.name())) {
                unlabelled(checkpoint, unlabelled, header, headers, hints, taken);
            }
        }
        for (Safetensors shard : checkpoint.shards().values()) {
            List<String> held = new ArrayList<>();
            for (String name : matrices.keySet()) {
                StorageFormat format = matrices.get(name).stored().format();
                if (shard.names()
                        .contains(MatrixParts.name(name, format.parts().suffixes().get(0)))) {
                    held.add(name);
                }
            }
            shard.names().stream().filter(others::containsKey).forEach(held::add);
            shards.add(held);
        }
    }

    private void labelled(
            Checkpoint checkpoint,
            String name,
            String text,
            Map<String, TensorHeader> headers,
            Set<String> taken)
            throws IOException {
        try {
            Label label = Label.parse(text);
            List<MemorySegment> parts = new ArrayList<>();
            for (String suffix : label.format().parts().suffixes()) {
                String part = MatrixParts.name(name, suffix);
                if (!headers.containsKey(part) || !taken.add(part)) {
                    throw new InputException(
                            "no tensor %s beside the label".formatted(quoted(part)));
                }
                parts.add(checkpoint.map(part, arena));
            }
            StoredMatrix stored = MatrixParts.of(label.format(), label.type(), parts);
            matrices.put(name, new NamedMatrix(name, stored, label.original()));
        } catch (InputException e) {
            throw new InputException("matrix %s: %s".formatted(quoted(name), e.getMessage()), e);
        }
    }

    private void unlabelled(
            Checkpoint checkpoint,
            StorageFormat format,
            TensorHeader header,
            Map<String, TensorHeader> headers,
            Hints hints,
            Set<String> taken)
            throws IOException {
        List<String> suffixes = format.parts().suffixes();
        String first = suffixes.get(0).isEmpty() ? "" : "." + suffixes.get(0);
        String name = header.name();
        if (!name.endsWith(first)) {
            copied(checkpoint, header, suffixes, headers, taken);
            return;
        }
        String matrix = name.substring(0, name.length() - first.length());
        List<TensorHeader> parts = new ArrayList<>();
        List<MemorySegment> bytes = new ArrayList<>();
        for (String suffix : suffixes) {
            TensorHeader part = headers.get(MatrixParts.name(matrix, suffix));
            if (part == null) {
                throw new InputException(
                        "tensor %s has no part \"%s\" beside it".formatted(quoted(name), suffix));
            }
            parts.add(part);
            bytes.add(checkpoint.map(part.name(), arena));
        }
        if (format.dense() && !isMatrix(header, hints)) {
            copied(checkpoint, header, suffixes, headers, taken);
            return;
        }
        try {
            add(matrix, format, type(format, parts, hints), bytes);
            parts.forEach(part -> taken.add(part.name()));
        } catch (InputException e) {
            throw new InputException("matrix %s: %s".formatted(quoted(matrix), e.getMessage()), e);
        }
    }

    private static boolean isMatrix(TensorHeader header, Hints hints) {
        Format element = hints.element().orElse(header.format());
        return header.shape().size() == 2
                && header.shape().stream().allMatch(size -> size > 0)
                && (Packing.dense(element).containerBits()
                                == Packing.dense(header.format()).containerBits()
                        || isPacked(element, header.format()));
    }

    /// Whether two elements share a byte of a file that knows no such type.
    private static boolean isPacked(Format element, Format carrier) {
        return Packing.dense(element).containerBits() == 4 && carrier == IntegerFormat.U8;
    }

    /// A tensor that stays as it is, unless it is a part of a matrix.
    private void copied(
            Checkpoint checkpoint,
            TensorHeader header,
            List<String> suffixes,
            Map<String, TensorHeader> headers,
            Set<String> taken)
            throws IOException {
        for (String suffix : suffixes.subList(1, suffixes.size())) {
            if (header.name().endsWith("." + suffix)) {
                String matrix =
                        header.name().substring(0, header.name().length() - suffix.length() - 1);
                if (headers.containsKey(MatrixParts.name(matrix, suffixes.get(0)))) {
                    return;
                }
            }
        }
        if (taken.add(header.name())) {
            otherHeaders.put(header.name(), header);
            others.put(header.name(), checkpoint.map(header.name(), arena));
        }
    }

    /// What a matrix is, by its parts.
    private static MatrixType type(StorageFormat format, List<TensorHeader> parts, Hints hints) {
        TensorHeader values = parts.get(0);
        Format element = hints.element().orElse(values.format());
        boolean telling =
                values.shape().size() == 2
                        && (format.dense()
                                || format.parts() == StorageFormat.Parts.TWO
                                || format.parts() == StorageFormat.Parts.BITMASK);
        if (hints.size().isPresent()) {
            return new MatrixType(hints.size().get().rows(), hints.size().get().columns(), element);
        }
        if (!telling) {
            throw new InputException(
                    "the parts of %s do not tell its size: say --shape ROWSxCOLUMNS and --type FORMAT"
                            .formatted(format));
        }
        int perCarrier =
                Packing.dense(values.format()).containerBits()
                        / Packing.dense(element).containerBits();
        long columns =
                (long) values.shape().get(1) * Math.max(1, perCarrier) * (format.dense() ? 1 : 2);
        return new MatrixType(values.shape().get(0), Math.toIntExact(columns), element);
    }

    private void add(
            String name, StorageFormat format, MatrixType type, List<MemorySegment> parts) {
        StoredMatrix stored = MatrixParts.of(format, type, parts);
        matrices.put(name, new NamedMatrix(name, stored, type));
    }

    @Override
    public void close() {
        arena.close();
    }
}
