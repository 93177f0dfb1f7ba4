package dev.heddle.cli;

import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.Agreement;
import dev.heddle.vm.launch.BufferType;
import dev.heddle.vm.launch.Expectation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The same launch on two machines, bits side by side.
///
/// Where a launch says what to expect, the buffers it names are its results. Others may differ
/// without fault, such as the order in which CTAs that race for places have put their elements.
///
/// @param first   on one machine
/// @param second  on the other
/// @param buffers how each result compares; empty where one of the two did not come to its end
/// @param aside   other buffers that differ
/// @param printed whether both printed the same
record MachineComparison(
        Execution first,
        Execution second,
        Map<String, Agreement> buffers,
        List<String> aside,
        boolean printed) {

    static MachineComparison of(Execution first, Execution second) {
        Map<String, Agreement> buffers = new LinkedHashMap<>();
        List<String> aside = new ArrayList<>();
        List<String> results =
                first.plan().check().file().expectations().stream()
                        .map(Expectation::buffer)
                        .toList();
        if (first.result().outcome().isClean() && second.result().outcome().isClean()) {
            for (Map.Entry<String, BufferType> buffer : first.plan().check().types().entrySet()) {
                String name = buffer.getKey();
                Outcome one = first.result().outcome();
                Outcome other = second.result().outcome();
                if (one.buffers().containsKey(name) && other.buffers().containsKey(name)) {
                    Agreement agreement =
                            Agreement.ofBits(
                                    buffer.getValue(), one.buffer(name), other.buffer(name));
                    if (results.isEmpty() || results.contains(buffer.getKey())) {
                        buffers.put(buffer.getKey(), agreement);
                    } else if (!agreement.holds()) {
                        aside.add(buffer.getKey());
                    }
                }
            }
        }
        return new MachineComparison(
                first,
                second,
                buffers,
                aside,
                first.result().outcome().output().equals(second.result().outcome().output()));
    }

    /// Whether both came to their end, or neither did.
    boolean comparable() {
        return first.result().outcome().isClean() && second.result().outcome().isClean();
    }

    /// Whether every bit is the same.
    boolean agrees() {
        return printed && comparable() && buffers.values().stream().allMatch(Agreement::holds);
    }

    long elements() {
        return buffers.values().stream().mapToLong(Agreement::elements).sum();
    }

    long different() {
        return buffers.values().stream().mapToLong(Agreement::wrong).sum();
    }

    /// In words, the first differences named.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        String pair = first.result().machine() + " and " + second.result().machine();
        if (!comparable()) {
            lines.add(pair + ": not compared, not both came to their end");
            return lines;
        }
        String names = String.join(", ", buffers.keySet());
        lines.add(
                agrees()
                        ? "%s: every bit is the same, %d elements of %s"
                                .formatted(pair, elements(), names)
                        : "%s: %d of %d elements differ".formatted(pair, different(), elements()));
        buffers.forEach(
                (buffer, agreement) -> {
                    if (!agreement.holds()) {
                        lines.add("  " + buffer + ": " + agreement);
                        agreement
                                .lines(first.result().machine(), second.result().machine())
                                .forEach(line -> lines.add("    " + buffer + line));
                    }
                });
        if (!aside.isEmpty()) {
            lines.add(
                    "  not among the expected buffers, and different: " + String.join(", ", aside));
        }
        if (!printed) {
            lines.add("  what the kernel printed differs:");
            first.result().outcome().output().lines().forEach(line -> lines.add("    < " + line));
            second.result().outcome().output().lines().forEach(line -> lines.add("    > " + line));
        }
        return lines;
    }

    /// For programs.
    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("machines", List.of(first.result().machine(), second.result().machine()));
        object.put("compared", comparable());
        object.put("equal", agrees());
        object.put("elements", elements());
        object.put("different", different());
        object.put("differences", agrees() ? List.of() : lines());
        return object;
    }
}
