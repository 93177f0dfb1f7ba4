package dev.heddle.programs.device;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.report.Suppressions;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What ran in a program, by kernels, and what was found: `--report`.
final class RunReport {
    private final Map<String, Totals> kernels = new LinkedHashMap<>();

    /// Of all launches of a kernel.
    private record Totals(long launches, long instructions, long nanoseconds) {
        Totals plus(Totals other) {
            return new Totals(
                    launches + other.launches,
                    instructions + other.instructions,
                    nanoseconds + other.nanoseconds);
        }
    }

    synchronized void add(Kernel kernel, Report report) {
        kernels.merge(
                kernel.code().name(),
                new Totals(1, report.total(), report.nanoseconds()),
                Totals::plus);
    }

    /// Writes it as JSON.
    synchronized void write(Path file, Findings findings, List<Memory.Allocation> leaks) {
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put(
                "kernels",
                kernels.entrySet().stream()
                        .map(each -> kernel(each.getKey(), each.getValue()))
                        .toList());
        whole.put("findings", findings.all().stream().map(RunReport::finding).toList());
        whole.put("suppressed", findings.passed().stream().map(RunReport::suppressed).toList());
        whole.put("leaks", leaks.stream().map(RunReport::leak).toList());
        try {
            Files.writeString(file, JSON.std.asString(whole) + "\n");
        } catch (IOException e) {
            System.err.println("heddle: " + file + ": cannot be written: " + e.getMessage());
        }
    }

    private static Map<String, Object> kernel(String name, Totals totals) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kernel", name);
        fields.put("launches", totals.launches);
        fields.put("threadInstructions", totals.instructions);
        fields.put("seconds", totals.nanoseconds / 1e9);
        return fields;
    }

    private static Map<String, Object> finding(Findings.Found found) {
        Finding finding = found.finding();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kernel", found.kernel().code().name());
        fields.put("launch", found.launch());
        fields.put("launchedBy", found.place());
        fields.put("outcome", finding.verdict().words());
        fields.put("rule", finding.rule().id());
        fields.put("section", finding.section());
        fields.put("message", finding.message());
        fields.put("count", finding.count());
        if (finding.site() != null) {
            fields.put("ptx", finding.site().position().toString());
            if (finding.site().source() != null) {
                fields.put("source", finding.site().source());
            }
        }
        return fields;
    }

    private static Map<String, Object> suppressed(Suppressions.Suppressed passed) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("suppression", passed.by().text());
        fields.put("rule", passed.finding().rule().id());
        fields.put("message", passed.finding().message());
        fields.put("count", passed.finding().count());
        return fields;
    }

    private static Map<String, Object> leak(Memory.Allocation allocation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("allocation", allocation.buffer().name());
        fields.put("bytes", allocation.buffer().bytes());
        return fields;
    }
}
