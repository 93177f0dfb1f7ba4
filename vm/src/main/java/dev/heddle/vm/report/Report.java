package dev.heddle.vm.report;

import java.util.SortedMap;
import java.util.TreeMap;

/// What ran, and for how long.
///
/// @param nanoseconds wall time of the launch, compilation apart
/// @param instructions how many threads executed each instruction, by opcode and qualifiers
public record Report(long nanoseconds, SortedMap<String, Long> instructions) {
    public Report {
        instructions = new TreeMap<>(instructions);
    }

    /// Thread-instructions in all.
    public long total() {
        return instructions.values().stream().mapToLong(Long::longValue).sum();
    }
}
