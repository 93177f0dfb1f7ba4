package dev.heddle.cli;

import dev.heddle.explorer.Figure;
import dev.heddle.explorer.OperandDocument;
import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;
import dev.heddle.sparse.StorageFormat;
import dev.heddle.sparse.StorageFormats;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `heddle layout`: the whole layout of one operand.
final class LayoutCommand extends Command {
    @Override
    String help() {
        return """
        Show the whole layout of one operand, or of a storage format.

        [OPCODE]  The opcode, or a whole instruction as written in source.
        [OPERAND]  One of ${COMPLETION-CANDIDATES}.
        """
                + LayoutQuery.SELECTOR
                + """
                --format NAME  A storage format of heddle convert --formats.
                --type T  With --format: the element format, as bf16.
                --as FORMAT  One of text, tsv, csv, markdown, json, svg (default: text).
                --load HOW  How a warp loads A or B from shared memory: ldmatrix, or ld.shared;
                    addresses, bank conflicts, C++.
                --pitch N  With --load: bytes from row to row, K along memory (default 128).
                --swizzle N  With --load: 128, 64 or 32 bytes, or 0 for none (default).

                Examples:
                  heddle layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 A
                  heddle layout mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 E --selector 2
                  heddle layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 A --load \
                ldmatrix --swizzle 128
                  heddle layout --format cutlass-sm80 --type f16
                  heddle layout mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 C --as svg > c.svg

                --as tsv prints one element (or metadata nibble) a line, without a header (csv \
                and markdown
                have one):
                  A B C D  lane register bit_high bit_low row column_first column_last
                  E SFA    lane bit_high bit_low row column_first column_last
                  SFB      lane bit_high bit_low row_first row_last column
                Columns of a sparse A and of E are the dense columns of the chunk. For mma.m8n8k4
                with .f16, which computes four products, A B C D have an eighth column:
                computation, 0..3.
                """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of(
                "OPERAND",
                Completions.operands(),
                "--load",
                List.of("ldmatrix", "ld.shared"),
                "--swizzle",
                List.of("0", "32", "64", "128"),
                "--format",
                StorageFormats.all().stream().map(StorageFormat::name).toList(),
                "--as",
                List.of("text", "tsv", "csv", "markdown", "json", "svg"));
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        String storage = value(given, "--format");
        if (storage != null) {
            String as = value(given, "--as");
            new StorageLayout(StorageFormats.named(storage), value(given, "--type"))
                    .print(as == null ? "text" : as.toLowerCase(Locale.ROOT), out);
            return 0;
        }
        if (at(given, 1).isEmpty()) {
            boolean neither = at(given, 0).isEmpty();
            throw new UsageError(
                    neither
                            ? "layout: OPCODE and OPERAND are missing, or --format NAME"
                            : "layout: OPERAND is missing: one of "
                                    + String.join(", ", Completions.operands()),
                    List.of("heddle layout --help"));
        }
        LayoutQuery asked = LayoutQuery.of(given);
        if (given.hasMatchedOption("--load")) {
            LoadText.of(asked.form(), asked.operandName(), given).print(out);
        } else {
            print(asked, value(given, "--as"), out);
        }
        return 0;
    }

    private static void print(LayoutQuery asked, @Nullable String as, PrintWriter out) {
        Form form = asked.form();
        OperandName operand = asked.operandName();
        LayoutEntry.Selection selection = asked.selection();
        switch (as == null ? "text" : as.toLowerCase(Locale.ROOT)) {
            case "text" ->
                    Picture.of(checked(form, operand, selection), operand, selection)
                            .lines()
                            .forEach(out::println);
            case "tsv" -> rows(asked, form, "", "\t", "", out);
            case "csv" -> {
                out.println(String.join(",", LayoutText.columns(form, operand)));
                rows(asked, form, "", ",", "", out);
            }
            case "markdown" -> {
                List<String> columns = LayoutText.columns(form, operand);
                out.println("| " + String.join(" | ", columns) + " |");
                out.println("|" + " ---: |".repeat(columns.size()));
                rows(asked, form, "| ", " | ", " |", out);
            }
            case "json" ->
                    out.println(
                            Json.line(
                                    LayoutEntry.of(form, operand, selection).stream()
                                            .map(h -> OperandDocument.object(operand, h))
                                            .toList()));
            case "svg" -> out.print(Figure.of(form, operand, selection).svg());
            default ->
                    throw new UsageError(
                            "--as " + as + ": expected text, tsv, csv, markdown, json or svg");
        }
    }

    private static void rows(
            LayoutQuery asked,
            Form form,
            String before,
            String between,
            String behind,
            PrintWriter out) {
        OperandName operand = asked.operandName();
        for (LayoutEntry entry : LayoutEntry.of(form, operand, asked.selection())) {
            String cells = String.join(between, LayoutText.cells(form, operand, entry));
            out.println(before + cells + behind);
        }
    }

    /// The form, after the operand and the selector have been found to be its own.
    private static Form checked(Form form, OperandName operand, LayoutEntry.Selection selection) {
        LayoutEntry.of(form, operand, selection);
        return form;
    }
}
