package dev.heddle.cli;

import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.Agreement;
import dev.heddle.vm.launch.LaunchResult;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One launch file on one machine.
///
/// @param plan   what was launched
/// @param result what it left, and how far that is as expected
record Execution(LaunchPlan plan, LaunchResult result) {
    String machine() {
        return result.machine();
    }

    Outcome outcome() {
        return result.outcome();
    }

    Map<String, Agreement> agreements() {
        return result.agreements();
    }

    List<String> complaints() {
        return result.complaints();
    }

    String verdict() {
        return result.verdict();
    }

    /// `d 4096/4096` for each buffer that was compared.
    String counts() {
        List<String> parts = new ArrayList<>();
        agreements()
                .forEach(
                        (buffer, agreement) ->
                                parts.add(
                                        "%s %d/%d%s"
                                                .formatted(
                                                        buffer,
                                                        agreement.equal(),
                                                        agreement.elements(),
                                                        agreement.holds() ? "" : " wrong")));
        return String.join(", ", parts);
    }
}
