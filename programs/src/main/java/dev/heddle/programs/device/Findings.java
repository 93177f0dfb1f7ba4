package dev.heddle.programs.device;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.HostCode;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Suppression;
import dev.heddle.vm.report.Suppressions;

import java.util.ArrayList;
import java.util.List;

/// What was found in the program's launches, told as it happens.
public final class Findings {
    private final List<Found> all = new ArrayList<>();
    private final List<Suppressions.Suppressed> passed = new ArrayList<>();

    /// A finding.
    ///
    /// @param kernel that was launched
    /// @param launch counts launches from 1
    /// @param from where the host's code launched it: an address behind the call, or 0
    /// @param finding what it did
    public record Found(Kernel kernel, long launch, long from, Finding finding) {
        /// The place in the host's code, empty where it is not known.
        String place() {
            return from == 0 ? "" : HostCode.describe(from);
        }
    }

    synchronized void add(Found found) {
        all.add(found);
        List<String> lines = found.kernel.source().text().lines().toList();
        System.err.printf(
                "heddle: launch %d, kernel %s%s%n%s",
                found.launch,
                found.kernel.code().sourceName(),
                found.from == 0 ? "" : ", launched by " + found.place(),
                found.finding.text(
                        line -> line >= 1 && line <= lines.size() ? lines.get(line - 1) : ""));
    }

    /// Findings that are known.
    synchronized void pass(List<Suppressions.Suppressed> suppressed) {
        passed.addAll(suppressed);
    }

    /// Those that are known.
    synchronized List<Suppressions.Suppressed> passed() {
        return List.copyOf(passed);
    }

    /// Says how many were known, and which lines of the suppression file meant none.
    synchronized void tellSuppressed(Suppressions known) {
        long count = passed.stream().mapToLong(one -> one.finding().count()).sum();
        if (count > 0) {
            System.err.printf("heddle: suppressed: %,d findings%n", count);
        }
        for (Suppression unused : known.unused(passed)) {
            System.err.printf(
                    "heddle: suppression of line %d is not used: %s%n",
                    unused.line(), unused.text());
        }
    }

    /// Says what was never freed.
    static void tellLeaks(List<Memory.Allocation> live) {
        for (Memory.Allocation each : live) {
            System.err.printf(
                    "heddle: leak: %s, %d bytes at 0x%x, was never freed%n",
                    each.buffer().name(), each.buffer().bytes(), each.buffer().address());
        }
    }

    /// All so far.
    public synchronized List<Found> all() {
        return List.copyOf(all);
    }

    /// The error that a GPU would answer, or the nearest there is.
    static int code(Finding finding) {
        return switch (finding.rule()) {
            case ASSERTION_FAILED -> ErrorCode.ASSERT;
            case UNSUPPORTED_INSTRUCTION -> ErrorCode.NOT_SUPPORTED;
            case MEMORY_LIMIT_REACHED -> ErrorCode.LAUNCH_OUT_OF_RESOURCES;
            case MISALIGNED_ACCESS -> ErrorCode.MISALIGNED_ADDRESS;
            case OUT_OF_BOUNDS, USE_AFTER_FREE -> ErrorCode.ILLEGAL_ADDRESS;
            case TIME_LIMIT_REACHED -> ErrorCode.LAUNCH_TIMEOUT;
            default ->
                    finding.verdict() == Verdict.DEADLOCK
                            ? ErrorCode.LAUNCH_TIMEOUT
                            : ErrorCode.LAUNCH_FAILURE;
        };
    }
}
