package dev.heddle.vm.launch;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the launches of a file left on one machine, and how far that is as expected.
///
/// @param check what was run
/// @param machine the name of the machine
/// @param outcome what was left
/// @param agreements how each expected buffer compares; empty where a launch did not come to its
///     end
public record LaunchResult(
        LaunchCheck check, String machine, Outcome outcome, Map<String, Agreement> agreements) {
    public LaunchResult {
        agreements = Collections.unmodifiableMap(new LinkedHashMap<>(agreements));
    }

    /// Everything that is not as it should be, each a message; empty where all is well.
    public List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (Finding finding : outcome.findings()) {
            complaints.add(finding.text(check.kernel().source()::line));
        }
        if (!outcome.isClean()) {
            return complaints;
        }
        for (Expectation expectation : check.file().expectations()) {
            Agreement agreement = agreements.get(expectation.buffer());
            if (agreement != null && !agreement.holds()) {
                complaints.add(
                        "buffer %s is not as %s has it: %s\n  %s"
                                .formatted(
                                        expectation.buffer(),
                                        expectation.file(),
                                        agreement,
                                        String.join("\n  ", agreement.lines("got", "expected"))));
            }
        }
        String stdout = check.file().stdout();
        if (stdout != null && !stdout.equals(outcome.output())) {
            complaints.add(
                    "the kernel printed something else than expected:\n"
                            + outcome.output().indent(2)
                            + "expected:\n"
                            + stdout.indent(2));
        }
        return complaints;
    }

    /// Whether the machine lacks something that a kernel needs: not the kernel's fault.
    public boolean isUnsupported() {
        return outcome.findings().stream()
                .anyMatch(finding -> finding.verdict() == Verdict.UNSUPPORTED);
    }

    /// One word: `ok`, `failed`, `unsupported`.
    public String verdict() {
        return complaints().isEmpty() ? "ok" : isUnsupported() ? "unsupported" : "failed";
    }
}
