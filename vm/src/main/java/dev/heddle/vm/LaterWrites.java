package dev.heddle.vm;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The third run of a launch that a read of what nobody had written has ended: who writes there
/// later, and nothing orders the two. Mostly a barrier is missing, and the reader came first.
final class LaterWrites {
    /// The run goes on behind the finding for as long as it took to get there, and so many steps:
    /// the other warps of a CTA have mostly written by then.
    private static final long MORE_STEPS = 1 << 20;

    private LaterWrites() {}

    /// Whether a launch may be ended by what this run explains.
    private static boolean mayExplain(Launch launch) {
        return launch.reporting().scope() == Reporting.Scope.FIRST
                && launch.checks().contains(RuleGroup.RACES);
    }

    /// The outcome, with a note that names the write if this run finds one.
    ///
    /// @param outcome of the second run
    /// @param launch that may be explained
    /// @param third runs the launch once more, as it is told
    static Outcome explained(
            Outcome outcome, Launch launch, Function<UnaryOperator<Launch>, Outcome> third) {
        if (!mayExplain(launch) || read(outcome) == null) {
            return outcome;
        }
        try (Outcome all = third.apply(again -> again(again, outcome))) {
            return explain(outcome, all);
        }
    }

    private static @Nullable Finding read(Outcome outcome) {
        for (Finding finding : outcome.findings()) {
            if (finding.rule() == Rule.UNINITIALIZED_READ) {
                return finding;
            }
        }
        return null;
    }

    /// The launch of the third run.
    ///
    /// @param launch of the second
    /// @param outcome of the second
    private static Launch again(Launch launch, Outcome outcome) {
        long steps = 2 * outcome.report().total() + MORE_STEPS;
        Launch.Bounds limits = launch.limits();
        return launch.withLimits(limits.withSteps(Math.min(limits.steps(), steps)))
                .reporting(new Reporting(Reporting.Scope.ALL, Suppressions.NONE));
    }

    /// The outcome with a note that names the write.
    ///
    /// @param outcome of the second run
    /// @param all of the third
    private static Outcome explain(Outcome outcome, Outcome all) {
        Finding read = read(outcome);
        for (Finding race : all.findings()) {
            if (read != null
                    && race.rule() == Rule.DATA_RACE
                    && read.site() != null
                    && read.site().equals(race.otherSite())) {
                return outcome.with(
                        outcome.findings().stream()
                                .map(one -> one.equals(read) ? withWrite(read, race) : one)
                                .toList());
            }
        }
        return outcome;
    }

    private static Finding withWrite(Finding read, Finding race) {
        List<Finding.Note> notes = new ArrayList<>();
        notes.add(new Finding.Note(race.site(), "written only later: " + race.message()));
        notes.addAll(read.notes());
        return read.with(notes);
    }
}
