package dev.heddle.cli;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `heddle exec` of a scalar instruction: what was computed, how far from the exact value, or where
/// machines differ.
record ScalarReport(ScalarExecution execution, ParseResult given, PrintWriter out) {
    private static final int SHOWN = 16;
    private static final List<String> OPERANDS = List.of("a", "b", "c", "e");
    private static final List<String> OF_MATRICES =
            List.of("--selector", "--sfa", "--sfb", "--prune", "--undefined", "--registers");

    /// Executes, reports, saves; returns the exit code.
    static int run(
            ScalarInstruction instruction, ParseResult given, PrintWriter out, PrintWriter err)
            throws IOException {
        for (String option : OF_MATRICES) {
            if (Command.has(given, option)) {
                throw new UsageError(option + " is for matrix instructions");
            }
        }
        ScalarArrays arrays = arrays(instruction, given);
        String arch = Command.value(given, "--arch");
        ScalarExecution execution =
                new ScalarExecution(instruction, arrays, arch == null ? "sm_90a" : arch);
        ScalarReport report = new ScalarReport(execution, given, out);
        String compare = Command.value(given, "--compare");
        if (compare != null) {
            return report.compare(List.of(compare.split(",", -1)));
        }
        String on = Command.value(given, "--on");
        ScalarExecution.Computed computed = execution.on(on == null ? "compiler" : on);
        report.show(computed);
        String file = Command.value(given, "--out");
        if (file != null) {
            TensorReference.parse(file).write(execution.tensor(computed));
            err.println("saved D in " + file);
        }
        return 0;
    }

    private static ScalarArrays arrays(ScalarInstruction instruction, ParseResult given)
            throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (String operand : OPERANDS) {
            String value = Command.value(given, "--" + operand);
            if (value != null) {
                files.put(operand, Command.input(given).tensor(value));
            }
        }
        String seed = Command.value(given, "--random");
        ScalarArrays arrays =
                ScalarArrays.read(
                        instruction,
                        files,
                        seed == null ? null : (long) Numbers.parse("--random", seed, 1, 1)[0]);
        if (arrays.count() == 0) {
            throw new UsageError("the arrays are empty");
        }
        return arrays;
    }

    private void show(ScalarExecution.Computed computed) {
        String against = Command.value(given, "--against");
        if (against != null && !against.equals("exact")) {
            throw new UsageError("--against " + against + ": expected exact");
        }
        Errors errors = against == null ? null : errors(computed);
        Tensor result = execution.tensor(computed);
        if (Command.has(given, "--json")) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("opcode", execution.instruction().mnemonic());
            object.put("on", computed.where());
            object.put("evidence", computed.evidence());
            object.put("shape", result.shape());
            object.put("format", result.format().toString());
            List<String> codes = new ArrayList<>();
            for (long i = 0; i < result.codes().length(); i++) {
                codes.add(hex(result.format(), result.bits(i)));
            }
            object.put("d", codes);
            if (errors != null) {
                object.put("ulps", errors.object());
            }
            out.println(Json.line(object));
            return;
        }
        out.println(execution.instruction().text());
        out.println("on " + computed.where() + ": " + computed.evidence());
        out.println();
        int elements = execution.arrays().count();
        for (int i = 0; i < Math.min(SHOWN, elements); i++) {
            out.println("  " + element(i) + " -> " + resultWord(computed, i));
        }
        if (elements > SHOWN) {
            out.println("  ... %,d more; --out FILE saves them".formatted(elements - SHOWN));
        }
        if (errors != null) {
            out.println();
            errors.lines().forEach(out::println);
        }
    }

    /// `[3] a 0x3f800000 (1.0), b 0x40000000 (2.0)`.
    private String element(int index) {
        List<String> words = new ArrayList<>();
        for (ScalarInstruction.Place place : execution.instruction().sources()) {
            Format format = ScalarArrays.format(place.type());
            words.add(
                    place.name()
                            + " "
                            + word(format, execution.arrays().code(place.name(), index)));
        }
        return "[%d] %s".formatted(index, String.join(", ", words));
    }

    private String resultWord(ScalarExecution.Computed computed, int index) {
        Format format = ScalarArrays.format(execution.instruction().destination().type());
        return word(format, code(computed, index));
    }

    private long code(ScalarExecution.Computed computed, int index) {
        return computed.words().bits(index);
    }

    private static String word(Format format, long code) {
        if (format instanceof FloatFormat) {
            double value = format.toDouble(code);
            return "%s (%s)"
                    .formatted(
                            hex(format, code),
                            format == FloatFormat.F64 ? value + "" : (float) value + "");
        }
        return format instanceof IntegerFormat integer && integer.signed()
                ? "%s (%d)".formatted(hex(format, code), integer.toLong(code))
                : hex(format, code);
    }

    private static String hex(Format format, long code) {
        return ("0x%0" + Math.max(1, format.bits() / 4) + "x").formatted(code);
    }

    /// Errors in ulp.
    ///
    /// @param largest exactly
    /// @param at the element that has it, or -1
    /// @param mean of the finite ones
    /// @param finite how many elements have one
    /// @param all how many elements there are
    /// @param where the element in words
    private record Errors(
            double largest, int at, double mean, int finite, int all, @Nullable String where) {
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            if (where == null) {
                lines.add("no finite result to compare with the exact value");
                return lines;
            }
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "error against the exact value: largest %.6g ulp, mean %.3g ulp",
                            largest,
                            mean));
            lines.add("  largest at " + where);
            if (finite < all) {
                lines.add("  %,d of %,d are not finite".formatted(all - finite, all));
            }
            return lines;
        }

        Map<String, Object> object() {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("largest", largest);
            object.put("at", at);
            object.put("mean", mean);
            object.put("finite", finite);
            return object;
        }
    }

    private Errors errors(ScalarExecution.Computed computed) {
        ExactScalar exact = ExactScalar.of(execution.instruction());
        double[] ulps = execution.ulps(exact, computed);
        int at = -1;
        int finite = 0;
        double sum = 0;
        for (int i = 0; i < ulps.length; i++) {
            if (!Double.isNaN(ulps[i])) {
                finite++;
                sum += ulps[i];
                at = at < 0 || ulps[i] > ulps[at] ? i : at;
            }
        }
        if (at < 0) {
            return new Errors(0, at, 0, 0, ulps.length, null);
        }
        int perWord = ulps.length / execution.arrays().count();
        double[] operands = execution.operands(exact, at, perWord);
        long code = code(computed, at / perWord) >>> 16 * (at % perWord);
        double result = exact.format().toDouble(perWord == 2 ? code & 0xffff : code);
        double largest = ulps[at] == 0 ? 0 : exact.exactUlps(operands, result);
        String where =
                "%s -> %s, exactly %s"
                        .formatted(
                                element(at / perWord),
                                resultWord(computed, at / perWord),
                                exact.exact(operands).round(new MathContext(20)).toString());
        return new Errors(largest, at, sum / finite, finite, ulps.length, where);
    }

    private int compare(List<String> wheres) {
        List<ScalarExecution.Computed> all = new ArrayList<>();
        for (String where : wheres) {
            all.add(execution.on(where.strip()));
        }
        List<String> lines = new ArrayList<>();
        int differing = 0;
        for (int i = 0; i < execution.arrays().count(); i++) {
            long first = code(all.getFirst(), i);
            int index = i;
            if (all.stream().anyMatch(one -> code(one, index) != first)) {
                differing++;
                if (lines.size() < SHOWN) {
                    List<String> parts = new ArrayList<>();
                    all.forEach(one -> parts.add(one.where() + " " + resultWord(one, index)));
                    lines.add(element(i) + ": " + String.join(", ", parts));
                }
            }
        }
        if (Command.has(given, "--json")) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("opcode", execution.instruction().mnemonic());
            object.put("compared", all.stream().map(ScalarExecution.Computed::where).toList());
            object.put("elements", execution.arrays().count());
            object.put("different", differing);
            object.put("differences", lines);
            out.println(Json.line(object));
        } else {
            out.println(execution.instruction().text());
            all.forEach(one -> out.println("  " + one.where() + ": " + one.evidence()));
            out.println(
                    "%d of %d elements differ".formatted(differing, execution.arrays().count()));
            lines.forEach(line -> out.println("  " + line));
        }
        return differing == 0 ? 0 : 1;
    }
}
