package dev.heddle.cli;

import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Generation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
        object.put("steps", function.steps());
        object.put("evidence", evidence);
        return object;
    }
}
