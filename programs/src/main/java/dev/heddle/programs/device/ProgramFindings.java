package dev.heddle.programs.device;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.HostCall;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.FindingLog;
import dev.heddle.vm.report.FindingRecord;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import tools.jackson.jr.ob.JSON;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// What was found in the program's launches, told as it happens.
public final class ProgramFindings {
    private final List<Found> all = new ArrayList<>();
    private final List<Suppressions.Suppressed> passed = new ArrayList<>();
    private final List<Found> warnings = new ArrayList<>();
    private final Set<List<Object>> warned = new HashSet<>();
    private final boolean json;
    private final Suppressions known;
    private long omitted;

    /// Nothing yet.
    ///
    /// @param json whether each is told as a line of JSON
    /// @param known what is passed over
    ProgramFindings(boolean json, Suppressions known) {
        this.json = json;
        this.known = known;
    }

    /// A finding.
    ///
    /// @param origin the work that it was found in
    /// @param finding what it did
    record Found(Origin origin, Finding finding) {
        /// For people.
        String text() {
            return "heddle: %s%n%s".formatted(origin.whole(), finding.text(origin::line));
        }

        /// With the host's call as a note.
        FindingRecord recorded() {
            FindingRecord plain = FindingRecord.of(finding);
            HostCall from = origin.from();
            return from.equals(HostCall.UNKNOWN)
                    ? plain
                    : plain.with(
                            new FindingRecord.Note(
                                    origin.verb() + " by " + from.function(),
                                    new FindingRecord.Place(null, from.source())));
        }

        /// For programs.
        Map<String, Object> json() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("launch", origin.launch());
            fields.put("kernel", origin.kernel());
            fields.put("launched_by", origin.from().toString());
            fields.putAll(recorded().json());
            return fields;
        }
    }

    synchronized void add(Found found) {
        all.add(found);
        tell(found);
    }

    /// Something that was found in work of the host's, unless it is known.
    void tell(Origin origin, Finding finding) {
        FindingLog log = new FindingLog(new Reporting(Reporting.Scope.ALL, known), origin.kernel());
        log.tell(
                0,
                finding.rule(),
                finding.site(),
                finding.otherSite(),
                () -> new KernelFault(finding));
        dev.heddle.vm.report.Found found = log.found();
        found.findings().forEach(each -> add(new Found(origin, each)));
        found.warnings().forEach(each -> warn(origin.from(), () -> origin, each));
        pass(found.suppressed(), found.omitted());
    }

    /// What deserves a look and ends nothing: told once for each place.
    ///
    /// @param of what the place is in: a kernel's code, or a call of the host
    synchronized void warn(Object of, Supplier<Origin> origin, Finding warning) {
        if (warned.add(List.of(warning.rule(), String.valueOf(warning.site()), of))) {
            Found found = new Found(origin.get(), warning);
            warnings.add(found);
            tell(found);
        }
    }

    /// What deserves a look so far.
    synchronized List<Found> warnings() {
        return List.copyOf(warnings);
    }

    private void tell(Found found) {
        System.err.print(json ? JSON.std.asString(found.json()) + "\n" : found.text());
    }

    /// What a launch found and is not told: what is known, and what is of too many kinds.
    synchronized void pass(List<Suppressions.Suppressed> suppressed, long more) {
        passed.addAll(suppressed);
        omitted += more;
    }

    /// The loop of a graph took as long as a launch may.
    ///
    /// @return the error that the device has from now on
    int late(Origin origin, int seconds) {
        Rule rule = Rule.TIME_LIMIT_REACHED;
        Finding finding =
                new Finding(
                        rule,
                        rule.section(),
                        null,
                        "the while loop of a graph has not ended within %d s".formatted(seconds),
                        null,
                        List.of(new Finding.Note(null, "--timeout says how long it may take")));
        add(new Found(origin, finding));
        return code(finding);
    }

    /// How many are neither told nor known.
    synchronized long omitted() {
        return omitted;
    }

    /// Those that are known.
    synchronized List<Suppressions.Suppressed> passed() {
        return List.copyOf(passed);
    }

    /// All so far.
    synchronized List<Found> all() {
        return List.copyOf(all);
    }

    /// The error that a GPU would answer, or the nearest there is.
    static int code(Finding finding) {
        return switch (finding.rule()) {
            case ASSERTION_FAILED -> ErrorCode.ASSERT;
            case UNSUPPORTED_INSTRUCTION -> ErrorCode.NOT_SUPPORTED;
            case MEMORY_LIMIT_REACHED -> ErrorCode.LAUNCH_OUT_OF_RESOURCES;
            case MISALIGNED_ACCESS -> ErrorCode.MISALIGNED_ADDRESS;
            case OUT_OF_BOUNDS, USE_AFTER_FREE, SURFACE_TRAP -> ErrorCode.ILLEGAL_ADDRESS;
            case TIME_LIMIT_REACHED -> ErrorCode.LAUNCH_TIMEOUT;
            default ->
                    finding.verdict() == Verdict.DEADLOCK
                            ? ErrorCode.LAUNCH_TIMEOUT
                            : ErrorCode.LAUNCH_FAILURE;
        };
    }
}
