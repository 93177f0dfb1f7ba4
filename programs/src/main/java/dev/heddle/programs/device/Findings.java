package dev.heddle.programs.device;

import dev.heddle.programs.ErrorCode;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Verdict;

import java.util.ArrayList;
import java.util.List;

/// What was found in the program's launches, told as it happens.
public final class Findings {
    private final List<Found> all = new ArrayList<>();

    /// A finding.
    ///
    /// @param kernel that was launched
    /// @param launch counts launches from 1
    /// @param finding what it did
    public record Found(Kernel kernel, long launch, Finding finding) {}

    synchronized void add(Found found) {
        all.add(found);
        List<String> lines = found.kernel.source().text().lines().toList();
        System.err.printf(
                "heddle: launch %d, kernel %s%n%s",
                found.launch,
                found.kernel.code().name(),
                found.finding.text(
                        line -> line >= 1 && line <= lines.size() ? lines.get(line - 1) : ""));
    }

    /// All so far.
    public synchronized List<Found> all() {
        return List.copyOf(all);
    }

    /// The error that a GPU would answer, or the nearest there is.
    static int code(Finding finding) {
        return switch (finding.verdict()) {
            case ASSERTION_FAILED -> ErrorCode.ASSERT;
            case TRAP -> ErrorCode.LAUNCH_FAILURE;
            case UNSUPPORTED -> ErrorCode.NOT_SUPPORTED;
            case DEADLOCK -> ErrorCode.LAUNCH_TIMEOUT;
            case RESOURCE_EXHAUSTED ->
                    finding.message().contains("ran for more than")
                            ? ErrorCode.LAUNCH_TIMEOUT
                            : ErrorCode.LAUNCH_OUT_OF_RESOURCES;
            case UNDEFINED_BEHAVIOR ->
                    switch (finding.rule()) {
                        case "access-aligned" -> ErrorCode.MISALIGNED_ADDRESS;
                        case "access-inside-a-buffer", "access-of-live-memory" ->
                                ErrorCode.ILLEGAL_ADDRESS;
                        default -> ErrorCode.LAUNCH_FAILURE;
                    };
        };
    }

    /// Whether the kernel is to blame.
    static boolean isBug(Finding finding) {
        return finding.verdict() != Verdict.UNSUPPORTED;
    }
}
