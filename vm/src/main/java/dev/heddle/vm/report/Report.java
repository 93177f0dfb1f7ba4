package dev.heddle.vm.report;

import java.util.List;
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

    /// Several launches of one module as one.
    public static Report sum(List<Report> reports) {
        if (reports.size() == 1) {
            return reports.getFirst();
        }
        long nanoseconds = 0;
        String generation = "";
        SortedMap<String, Long> instructions = new TreeMap<>();
        SortedMap<String, String> numerics = new TreeMap<>();
        SortedMap<String, String> interpreted = new TreeMap<>();
        for (Report report : reports) {
            nanoseconds += report.nanoseconds;
            generation = report.generation;
            report.instructions.forEach(
                    (mnemonic, count) -> instructions.merge(mnemonic, count, Long::sum));
            numerics.putAll(report.numerics);
            interpreted.putAll(report.interpreted);
        }
        return new Report(nanoseconds, instructions, generation, numerics, interpreted);
    }

    /// Thread-instructions in all.
    public long total() {
        return instructions.values().stream().mapToLong(Long::longValue).sum();
    }
}
