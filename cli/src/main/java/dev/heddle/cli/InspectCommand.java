package dev.heddle.cli;

import dev.heddle.files.TensorHeader;
import dev.heddle.formats.InputException;
import dev.heddle.sparse.Inspection;
import dev.heddle.sparse.MatrixConversion;
import dev.heddle.sparse.MatrixSource;
import dev.heddle.sparse.MatrixType;
import dev.heddle.sparse.NamedMatrix;
import dev.heddle.sparse.Pattern;
import dev.heddle.sparse.SparsityException;
import dev.heddle.sparse.StorageFormat;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.sparse.StoredMatrix;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// `heddle inspect`: what is in this file? Names patterns, metadata and storage formats by the
/// bytes.
final class InspectCommand extends Command {
    private static final String SHADES = " .:-=+*#%@";

    @Override
    String help() {
        return """
        Say what the tensors of a file are, by their bytes.

        FILE  FILE.safetensors, an index, FILE.npy, or raw bytes; - is standard input.
        [TENSOR]  Only this one, with a picture.
        """
                + MatrixOptions.HELP
                + """
                --like FILE.npy  The dense matrix: name the format that means it.
                --json  One JSON object a tensor.

                Examples:
                  heddle inspect model.safetensors
                  heddle inspect w.safetensors layer.0.weight
                  heddle inspect blob.bin --type f16 --shape 64x128 --like w.npy
                """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return MatrixOptions.choices();
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        String file = input(given).file(at(given, 0));
        boolean raw = !file.endsWith(".npy") && !file.contains(".safetensors");
        if (raw) {
            return raw(given, Path.of(file), out);
        }
        String only = at(given, 1);
        try (MatrixSource source = MatrixSource.open(Path.of(file), MatrixOptions.hints(given))) {
            boolean found = false;
            for (NamedMatrix matrix : source.matrices().values()) {
                if (only.isEmpty() || only.equals(matrix.name())) {
                    matrix(given, matrix, !only.isEmpty(), out);
                    found = true;
                }
            }
            for (TensorHeader other : source.others().values()) {
                if (only.isEmpty() || only.equals(other.name())) {
                    print(given, other.name(), Map.of("tensor", other.toString()), out);
                    found = true;
                }
            }
            if (!found) {
                throw new UsageError(
                        "%s: no tensor \"%s\"; there are %s"
                                .formatted(
                                        file,
                                        only,
                                        source.matrices().keySet().stream().limit(10).toList()));
            }
            return 0;
        } catch (InputException e) {
            throw new UsageError(file + ": " + e.getMessage());
        }
    }

    private static void matrix(
            ParseResult given, NamedMatrix matrix, boolean picture, PrintWriter out)
            throws IOException {
        StoredMatrix stored = matrix.stored();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("type", stored.type().toString());
        if (!matrix.original().equals(stored.type())) {
            facts.put("padded_from", matrix.original().toString());
        }
        facts.put("format", stored.format().name());
        StoredMatrix dense = stored;
        if (!stored.format().dense()) {
            facts.put("metadata", Inspection.nibbles(stored.metadata()).verdict());
            dense = StoredMatrix.allocate(StorageFormats.named("dense"), matrix.original());
            try {
                new MatrixConversion(stored, dense).run();
            } catch (SparsityException e) {
                facts.put("fault", String.valueOf(e.getMessage()));
                print(given, matrix.name(), facts, out);
                return;
            }
        }
        Inspection inspection = Inspection.of(dense);
        describe(inspection, facts);
        if (stored.format().dense() && Inspection.maybeMetadata(stored.type().format())) {
            facts.put("as_metadata", Inspection.nibbles(stored.values()).verdict());
        }
        like(given).ifPresent(known -> compare(known, matrix, facts));
        print(given, matrix.name(), facts, out);
        if (picture && !has(given, "--json")) {
            inspection.picture().forEach(row -> out.println("  |" + line(row) + "|"));
        }
    }

    private static void describe(Inspection inspection, Map<String, Object> facts) {
        facts.put("density", Math.round(inspection.density() * 1e6) / 1e6);
        facts.put("conforms", inspection.conforms().stream().map(Pattern::toString).toList());
    }

    private static void compare(StoredMatrix known, NamedMatrix matrix, Map<String, Object> facts) {
        if (facts.containsKey("as_metadata") && !known.type().equals(matrix.original())) {
            facts.put("metadata_of", names(Inspection.metadataOf(known, matrix.stored().values())));
        } else {
            facts.put("like", means(known, matrix));
        }
    }

    private static List<String> names(List<StorageFormat> formats) {
        return formats.stream().map(StorageFormat::name).toList();
    }

    private static String means(StoredMatrix known, NamedMatrix matrix) {
        StoredMatrix dense =
                StoredMatrix.allocate(StorageFormats.named("dense"), matrix.original());
        if (!known.type().equals(matrix.original())) {
            return "no: that is " + known.type();
        }
        new MatrixConversion(matrix.stored(), dense).run();
        OptionalLong signs = Inspection.otherSigns(dense, known);
        return signs.isEmpty()
                ? "no"
                : signs.getAsLong() == 0
                        ? "yes, every bit"
                        : "yes, but for the sign of %d zeros".formatted(signs.getAsLong());
    }

    private static Optional<StoredMatrix> like(ParseResult given) throws IOException {
        @Nullable String file = input(given).optional(value(given, "--like"));
        if (file == null) {
            return Optional.empty();
        }
        try (MatrixSource source =
                MatrixSource.open(
                        Path.of(file),
                        new MatrixSource.Hints(
                                Optional.empty(),
                                MatrixOptions.hints(given).element(),
                                Optional.empty()))) {
            StoredMatrix first = source.matrices().values().iterator().next().stored();
            StoredMatrix copy = StoredMatrix.allocate(first.format(), first.type());
            new MatrixConversion(first, copy).run();
            return Optional.of(copy);
        }
    }

    /// Bytes without a header: which formats can they be in?
    private static int raw(ParseResult given, Path file, PrintWriter out) throws IOException {
        MatrixSource.Hints hints = MatrixOptions.hints(given);
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofShared()) {
            MemorySegment bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("bytes", bytes.byteSize());
            facts.put("as_metadata", Inspection.nibbles(bytes).verdict());
            if (hints.size().isPresent() && hints.element().isPresent()) {
                MatrixType type =
                        new MatrixType(
                                hints.size().get().rows(),
                                hints.size().get().columns(),
                                hints.element().get());
                if (bytes.byteSize() == type.bytes()) {
                    StorageFormat dense = StorageFormats.named("dense");
                    describe(Inspection.of(StoredMatrix.of(dense, type, bytes)), facts);
                }
                Optional<StoredMatrix> known = like(given);
                facts.put("can_be", names(Inspection.candidates(type, bytes, known)));
                if (known.isPresent()) {
                    facts.put("metadata_of", names(Inspection.metadataOf(known.get(), bytes)));
                }
            }
            print(given, String.valueOf(file.getFileName()), facts, out);
            return 0;
        } catch (NoSuchFileException e) {
            throw new UsageError(file + ": no such file or folder");
        }
    }

    private static void print(
            ParseResult given, String name, Map<String, Object> facts, PrintWriter out) {
        if (has(given, "--json")) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", name);
            object.putAll(facts);
            out.println(Json.line(object));
            return;
        }
        out.println(name);
        facts.forEach((key, value) -> out.println("  %-12s %s".formatted(key, words(value))));
    }

    private static String words(Object value) {
        return value instanceof List<?> list
                ? list.isEmpty()
                        ? "none"
                        : list.stream().map(String::valueOf).collect(Collectors.joining(" "))
                : value instanceof Double number
                        ? String.format(Locale.ROOT, "%.4f", number)
                        : String.valueOf(value);
    }

    private static String line(List<Double> shares) {
        return shares.stream()
                .map(share -> (int) Math.ceil(share * (SHADES.length() - 1)))
                .map(shade -> String.valueOf(SHADES.charAt(shade)))
                .collect(Collectors.joining());
    }
}
