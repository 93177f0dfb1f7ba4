package dev.heddle.cli;

import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.MachineKind;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.launch.Agreement;
import dev.heddle.vm.report.FindingRecord;
import dev.heddle.vm.report.Report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What is said after a launch: time, instructions by kind, fidelity, findings.
final class ClosingReport {
    private static final int KINDS = 6;

    /// A rate says nothing about fewer.
    private static final long FEW = 1_000_000;

    private final Execution execution;
    private final Report report;
    private final Fidelity fidelity;

    ClosingReport(Execution execution) {
        this.execution = execution;
        report = execution.result().outcome().report();
        // A GPU names none, and is what it is.
        fidelity =
                Fidelity.of(
                        report.instructions().keySet(),
                        report.generation().isEmpty()
                                ? Generation.SM_90
                                : Generation.of(report.generation()));
    }

    /// For people.
    ///
    /// @param whole with a line for every instruction
    List<String> lines(boolean whole) {
        List<String> lines = new ArrayList<>();
        lines.add(time());
        if (report.total() > 0) {
            if (whole) {
                lines.addAll(table());
            } else {
                lines.add("instructions: " + kinds());
            }
            lines.add("fidelity: " + fidelity);
            lines.addAll(numerics());
        }
        report.interpreted()
                .forEach(
                        (function, why) ->
                                lines.add(
                                        "slow: %s was interpreted, the compiler could not take it (%s)"
                                                .formatted(function, why)));
        lines.addAll(missing());
        return lines;
    }

    private String time() {
        double seconds = report.nanoseconds() / 1e9;
        if (report.total() == 0) {
            return fixed(seconds, 6) + " s on " + execution.result().machine();
        }
        String counted =
                fixed(seconds, 3)
                        + " s on the "
                        + execution.result().machine()
                        + "; "
                        + grouped(report.total())
                        + " thread-instructions";
        return report.total() < FEW
                ? counted
                : counted
                        + String.format(
                                Locale.ROOT,
                                ", %.3g million a second",
                                report.total() / seconds / 1e6);
    }

    /// Opcodes without qualifiers, most frequent first.
    private String kinds() {
        Map<String, Long> opcodes = new TreeMap<>();
        report.instructions()
                .forEach(
                        (mnemonic, count) ->
                                opcodes.merge(mnemonic.split("[.]", 2)[0], count, Long::sum));
        List<Map.Entry<String, Long>> sorted = sorted(opcodes);
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, Long> opcode : sorted.subList(0, Math.min(KINDS, sorted.size()))) {
            parts.add(opcode.getKey() + " " + share(opcode.getValue()));
        }
        if (sorted.size() > KINDS) {
            parts.add(sorted.size() - KINDS + " more (--report)");
        }
        return String.join(", ", parts);
    }

    private static List<Map.Entry<String, Long>> sorted(Map<String, Long> counts) {
        List<Map.Entry<String, Long>> sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(
                (a, b) -> {
                    int byCount = Long.compare(b.getValue(), a.getValue());
                    return byCount != 0 ? byCount : a.getKey().compareTo(b.getKey());
                });
        return sorted;
    }

    /// A number that is not negative, with so many places behind the point. Not by a format string:
    /// the first of a process reads all there is on locales.
    static String fixed(double number, int places) {
        long unit = 1;
        for (int i = 0; i < places; i++) {
            unit *= 10;
        }
        long units = Math.round(number * unit);
        return units / unit + "." + Long.toString(unit + units % unit).substring(1);
    }

    /// A number with a comma between groups of three digits.
    static String grouped(long number) {
        StringBuilder digits = new StringBuilder(Long.toString(number));
        for (int at = digits.length() - 3; at > (number < 0 ? 1 : 0); at -= 3) {
            digits.insert(at, ',');
        }
        return digits.toString();
    }

    private String share(long count) {
        return fixed(100.0 * count / report.total(), 1) + "%";
    }

    private List<String> table() {
        int width =
                report.instructions().keySet().stream().mapToInt(String::length).max().orElse(0);
        String form = "%15s %7s  %-" + Math.max(11, width) + "s  %s";
        List<String> lines = new ArrayList<>();
        lines.add(form.formatted("executions", "share", "instruction", "fidelity"));
        for (Map.Entry<String, Long> one : sorted(report.instructions())) {
            lines.add(
                    form.formatted(
                            grouped(one.getValue()),
                            share(one.getValue()),
                            one.getKey(),
                            fidelity.of(one.getKey())));
        }
        return lines;
    }

    /// Whose tensor cores it was, and how their arithmetic is known: forms with the same evidence
    /// together.
    private List<String> numerics() {
        Map<String, List<String>> forms = new TreeMap<>();
        report.numerics()
                .forEach(
                        (form, evidence) ->
                                forms.computeIfAbsent(evidence, _ -> new ArrayList<>()).add(form));
        List<String> lines = new ArrayList<>();
        forms.forEach(
                (evidence, those) ->
                        lines.add(
                                "tensor cores: as %s, %s (%s)"
                                        .formatted(
                                                report.generation(), evidence, described(those))));
        return lines;
    }

    private static String described(List<String> forms) {
        return forms.size() == 1
                ? forms.getFirst()
                : "%s and %d more".formatted(forms.getFirst(), forms.size() - 1);
    }

    /// Instructions of the module that the machine does not run, reached or not.
    private List<String> missing() {
        if (!execution.result().machine().equals(MachineKind.INTERPRETER.word())
                && !execution.result().machine().equals(MachineKind.COMPILER.word())) {
            return List.of();
        }
        Map<String, Integer> lines = unsupported(execution.plan().kernel());
        List<String> parts = new ArrayList<>();
        lines.forEach((mnemonic, line) -> parts.add(mnemonic + " (line " + line + ")"));
        return parts.isEmpty()
                ? List.of()
                : List.of(
                        "unsupported here, in what the kernels call: " + String.join(", ", parts));
    }

    private static Map<String, Integer> unsupported(Kernel kernel) {
        Map<String, Integer> lines = new TreeMap<>();
        for (Code code : kernel.program().codes()) {
            for (Block block : code.blocks()) {
                for (Step step : block.steps()) {
                    if (step instanceof Step.Unsupported) {
                        lines.putIfAbsent(step.site().mnemonic(), step.site().position().line());
                    }
                }
            }
        }
        return lines;
    }

    /// For programs.
    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("launch", execution.plan().name());
        object.put("kernel", execution.plan().kernel().code().name());
        object.put(
                "kernels",
                execution.plan().check().launches().stream()
                        .map(one -> one.kernel().code().name())
                        .toList());
        object.put("machine", execution.result().machine());
        object.put("ok", execution.result().complaints().isEmpty());
        object.put("verdict", execution.result().verdict());
        object.put("complaints", execution.result().complaints());
        object.put(
                "findings",
                execution.result().outcome().findings().stream()
                        .map(finding -> FindingRecord.of(finding).json())
                        .toList());
        object.put(
                "warnings",
                execution.result().outcome().warnings().stream()
                        .map(warning -> FindingRecord.of(warning).json())
                        .toList());
        object.put(
                "suppressed",
                execution.result().outcome().found().suppressed().stream()
                        .map(FindingRecord::suppressed)
                        .toList());
        object.put("omitted", execution.result().outcome().found().omitted());
        object.put("stdout", execution.result().outcome().output());
        object.put("buffers", buffers());
        object.put("seconds", report.nanoseconds() / 1e9);
        object.put("thread_instructions", report.total());
        object.put("instructions", report.instructions());
        object.put("fidelity", fidelity.toString());
        object.put("assumed", fidelity.assumed());
        object.put("arch", report.generation());
        object.put("numerics", report.numerics());
        object.put("interpreted", report.interpreted());
        object.put("unsupported", unsupported(execution.plan().kernel()));
        if (execution.advice() != null) {
            object.put("advice", execution.advice().json());
        }
        return object;
    }

    private Map<String, Object> buffers() {
        Map<String, Object> object = new LinkedHashMap<>();
        execution.result().agreements().forEach((buffer, one) -> object.put(buffer, json(one)));
        return object;
    }

    private static Map<String, Object> json(Agreement one) {
        return Map.of("elements", one.elements(), "equal", one.equal(), "wrong", one.wrong());
    }
}
