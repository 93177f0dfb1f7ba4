package dev.heddle.cli;

import dev.heddle.vm.advice.Advice;
import dev.heddle.vm.launch.LaunchResult;
import dev.heddle.vm.report.FindingLog;
import dev.heddle.vm.report.Found;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// One launch file on one machine.
///
/// @param plan   what was launched
/// @param result what it left, and how far that is as expected
/// @param advice what it cost, or null where nobody asked
record Execution(LaunchPlan plan, LaunchResult result, @Nullable Advice advice) {
    private static final int MOST_ADVICE = 20;

    /// What was found and is not told: `suppressed: 64 findings, by line 2`.
    List<String> omissions() {
        Found found = result.outcome().found();
        List<String> lines = new ArrayList<>();
        long passed = found.suppressed().stream().mapToLong(one -> one.finding().count()).sum();
        if (passed > 0) {
            String by =
                    found.suppressed().stream()
                            .map(one -> String.valueOf(one.by().line()))
                            .distinct()
                            .collect(Collectors.joining(", "));
            lines.add(
                    "suppressed: %,d finding%s, by line %s"
                            .formatted(passed, passed == 1 ? "" : "s", by));
        }
        if (found.omitted() > 0) {
            lines.add(
                    "%,d findings of other kinds are not told: only the first %d kinds are"
                            .formatted(found.omitted(), FindingLog.MOST));
        }
        return lines;
    }

    /// What deserves a look and has ended nothing.
    List<String> warnings() {
        return result.outcome().warnings().stream()
                .map(warning -> warning.text(plan.kernel().source()::line))
                .toList();
    }

    /// What is worth a look, where that was asked for.
    List<String> advised() {
        if (advice == null) {
            return List.of();
        }
        List<String> lines = advice.lines();
        if (lines.isEmpty()) {
            return List.of("advice: nothing to say");
        }
        List<String> some = new ArrayList<>(lines.subList(0, Math.min(MOST_ADVICE, lines.size())));
        if (lines.size() > MOST_ADVICE) {
            some.add("advice: %d more; --json has all".formatted(lines.size() - MOST_ADVICE));
        }
        return some;
    }

    /// `d 4096/4096` for each buffer that was compared.
    String counts() {
        List<String> parts = new ArrayList<>();
        result.agreements()
                .forEach(
                        (buffer, one) -> {
                            String wrong = one.holds() ? "" : " wrong";
                            parts.add(
                                    "%s %d/%d%s"
                                            .formatted(buffer, one.equal(), one.elements(), wrong));
                        });
        return String.join(", ", parts);
    }
}
