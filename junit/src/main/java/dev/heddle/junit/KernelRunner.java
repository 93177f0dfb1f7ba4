package dev.heddle.junit;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import java.util.List;

/// Runs kernels for a test.
///
/// @param machine they run on
public record KernelRunner(Machine machine) {

    /// Runs a kernel that should come to its end without a finding.
    ///
    /// @throws AssertionError with the finding, its place and cause, where it does not
    /// @throws IllegalArgumentException where the launch does not fit the kernel
    public Outcome run(Kernel kernel, Launch launch) {
        Outcome outcome = machine.run(kernel, launch);
        if (!outcome.isClean()) {
            throw new AssertionError(
                    "on %s:%n%s"
                            .formatted(machine.name(), String.join("\n", texts(kernel, outcome))));
        }
        return outcome;
    }

    /// Runs a kernel that should end with a finding, and returns it.
    ///
    /// @throws AssertionError where it comes to its end
    /// @throws IllegalArgumentException where the launch does not fit the kernel
    public Finding finding(Kernel kernel, Launch launch) {
        Outcome outcome = machine.run(kernel, launch);
        if (outcome.isClean()) {
            throw new AssertionError("on %s: ended without a finding".formatted(machine.name()));
        }
        return outcome.findings().getFirst();
    }

    static List<String> texts(Kernel kernel, Outcome outcome) {
        return outcome.findings().stream()
                .map(finding -> finding.text(kernel.source()::line))
                .toList();
    }
}
