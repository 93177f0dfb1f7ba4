package dev.heddle.vm.report;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What ran, for how long, and how faithfully.
///
/// @param nanoseconds wall time of the launch, compilation apart
/// @param instructions how many threads executed each instruction, by opcode and qualifiers
/// @param modelled instructions whose results follow a model within the manual's bound, with the
/// bound; all others are exact
public record Report(
        long nanoseconds, SortedMap<String, Long> instructions, Map<String, String> modelled) {
    public Report {
        instructions = new TreeMap<>(instructions);
        modelled = Map.copyOf(modelled);
    }

    /// Thread-instructions in all.
    public long total() {
        return instructions.values().stream().mapToLong(Long::longValue).sum();
    }
}
