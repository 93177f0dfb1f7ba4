package dev.heddle.vm.report;

import java.util.SortedMap;
import java.util.TreeMap;

/// What ran, and for how long.
///
/// @param nanoseconds wall time of the launch, compilation apart
/// @param instructions how many threads executed each instruction, by opcode and qualifiers
/// @param generation whose tensor cores computed the matrix products (`sm_90`); empty where a
/// device did
/// @param numerics the matrix products that ran, with the evidence for their arithmetic
/// @param interpreted functions that the compiler left to the interpreter, and why
public record Report(
        long nanoseconds,
        SortedMap<String, Long> instructions,
        String generation,
        SortedMap<String, String> numerics,
        SortedMap<String, String> interpreted) {
    /// Of a launch that did not run.
    public static final Report EMPTY = ofDevice(0);

    public Report {
        instructions = new TreeMap<>(instructions);
        numerics = new TreeMap<>(numerics);
        interpreted = new TreeMap<>(interpreted);
    }

    /// Of a launch on a device, which does not count instructions.
    public static Report ofDevice(long nanoseconds) {
        return new Report(nanoseconds, new TreeMap<>(), "", new TreeMap<>(), new TreeMap<>());
    }

    /// Thread-instructions in all.
    public long total() {
        return instructions.values().stream().mapToLong(Long::longValue).sum();
    }
}
