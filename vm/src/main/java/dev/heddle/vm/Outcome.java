package dev.heddle.vm;

import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Report;
import java.util.List;
import java.util.Map;

/// What a launch left behind.
///
/// @param findings why it ended early; empty where the kernel ran to its end
/// @param buffers the contents of every named buffer afterwards
/// @param output what the kernel printed, CTA after CTA
/// @param report how long it took, what ran, how faithful it was
public record Outcome(
        List<Finding> findings, Map<String, byte[]> buffers, String output, Report report) {
    public Outcome {
        findings = List.copyOf(findings);
        buffers = Map.copyOf(buffers);
    }

    /// Whether the kernel ran to its end.
    public boolean isClean() {
        return findings.isEmpty();
    }

    /// The contents of a buffer.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public byte[] buffer(String name) {
        byte[] bytes = buffers.get(name);
        if (bytes == null) {
            throw new IllegalArgumentException("no buffer " + name + " among " + buffers.keySet());
        }
        return bytes;
    }
}
