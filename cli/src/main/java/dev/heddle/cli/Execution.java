package dev.heddle.cli;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.Agreement;
import dev.heddle.vm.launch.Expectation;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Verdict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One launch on one machine, and how far it came out as expected.
///
/// @param plan       what was launched
/// @param machine    the name of the machine
/// @param outcome    what it left
/// @param agreements how each expected buffer compares
/// @param complaints everything that is not as it should be, each a message
record Execution(
        LaunchPlan plan,
        String machine,
        Outcome outcome,
        Map<String, Agreement> agreements,
        List<String> complaints) {

    static Execution run(LaunchPlan plan, Machine machine, Observer observer) throws IOException {
        Kernel kernel = plan.kernel();
        Launch launch = plan.file().launch();
        // A trace follows one CTA after the other.
        Outcome outcome =
                machine.run(
                        kernel,
                        observer.steps() == null ? launch : launch.withThreads(1),
                        observer);
        List<String> complaints = new ArrayList<>();
        for (Finding finding : outcome.findings()) {
            complaints.add(finding.text(kernel.source()::line));
        }
        Map<String, Agreement> agreements = new LinkedHashMap<>();
        if (outcome.isClean()) {
            compare(plan, outcome, agreements, complaints);
        }
        return new Execution(plan, machine.name(), outcome, agreements, complaints);
    }

    private static void compare(
            LaunchPlan plan,
            Outcome outcome,
            Map<String, Agreement> agreements,
            List<String> complaints)
            throws IOException {
        for (Expectation expectation : plan.file().expectations()) {
            String buffer = expectation.buffer();
            Agreement agreement =
                    expectation.compare(outcome.buffer(buffer), plan.expected(expectation));
            agreements.put(buffer, agreement);
            if (!agreement.holds()) {
                complaints.add(
                        "buffer %s is not as %s has it: %s\n  %s"
                                .formatted(
                                        buffer,
                                        expectation.file(),
                                        agreement,
                                        String.join("\n  ", agreement.lines("got", "expected"))));
            }
        }
        String stdout = plan.file().stdout();
        if (stdout != null && !stdout.equals(outcome.output())) {
            complaints.add(
                    "the kernel printed something else than expected:\n"
                            + outcome.output().indent(2)
                            + "expected:\n"
                            + stdout.indent(2));
        }
    }

    /// Whether the machine lacks something that the kernel needs: not the kernel's fault.
    boolean unsupported() {
        return outcome.findings().stream()
                .anyMatch(finding -> finding.verdict() == Verdict.UNSUPPORTED);
    }

    /// One word: `ok`, `failed`, `unsupported`.
    String verdict() {
        return complaints.isEmpty() ? "ok" : unsupported() ? "unsupported" : "failed";
    }

    /// `d 4096/4096` for each buffer that was compared.
    String counts() {
        List<String> parts = new ArrayList<>();
        agreements.forEach(
                (buffer, agreement) ->
                        parts.add(
                                buffer
                                        + " "
                                        + agreement.equal()
                                        + "/"
                                        + agreement.elements()
                                        + (agreement.holds() ? "" : " wrong")));
        return String.join(", ", parts);
    }
}
