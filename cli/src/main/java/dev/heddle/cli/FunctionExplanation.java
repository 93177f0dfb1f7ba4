package dev.heddle.cli;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound;
import dev.heddle.tensorcore.functions.LargestError;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Generation;

import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// An approximate function in words: what the manual allows, what it is on the machine, and how
/// that is known.
///
/// @param function the form
record FunctionExplanation(ApproximateFunction function) {

    /// The explanation for people.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(function.opcode());
        lines.add("  an approximate function; PTX ISA " + function.section());
        if (function.bounds().isEmpty()) {
            lines.add("  the manual states no error bound");
        }
        for (ErrorBound bound : function.bounds()) {
            lines.add("  the manual allows: " + bound);
        }
        largest(lines);
        lines.add("  on sm_90: " + function.steps());
        lines.add("");
        lines.add("  fidelity on sm_90: exact");
        for (Generation generation : Generation.values()) {
            for (Evidence evidence : function.evidence(generation)) {
                lines.add("  %s: %s".formatted(generation, evidence));
            }
        }
        return lines;
    }

    /// What was found, and where.
    private void largest(List<String> lines) {
        List<LargestError> errors = LargestError.of(function);
        if (errors.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("  largest errors, of " + errors.getFirst().examined());
        for (LargestError error : errors) {
            lines.add("    %s, %s%s".formatted(size(error), error.inputs(), verdict(error)));
            lines.add("      at " + place(error));
        }
        lines.add("");
    }

    /// What is said where the machine itself does not keep to the manual.
    private static String verdict(LargestError error) {
        return error.exceeds() ? ": MORE than the manual allows" : "";
    }

    /// `2.055 ulp (2 from the correctly rounded result)`, `relative error 2^-22.90`.
    private static String size(LargestError error) {
        double largest = error.largest();
        String power = "2^%.2f".formatted(Math.log(largest) / Math.log(2));
        if (error.measure() != ErrorBound.Measure.ULPS) {
            return error.measure() + " " + (largest == 0 ? "0" : power);
        }
        return largest < 1000
                ? "%.4f ulp (%d from the correctly rounded result)"
                        .formatted(largest, (int) Math.floor(largest + 0.5))
                : power + " ulp";
    }

    private static String place(LargestError error) {
        List<String> operands = new ArrayList<>();
        for (long operand : error.operands()) {
            operands.add(value(error, operand));
        }
        String exact =
                LargestError.exact(error.function(), error.operands())
                        .round(new MathContext(12))
                        .toString();
        return "%s: %s, exactly %s"
                .formatted(String.join(" / ", operands), value(error, error.result()), exact);
    }

    private static String value(LargestError error, long word) {
        FloatFormat format = error.function().format();
        double value = format.toDouble(word);
        return "0x%s (%s)"
                .formatted(
                        error.hex(word),
                        format == FloatFormat.F64
                                ? Double.toString(value)
                                : Float.toString((float) value));
    }

    /// The explanation for programs.
    Map<String, Object> object() {
        Map<String, Object> evidence = new LinkedHashMap<>();
        for (Generation generation : Generation.values()) {
            evidence.put(
                    generation.toString(),
                    function.evidence(generation).stream().map(Evidence::toString).toList());
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("opcode", function.opcode());
        object.put("section", function.section());
        object.put("bounds", function.bounds().stream().map(ErrorBound::toString).toList());
        object.put("largest", LargestError.of(function).stream().map(this::object).toList());
        object.put("steps", function.steps());
        object.put("evidence", evidence);
        return object;
    }

    private Map<String, Object> object(LargestError error) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("measure", error.measure().name().toLowerCase(Locale.ROOT));
        object.put("inputs", error.inputs().toString());
        object.put("error", error.largest());
        object.put("exceedsManual", error.exceeds());
        object.put("operands", error.operands().stream().map(error::hex).toList());
        object.put("result", error.hex(error.result()));
        object.put("examined", error.examined());
        return object;
    }
}
