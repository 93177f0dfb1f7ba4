package dev.heddle.cli;

import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Generation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// How far the results of a launch are those of a GPU of some generation: exact, but for
/// instructions whose bits nobody has compared with one.
///
/// @param assumed what is taken for granted, by instruction
record Fidelity(SortedMap<String, String> assumed) {

    /// @param instructions opcodes with their qualifiers
    static Fidelity of(Collection<String> instructions, Generation generation) {
        SortedMap<String, String> assumed = new TreeMap<>();
        for (String instruction : instructions) {
            ApproximateFunction.of(instruction)
                    .map(function -> assumed(function, generation))
                    .filter(words -> !words.isEmpty())
                    .ifPresent(words -> assumed.put(instruction, words));
        }
        return new Fidelity(assumed);
    }

    private static String assumed(ApproximateFunction function, Generation generation) {
        return function.evidence(generation).stream()
                .filter(Evidence.Assumed.class::isInstance)
                .map(Evidence::toString)
                .collect(Collectors.joining("; "));
    }

    /// The fidelity of one instruction.
    String of(String instruction) {
        return assumed.getOrDefault(instruction, "exact");
    }

    /// `exact`, or `exact but for` and the instructions with what is assumed of them.
    @Override
    public String toString() {
        if (assumed.isEmpty()) {
            return "exact";
        }
        List<String> parts = new ArrayList<>();
        assumed.forEach((instruction, words) -> parts.add(instruction + " (" + words + ")"));
        return "exact but for " + String.join(", ", parts);
    }
}
