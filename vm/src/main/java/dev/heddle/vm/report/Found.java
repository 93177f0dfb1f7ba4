package dev.heddle.vm.report;

import dev.heddle.isa.rule.Verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// All that was found in a launch, or in several.
///
/// @param findings each kind once, in the order of the CTAs; one, unless all are wanted
/// @param warnings what ended nothing, each kind once, in the order of the instructions
/// @param suppressed those that were passed over, each kind once
/// @param omitted how many findings were of more kinds than are kept
/// @param complete whether every CTA came to its end
public record Found(
        List<Finding> findings,
        List<Finding> warnings,
        List<Suppressions.Suppressed> suppressed,
        long omitted,
        boolean complete) {
    /// Nothing.
    public static final Found NOTHING = new Found(List.of(), List.of(), List.of(), 0, true);

    public Found {
        findings = List.copyOf(findings);
        warnings = List.copyOf(warnings);
        suppressed = List.copyOf(suppressed);
    }

    /// Findings that ended a launch.
    public static Found ending(List<Finding> findings) {
        return new Found(findings, List.of(), List.of(), 0, findings.isEmpty());
    }

    /// The errors that are told, and those that are not.
    public Stream<Finding> all() {
        return Stream.concat(
                findings.stream(), suppressed.stream().map(Suppressions.Suppressed::finding));
    }

    /// Whether a limit has ended it.
    public boolean isCut() {
        return findings.stream().anyMatch(one -> one.verdict() == Verdict.RESOURCE_EXHAUSTED);
    }

    /// The same with a note at each error and warning.
    public Found noting(Finding.Note note) {
        return new Found(
                findings.stream().map(one -> one.with(note)).toList(),
                warnings.stream().map(one -> one.with(note)).toList(),
                suppressed,
                omitted,
                complete);
    }

    /// This and what a later launch found.
    public Found and(Found later) {
        List<Finding> both = new ArrayList<>(findings);
        both.addAll(later.findings);
        List<Finding> warned = new ArrayList<>(warnings);
        warned.addAll(later.warnings);
        List<Suppressions.Suppressed> passed = new ArrayList<>(suppressed);
        passed.addAll(later.suppressed);
        return new Found(both, warned, passed, omitted + later.omitted, complete && later.complete);
    }
}
