package dev.heddle.sparse;

import static dev.heddle.files.TensorFileException.quoted;

import dev.heddle.files.Checkpoint;
import dev.heddle.files.CheckpointWriter;
import dev.heddle.files.FileReplacement;
import dev.heddle.files.Npy;
import dev.heddle.files.SafetensorsWriter;
import dev.heddle.files.TensorHeader;
import dev.heddle.formats.Codes;
import dev.heddle.formats.InputException;
import dev.heddle.formats.Tensor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Converts the matrices of a file, or of a checkpoint, and writes them with everything else that
/// is there.
///
/// @param to       the storage format to write
/// @param chosen   which matrices, by name; the others are copied
/// @param pruning  what becomes of chunks that do not conform
/// @param ragged   what becomes of sizes that the format does not hold
/// @param progress told of bytes of dense matrix done, by any thread
public record FileConversion(
        StorageFormat to,
        Predicate<String> chosen,
        Pruning pruning,
        Ragged ragged,
        LongConsumer progress) {
    /// The matrix of a file that holds just one and names none.
    static final String TENSOR = "tensor";

    /// What becomes of a matrix of a size that a format does not hold.
    public enum Ragged {
        /// It is refused; the message says the next size that would do.
        REFUSE,
        /// Rows and columns of zeros are added, and the output says so.
        PAD
    }

    /// What was done.
    ///
    /// @param matrices   how many matrices were converted
    /// @param denseBytes what they take with their zeros
    /// @param dropped    elements other than zero that pruning has left out
    public record Done(int matrices, long denseBytes, long dropped) {
        Done plus(Done more) {
            return new Done(
                    matrices + more.matrices, denseBytes + more.denseBytes, dropped + more.dropped);
        }
    }

    /// A matrix and what becomes of it.
    private record Step(NamedMatrix from, StorageFormat format, MatrixType type) {
        boolean copied() {
            return format.equals(from.stored().format()) && type.equals(from.stored().type());
        }
    }

    /// Converts to a `.safetensors` file, a `.safetensors.index.json` with as many files as the
    /// source has, a `.npy` file or several (`w.values.npy`), or raw bytes.
    ///
    /// Every file is written whole or not at all; an index is written last.
    ///
    /// @throws IOException              if a file cannot be written
    /// @throws InputException if the format does not hold a matrix
    /// @throws SparsityException        if a matrix does not conform or its metadata is undefined
    public Done write(MatrixSource source, Path out) throws IOException {
        List<Step> steps = new ArrayList<>();
        for (NamedMatrix matrix : source.matrices().values()) {
            steps.add(named(matrix.name(), () -> step(matrix)));
        }
        String name = out.toString();
        if (Checkpoint.isIndex(out)) {
            return sharded(source, steps, out);
        }
        if (name.endsWith(".safetensors")) {
            return safetensors(source, steps, source.others().keySet().stream().toList(), out);
        }
        if (steps.size() != 1 || !source.others().isEmpty()) {
            throw new InputException(
                    "%d tensors do not go into %s: expected a .safetensors file, or one tensor"
                            .formatted(steps.size() + source.others().size(), out));
        }
        return name.endsWith(".npy") ? npy(steps.getFirst(), out) : raw(steps.getFirst(), out);
    }

    private Step step(NamedMatrix matrix) {
        StoredMatrix stored = matrix.stored();
        if (!chosen.test(matrix.name())) {
            return new Step(matrix, stored.format(), stored.type());
        }
        if (to.dense()) {
            return new Step(matrix, to, matrix.original());
        }
        MatrixType padded = StoredMatrix.padded(to, matrix.original());
        if (ragged == Ragged.REFUSE && !padded.equals(matrix.original())) {
            // Says what is expected
            StoredMatrix.valueBytes(to, matrix.original());
        }
        return new Step(matrix, to, padded);
    }

    private Done sharded(MatrixSource source, List<Step> steps, Path index) throws IOException {
        List<Done> done = new ArrayList<>();
        List<CheckpointWriter.Shard> shards = new ArrayList<>();
        for (List<String> held : source.shards()) {
            List<Step> here = steps.stream().filter(s -> held.contains(s.from().name())).toList();
            List<String> others = held.stream().filter(source.others()::containsKey).toList();
            shards.add(shard(source, here, others, done));
        }
        new CheckpointWriter(shards).write(index);
        return sum(done);
    }

    private Done safetensors(MatrixSource source, List<Step> steps, List<String> others, Path out)
            throws IOException {
        List<Done> done = new ArrayList<>();
        CheckpointWriter.Shard file = shard(source, steps, others, done);
        file.writer().write(out, file.content());
        return sum(done);
    }

    private static Done sum(List<Done> done) {
        return done.stream().reduce(new Done(0, 0, 0), Done::plus);
    }

    /// A file of some of the tensors.
    ///
    /// @param done takes what was done while it is written
    private CheckpointWriter.Shard shard(
            MatrixSource source, List<Step> steps, List<String> others, List<Done> done) {
        Map<String, String> metadata = new LinkedHashMap<>(source.metadata());
        for (Step step : steps) {
            if (Label.needed(step.format(), step.type())) {
                metadata.put(
                        Label.key(step.from().name()),
                        new Label(step.format(), step.type(), step.from().original()).toString());
            }
        }
        SafetensorsWriter writer = new SafetensorsWriter(metadata);
        for (Step step : steps) {
            MatrixParts.headers(step.from().name(), step.format(), step.type())
                    .forEach(writer::declare);
        }
        others.forEach(other -> writer.declare(Objects.requireNonNull(source.others().get(other))));
        return new CheckpointWriter.Shard(
                writer,
                memory -> {
                    for (Step step : steps) {
                        String name = step.from().name();
                        done.add(named(name, () -> converted(step, name, memory)));
                    }
                    for (String other : others) {
                        Objects.requireNonNull(memory.get(other)).copyFrom(source.other(other));
                    }
                });
    }

    private Done converted(Step step, String name, Map<String, MemorySegment> memory) {
        return convert(step, MatrixParts.of(name, step.format(), step.type(), memory));
    }

    private Done npy(Step step, Path out) throws IOException {
        MatrixType type = step.type();
        List<TensorHeader> headers =
                step.format().dense()
                        ? List.of(
                                new TensorHeader(
                                        TENSOR,
                                        type.format(),
                                        List.of(type.rows(), type.columns())))
                        : MatrixParts.headers(TENSOR, step.format(), type);
        if (headers.stream().anyMatch(part -> part.format().bits() < Byte.SIZE)) {
            return unpacked(step, headers, out);
        }
        List<Done> done = new ArrayList<>();
        map(step, headers, out, new HashMap<>(), done);
        return done.getFirst();
    }

    /// Maps the file of each part within those before it, and converts to all of them.
    private void map(
            Step step,
            List<TensorHeader> headers,
            Path out,
            Map<String, MemorySegment> memory,
            List<Done> done)
            throws IOException {
        int part = memory.size();
        if (part == headers.size()) {
            done.add(converted(step, TENSOR, memory));
            return;
        }
        TensorHeader header = headers.get(part);
        Npy.map(
                file(step, part, out),
                header.format(),
                header.shape(),
                bytes -> {
                    memory.put(header.name(), bytes);
                    map(step, headers, out, memory, done);
                });
    }

    private static Path file(Step step, int part, Path out) {
        return MatrixSource.beside(out, step.format().parts().suffixes().get(part));
    }

    /// Elements of less than a byte, which are one in a byte there.
    private Done unpacked(Step step, List<TensorHeader> headers, Path out) throws IOException {
        StoredMatrix made = StoredMatrix.allocate(step.format(), step.type());
        Done done = convert(step, made);
        for (int part = 0; part < headers.size(); part++) {
            TensorHeader header = headers.get(part);
            MemorySegment memory = part == 0 ? made.values() : made.metadata();
            byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
            Codes codes = Codes.wrap(header.format(), Tensor.elements(header.shape()), bytes);
            Npy.write(file(step, part, out), new Tensor(header.shape(), codes));
        }
        return done;
    }

    private Done raw(Step step, Path out) throws IOException {
        List<Done> done = new ArrayList<>();
        long bytes =
                StoredMatrix.valueBytes(step.format(), step.type())
                        + StoredMatrix.metadataBytes(step.format(), step.type());
        FileReplacement.map(
                out,
                bytes,
                memory ->
                        done.add(
                                convert(
                                        step,
                                        StoredMatrix.of(step.format(), step.type(), memory))));
        return done.getFirst();
    }

    private Done convert(Step step, StoredMatrix target) {
        NamedMatrix from = step.from();
        long row = step.from().original().rowBytes();
        if (step.copied()) {
            target.values().copyFrom(from.stored().values());
            target.metadata().copyFrom(from.stored().metadata());
            return new Done(0, 0, 0);
        }
        LongConsumer rows = count -> progress.accept(count * row);
        long dropped;
        StoredMatrix source = from.stored();
        if (!source.format().dense()
                && !target.format().dense()
                && !source.type().equals(target.type())) {
            dropped = MatrixConversion.throughDense(from.original(), source, target, pruning, rows);
        } else {
            dropped = new MatrixConversion(source, target, pruning, rows).run();
        }
        return new Done(1, from.original().bytes(), dropped);
    }

    /// Complaints about a matrix say which.
    static <T> T named(String name, Supplier<T> action) {
        try {
            return action.get();
        } catch (SparsityException e) {
            throw new SparsityException(
                    e.row(), "matrix %s: %s".formatted(quoted(name), e.getMessage()));
        } catch (InputException e) {
            throw new InputException("matrix %s: %s".formatted(quoted(name), e.getMessage()), e);
        }
    }
}
