package dev.heddle.cli;

import dev.heddle.files.FileReplacement;
import dev.heddle.formats.InputException;
import dev.heddle.sparse.FilePruning;
import dev.heddle.sparse.MatrixSource;
import dev.heddle.sparse.Pattern;
import dev.heddle.sparse.PruneReport;
import dev.heddle.sparse.PruneReports;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// `heddle prune`: sets elements to zero until the matrices of a file conform to a pattern.
final class PruneCommand extends Command {
    private static final int WORST = 5;

    @Override
    String help() {
        return """
        Set elements to zero until the matrices of a file conform to a pattern.

        IN  FILE.safetensors, an index, FILE.npy, or raw bytes; - is standard input.
        """
                + MatrixOptions.HELP
                + """
                --pattern P  2:4, 1:2, any N:M; 4:8p by pairs; 2:4t along rows and columns; 64:2:8
                    of VENOM (default: 2:4).
                --scores FILE  What each element is worth: matrices of the same names.
                --permute  Search an order of the columns that keeps more; it is written as
                    NAME.permutation.
                -o OUT !  What to write.
                --svg FILE  A picture of what each matrix keeps, and its rows.
                --json  One JSON object a matrix.

                Examples:
                  heddle prune w.npy --pattern 2:4 -o pruned.npy
                  heddle prune model.safetensors --only '*_proj.weight' --scores \
                wanda.safetensors -o pruned.safetensors
                """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return MatrixOptions.choices();
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        String in = input(given).file(at(given, 0));
        String pattern = value(given, "--pattern");
        @Nullable String scores = input(given).optional(value(given, "--scores"));
        String to = String.valueOf(value(given, "-o"));
        try (MatrixSource source = MatrixSource.open(Path.of(in), MatrixOptions.hints(given));
                MatrixSource worth =
                        MatrixSource.open(
                                Path.of(scores == null ? in : scores),
                                scores == null
                                        ? MatrixOptions.hints(given)
                                        : MatrixSource.Hints.NONE);
                ProgressLine progress = ProgressLine.start(err, ConvertCommand.UNIT)) {
            Predicate<String> chosen = MatrixOptions.chosen(given, source);
            FilePruning pruning =
                    new FilePruning(
                            Pattern.parse(pattern == null ? "2:4" : pattern),
                            chosen,
                            scores == null ? Optional.empty() : Optional.of(worth),
                            has(given, "--permute"),
                            ConvertCommand.tell(progress, source, chosen));
            Map<String, PruneReport> reports = pruning.write(source, Path.of(to));
            for (Map.Entry<String, PruneReport> report : reports.entrySet()) {
                out.println(
                        has(given, "--json")
                                ? Json.line(object(report.getKey(), report.getValue()))
                                : report.getKey() + ": " + report.getValue());
            }
            if (reports.size() > 1 && !has(given, "--json")) {
                out.println(new PruneReports(reports));
            }
            picture(given, reports);
            return 0;
        } catch (InputException e) {
            throw new UsageError(in + ": " + e.getMessage());
        }
    }

    private static void picture(ParseResult given, Map<String, PruneReport> reports)
            throws IOException {
        @Nullable String file = value(given, "--svg");
        if (file == null) {
            return;
        }
        String picture =
                reports.size() == 1
                        ? reports.values().iterator().next().svg()
                        : new PruneReports(reports).svg();
        byte[] svg = picture.getBytes(StandardCharsets.UTF_8);
        FileReplacement.write(Path.of(file), stream -> stream.write(svg));
    }

    private static Map<String, Object> object(String name, PruneReport report) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("matrix", name);
        object.put("pattern", report.pattern().toString());
        object.put("rows", report.type().rows());
        object.put("columns", report.type().columns());
        object.put("nonzero", report.nonzero());
        object.put("kept", report.kept());
        object.put("norm_kept", report.normKept());
        object.put(
                "worst_rows",
                report.worstRows(WORST).stream().map(row -> worst(row, report)).toList());
        return object;
    }

    private static Map<String, Object> worst(int row, PruneReport report) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("row", row);
        object.put("norm_kept", report.normKept(row));
        return object;
    }
}
