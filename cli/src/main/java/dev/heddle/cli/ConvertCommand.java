package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.sparse.FileConversion;
import dev.heddle.sparse.MatrixSource;
import dev.heddle.sparse.NamedMatrix;
import dev.heddle.sparse.Pruning;
import dev.heddle.sparse.StorageFormat;
import dev.heddle.sparse.StorageFormats;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/// `heddle convert`, and its two common cases `heddle compress` and `heddle expand`: whole sparse
/// matrices from one storage format to another.
final class ConvertCommand extends Command {
    private static final long MEGABYTE = 1_000_000;

    /// What a line that shows how far it is counts.
    static final String UNIT = "MB of dense matrix";

    private static final String IN =
            """
            [IN]  FILE.safetensors, MODEL.safetensors.index.json, FILE.npy, or raw bytes; - is
                standard input.
            """
                    + MatrixOptions.HELP;
    private static final String TO =
            """
            %s F  The storage format to write: heddle convert --formats.
            --prune  Keep the largest of chunks that do not conform.
            --pad  Add rows and columns of zeros where the format needs them.
            """;
    private static final String OUT =
            "-o OUT  What to write, by its name one of the kinds of IN.\n";
    private static final String FORMATS = "--formats  List the storage formats.\n";
    private static final String REPORT =
            """
            --json  The report, or the list, as JSON.

            Examples:
            """;

    private static final String COMPRESS =
            """
              heddle compress w.npy --format cutlass-sm80 -o w.safetensors
              heddle compress model.safetensors --only '*_proj.weight' --prune --format \
            cusparselt -o sparse.safetensors

            A chunk with too much other than zero is refused, unless --prune is given.
            """;
    private static final String EXPAND =
            """
              heddle expand w.safetensors -o w.npy
              heddle expand blob.bin --from cusparselt --type f16 --shape 64x128 -o w.npy
            """;
    private static final String CONVERT =
            """
              heddle convert --formats
              heddle convert w.safetensors --to ptx-m16n8k32 -o fragments.safetensors
            """;

    private final String name;

    ConvertCommand(String name) {
        this.name = name;
    }

    @Override
    String help() {
        return switch (name) {
            case "compress" ->
                    "Compress the sparse matrices of a file.\n\n"
                            + (IN + TO.formatted("--format") + OUT + REPORT + COMPRESS);
            case "expand" ->
                    "Give compressed matrices their zeros back.\n\n" + (IN + OUT + REPORT + EXPAND);
            default ->
                    "Convert sparse matrices between the formats of libraries.\n\n"
                            + (IN + TO.formatted("--to") + OUT + FORMATS + REPORT + CONVERT);
        };
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("--from", names(), "--format", names(), "--to", names());
    }

    private static List<String> names() {
        return StorageFormats.all().stream().map(StorageFormat::name).toList();
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        if (name.equals("convert") && has(given, "--formats")) {
            list(has(given, "--json"), out);
            return 0;
        }
        String to = value(given, "-o");
        if (at(given, 0).isEmpty() || to == null) {
            throw new UsageError("expected heddle %s IN -o OUT".formatted(name));
        }
        StorageFormat format = target(given);
        String in = input(given).file(at(given, 0));
        boolean expand = name.equals("expand");
        try (MatrixSource source = MatrixSource.open(Path.of(in), MatrixOptions.hints(given));
                ProgressLine progress = ProgressLine.start(err, UNIT)) {
            Predicate<String> chosen = MatrixOptions.chosen(given, source);
            FileConversion conversion =
                    new FileConversion(
                            format,
                            chosen,
                            !expand && has(given, "--prune") ? Pruning.MAGNITUDE : Pruning.REFUSE,
                            !expand && has(given, "--pad")
                                    ? FileConversion.Ragged.PAD
                                    : FileConversion.Ragged.REFUSE,
                            tell(progress, source, chosen));
            long start = System.nanoTime();
            FileConversion.Done result = conversion.write(source, Path.of(to));
            report(result, (System.nanoTime() - start) / 1e9, format, to, given, out);
            return 0;
        } catch (InputException e) {
            throw new UsageError(in + ": " + e.getMessage() + (expand ? "" : hint(e.getMessage())));
        }
    }

    /// Adds up bytes of dense matrices for a line that shows how far it is.
    static LongConsumer tell(ProgressLine progress, MatrixSource source, Predicate<String> chosen) {
        LongAdder done = new LongAdder();
        long total = bytes(source, chosen);
        return more -> {
            done.add(more);
            progress.ended(done.sum() / MEGABYTE, total / MEGABYTE);
        };
    }

    /// The option that lets a matrix pass.
    private static String hint(String message) {
        return message.contains("would have to go")
                ? "; --prune lets them go"
                : message.contains("expected rows in multiples of")
                        ? "; --pad adds rows and columns of zeros"
                        : "";
    }

    private StorageFormat target(ParseResult given) {
        if (name.equals("expand")) {
            return StorageFormats.named("dense");
        }
        String option = name.equals("compress") ? "--format" : "--to";
        @Nullable String format = value(given, option);
        if (format == null) {
            throw new UsageError(
                    "expected %s F, one of %s".formatted(option, String.join(" ", names())));
        }
        return StorageFormats.named(format);
    }

    private static long bytes(MatrixSource source, Predicate<String> chosen) {
        return source.matrices().values().stream()
                .filter(matrix -> chosen.test(matrix.name()))
                .map(NamedMatrix::original)
                .mapToLong(type -> type.bytes())
                .sum();
    }

    private static void report(
            FileConversion.Done done,
            double seconds,
            StorageFormat format,
            String to,
            ParseResult given,
            PrintWriter out) {
        if (has(given, "--json")) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("file", to);
            json.put("format", format.name());
            json.put("matrices", done.matrices());
            json.put("dense_bytes", done.denseBytes());
            json.put("dropped", done.dropped());
            json.put("seconds", seconds);
            out.println(Json.line(json));
            return;
        }
        if (done.matrices() == 0) {
            out.println(to + ": written; no matrix changed its format");
            return;
        }
        out.println(
                String.format(
                        Locale.ROOT,
                        "%s: %d %s as %s, %d MB dense, %.2f s",
                        to,
                        done.matrices(),
                        done.matrices() == 1 ? "matrix" : "matrices",
                        format,
                        done.denseBytes() / MEGABYTE,
                        seconds));
        if (done.dropped() > 0) {
            out.println("pruned: %d elements other than zero left out".formatted(done.dropped()));
        }
    }

    private static void list(boolean json, PrintWriter out) {
        for (StorageFormat format : StorageFormats.all()) {
            List<String> elements = format.formats().stream().map(f -> f.ptxName()).toList();
            if (json) {
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("name", format.name());
                object.put("summary", format.summary());
                object.put("source", format.source());
                object.put("elements", elements);
                object.put("parts", format.parts().suffixes());
                out.println(Json.line(object));
            } else {
                out.println("%-17s %s".formatted(format, format.summary()));
                out.println("%-17s   holds %s".formatted("", String.join(" ", elements)));
                out.println("%-17s   %s".formatted("", format.source()));
            }
        }
    }
}
