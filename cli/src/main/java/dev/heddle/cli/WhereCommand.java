package dev.heddle.cli;

import dev.heddle.explorer.OperandDocument;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `heddle where`: which lane, register and bits hold an element, or what a lane holds.
final class WhereCommand extends Command {
    @Override
    String help() {
        return """
        Say which lane, register and bits hold an element of an operand, or what a lane
            holds.
        Of a sparse A, columns are those of the dense matrix: an element is stored in one of
            the places of its chunk, and the metadata says which.

        OPCODE  The opcode, or a whole instruction as written in source.
        OPERAND  One of ${COMPLETION-CANDIDATES}.
        """
                + LayoutQuery.SELECTOR
                + """
                --element R,C  The element in this row and column.
                --lane L  What this lane holds; 0..127 in a warpgroup.
                --register R  With --lane: only this register of the vector.
                --json  A JSON array.

                Examples:
                  heddle where mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 A --element 9,10
                  heddle where mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 B --lane 5
                  heddle where mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 E --element 3,20
                  heddle where wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 D --lane 77 \
                --register 3
                """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("OPERAND", Completions.operands());
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        String element = value(given, "--element");
        String lane = value(given, "--lane");
        String register = value(given, "--register");
        if (register != null && lane == null) {
            throw new UsageError("where: --register goes with --lane");
        }
        if ((element == null) == (lane == null)) {
            throw new UsageError(
                    element == null
                            ? "where: --element R,C or --lane L is missing: what to look for"
                            : "where: expected either --element R,C or --lane L, not both");
        }
        LayoutQuery asked = LayoutQuery.of(given);
        Form form = asked.form();
        OperandName operand = asked.operandName();
        List<LayoutEntry> all = LayoutEntry.of(form, operand, asked.selection());
        List<LayoutEntry> found =
                element != null
                        ? covering(form, operand, all, element)
                        : ofLane(form, all, String.valueOf(lane), register);
        if (has(given, "--json")) {
            out.println(
                    Json.line(
                            found.stream()
                                    .map(entry -> OperandDocument.object(operand, entry))
                                    .toList()));
        } else {
            tell(asked, found, element, lane, out);
        }
        return 0;
    }

    private static void tell(
            LayoutQuery asked,
            List<LayoutEntry> found,
            @Nullable String element,
            @Nullable String lane,
            PrintWriter out) {
        Form form = asked.form();
        OperandName operand = asked.operandName();
        for (LayoutEntry holding : found) {
            out.println(LayoutText.sentence(form, operand, holding));
        }
        if (found.isEmpty()) {
            out.println(
                    "nothing: under selector "
                            + asked.selection().selector()
                            + " the word of lane "
                            + lane
                            + " is ignored");
        }
        if (operand == OperandName.A && form.sparse() && element != null && found.size() > 1) {
            out.println(
                    "one of these, if the element is kept; the metadata says which:"
                            + " heddle where … E --element "
                            + element);
        }
        out.println();
        out.println(source(form, operand));
    }

    private static List<LayoutEntry> covering(
            Form form, OperandName operand, List<LayoutEntry> all, String element) {
        int[] at = Numbers.parse("--element", element, 2, 2);
        int rows = 0;
        int columns = 0;
        for (LayoutEntry holding : all) {
            rows = Math.max(rows, holding.rowLast());
            columns = Math.max(columns, holding.columnLast());
        }
        if (at[0] < 0 || at[0] > rows || at[1] < 0 || at[1] > columns) {
            throw new UsageError(
                    "element %s,%s of %s is outside the tile: rows 0..%s, columns 0..%s (%s)"
                            .formatted(at[0], at[1], operand, rows, columns, form.opcode()));
        }
        List<LayoutEntry> found = new ArrayList<>();
        for (LayoutEntry holding : all) {
            if (holding.covers(at[0], at[1])) {
                found.add(holding);
            }
        }
        return found;
    }

    private static List<LayoutEntry> ofLane(
            Form form, List<LayoutEntry> all, String lane, @Nullable String register) {
        int wanted = Numbers.parse("--lane", lane, 1, 1)[0];
        if (wanted < 0 || wanted >= form.lanes()) {
            throw new UsageError(
                    "lane %s: expected 0..%s, the lanes of a %s"
                            .formatted(
                                    wanted,
                                    form.lanes() - 1,
                                    form.lanes() == 32 ? "warp" : "warpgroup"));
        }
        List<LayoutEntry> found = new ArrayList<>();
        all.stream().filter(holding -> holding.lane() == wanted).forEach(found::add);
        if (register != null) {
            int index = Numbers.parse("--register", register, 1, 1)[0];
            int count = 1 + all.stream().mapToInt(LayoutEntry::register).max().orElse(0);
            if (index < 0 || index >= count) {
                throw new UsageError(
                        "register %s: expected 0..%s, the registers of this operand"
                                .formatted(index, count - 1));
            }
            found.removeIf(holding -> holding.register() != index);
        }
        return found;
    }

    private static String source(Form form, OperandName operand) {
        return switch (operand) {
            case A, B, C, D -> {
                Fragment fragment = form.fragment(operand.matrix());
                yield fragment.layout() + "\n" + fragment.source();
            }
            case E ->
                    LayoutEntry.metadata(form).layout()
                            + "\n"
                            + LayoutEntry.metadata(form).source();
            case SFA, SFB -> LayoutEntry.scaleFactors(form, operand.matrix()).source().toString();
        };
    }
}
