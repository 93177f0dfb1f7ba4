package dev.heddle.sparse;

import static dev.heddle.sparse.FileConversion.named;

import dev.heddle.files.Checkpoint;
import dev.heddle.files.CheckpointWriter;
import dev.heddle.files.Npy;
import dev.heddle.files.SafetensorsWriter;
import dev.heddle.files.TensorHeader;
import dev.heddle.formats.Codes;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/// Prunes the dense matrices of a file and writes them with everything else that is there.
///
/// @param pattern what to conform to
/// @param chosen  which matrices, by name; the others are copied
/// @param scores  what each element is worth, in matrices of the same names; without it, its
///     magnitude
/// @param permute whether to look for an order of columns that keeps more
/// @param progress told of bytes of dense matrix done, by any thread
public record FilePruning(
        Pattern pattern,
        Predicate<String> chosen,
        Optional<MatrixSource> scores,
        boolean permute,
        LongConsumer progress) {
    private static final long TRIALS = 20_000;
    private static final long SEED = 1;
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Prunes to a `.safetensors` or a `.npy` file.
    ///
    /// @return what was lost, by matrix
    /// @throws IOException              if the file cannot be written
    /// @throws InputException if a matrix does not fit the pattern or has no scores
    public Map<String, PruneReport> write(MatrixSource source, Path out) throws IOException {
        Map<String, PruneReport> reports = new LinkedHashMap<>();
        if (out.toString().endsWith(".npy")) {
            if (source.matrices().size() != 1 || permute) {
                throw new InputException(
                        "%s: expected a .safetensors file for several tensors".formatted(out));
            }
            writeNpy(source.matrices().values().iterator().next(), out, reports);
            return reports;
        }
        List<CheckpointWriter.Shard> shards = new ArrayList<>();
        if (Checkpoint.isIndex(out)) {
            source.shards().forEach(held -> shards.add(shard(source, held::contains, reports)));
            new CheckpointWriter(shards).write(out);
        } else {
            CheckpointWriter.Shard file = shard(source, _ -> true, reports);
            file.writer().write(out, file.content());
        }
        return reports;
    }

    private void writeNpy(NamedMatrix matrix, Path out, Map<String, PruneReport> reports)
            throws IOException {
        MatrixType type = matrix.stored().type();
        List<Integer> shape = List.of(type.rows(), type.columns());
        if (type.format().bits() >= Byte.SIZE && matrix.stored().format().dense()) {
            Npy.map(
                    out,
                    type.format(),
                    shape,
                    memory -> {
                        StoredMatrix pruned =
                                StoredMatrix.of(matrix.stored().format(), type, memory);
                        reports.put(
                                matrix.name(), named(matrix.name(), () -> prune(matrix, pruned)));
                    });
            return;
        }
        StoredMatrix pruned = StoredMatrix.allocate(matrix.stored().format(), type);
        reports.put(matrix.name(), named(matrix.name(), () -> prune(matrix, pruned)));
        Codes codes =
                Codes.wrap(
                        type.format(),
                        (long) type.rows() * type.columns(),
                        pruned.values().toArray(ValueLayout.JAVA_BYTE));
        Npy.write(out, new Tensor(shape, codes));
    }

    /// A file of some of the tensors.
    ///
    /// @param reports takes what was lost while it is written
    private CheckpointWriter.Shard shard(
            MatrixSource source, Predicate<String> held, Map<String, PruneReport> reports) {
        List<NamedMatrix> here =
                source.matrices().values().stream().filter(m -> held.test(m.name())).toList();
        List<TensorHeader> others =
                source.others().values().stream().filter(o -> held.test(o.name())).toList();
        Map<String, String> metadata = new LinkedHashMap<>(source.metadata());
        for (NamedMatrix matrix : here) {
            if (Label.needed(matrix.stored().format(), matrix.stored().type())) {
                metadata.put(Label.key(matrix.name()), matrix.label().toString());
            }
        }
        SafetensorsWriter writer = new SafetensorsWriter(metadata);
        here.forEach(matrix -> declare(writer, matrix));
        others.forEach(writer::declare);
        return new CheckpointWriter.Shard(
                writer,
                memory -> {
                    for (NamedMatrix matrix : here) {
                        fill(matrix, memory, reports);
                    }
                    for (TensorHeader other : others) {
                        Objects.requireNonNull(memory.get(other.name()))
                                .copyFrom(source.other(other.name()));
                    }
                });
    }

    private void declare(SafetensorsWriter writer, NamedMatrix matrix) {
        MatrixType type = matrix.stored().type();
        MatrixParts.headers(matrix.name(), matrix.stored().format(), type).forEach(writer::declare);
        if (permute && chosen.test(matrix.name())) {
            writer.declare(
                    new TensorHeader(
                            matrix.name() + ".permutation",
                            IntegerFormat.S32,
                            List.of(type.columns())));
        }
    }

    private void fill(
            NamedMatrix matrix,
            Map<String, MemorySegment> memory,
            Map<String, PruneReport> reports) {
        StoredMatrix target =
                MatrixParts.of(
                        matrix.name(), matrix.stored().format(), matrix.stored().type(), memory);
        if (!chosen.test(matrix.name())) {
            target.values().copyFrom(matrix.stored().values());
            target.metadata().copyFrom(matrix.stored().metadata());
            return;
        }
        reports.put(
                matrix.name(),
                named(
                        matrix.name(),
                        () -> permute ? permute(matrix, target, memory) : prune(matrix, target)));
    }

    /// Orders the columns so that more is kept, and prunes.
    private PruneReport permute(
            NamedMatrix matrix, StoredMatrix target, Map<String, MemorySegment> memory) {
        if (!(pattern instanceof Pattern.Elements elements)) {
            throw new InputException(
                    "columns are permuted for patterns N:M, not %s".formatted(pattern));
        }
        Optional<StoredMatrix> worth = worth(matrix.name());
        new Pruner(pattern, worth).check(matrix.stored(), target);
        List<Integer> order = order(elements, worth.orElse(matrix.stored()));
        MemorySegment permutation =
                Objects.requireNonNull(memory.get(matrix.name() + ".permutation"));
        for (int i = 0; i < order.size(); i++) {
            permutation.set(INT, (long) i * Integer.BYTES, order.get(i));
        }
        permuted(matrix.stored(), order, target);
        try (Arena arena = Arena.ofShared()) {
            Optional<StoredMatrix> moved = worth.map(scored -> permuted(scored, order, arena));
            return new Pruner(pattern, moved).prune(target, target, rows(matrix));
        }
    }

    private static List<Integer> order(Pattern.Elements pattern, StoredMatrix worth) {
        MatrixType type = worth.type();
        float[] scores = new float[Math.multiplyExact(type.rows(), type.columns())];
        new Magnitudes(worth).magnitudes(0, type.rows(), scores);
        return new ChannelPermutation(pattern, TRIALS, SEED)
                .search(scores, type.columns())
                .columns();
    }

    private static StoredMatrix permuted(StoredMatrix from, List<Integer> order, Arena arena) {
        MemorySegment memory = arena.allocate(from.type().bytes());
        StoredMatrix to = StoredMatrix.of(from.format(), from.type(), memory);
        permuted(from, order, to);
        return to;
    }

    private static void permuted(StoredMatrix from, List<Integer> order, StoredMatrix to) {
        Magnitudes values = new Magnitudes(from);
        for (int row = 0; row < from.type().rows(); row++) {
            Codes codes = values.row(row);
            Codes moved = Codes.zeros(codes.format(), codes.length());
            for (int column = 0; column < order.size(); column++) {
                moved.set(column, codes.bits(order.get(column)));
            }
            byte[] bytes = moved.bytes();
            MemorySegment.copy(
                    bytes,
                    0,
                    to.values(),
                    ValueLayout.JAVA_BYTE,
                    (long) row * bytes.length,
                    bytes.length);
        }
    }

    private LongConsumer rows(NamedMatrix matrix) {
        long row = matrix.stored().type().rowBytes();
        return count -> progress.accept(count * row);
    }

    private PruneReport prune(NamedMatrix matrix, StoredMatrix target) {
        return new Pruner(pattern, worth(matrix.name()))
                .prune(matrix.stored(), target, rows(matrix));
    }

    /// What the elements of a matrix are worth, where scores are given.
    private Optional<StoredMatrix> worth(String name) {
        return scores.map(
                source -> {
                    NamedMatrix found = source.matrices().get(name);
                    if (found == null) {
                        throw new InputException("no scores of that name");
                    }
                    return found.stored();
                });
    }
}
