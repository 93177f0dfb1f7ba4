package dev.heddle.vm;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.memory.MemorySnapshot;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.FindingLog;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The second run of a launch that was stopped by a value that nothing defines: such a value
/// matters only where something depends on it, and a slower executor follows it to there.
final class FollowedValues {
    static final VirtualMachine.ExecutorSource EXECUTORS =
            (kernel, observer) -> Interpreter.followingValues();

    static final VirtualMachine.Manner MANNER = VirtualMachine.Manner.of(EXECUTORS);

    private static final Set<Rule> OF_VALUES =
            Set.of(
                    Rule.UNINITIALIZED_READ,
                    Rule.UNINITIALIZED_REGISTER,
                    Rule.DIVISION_BY_ZERO,
                    Rule.SHUFFLE_FROM_ABSENT_LANE,
                    Rule.DATA_RACE,
                    Rule.NON_COHERENT_READ,
                    Rule.CP_ASYNC_READ_BEFORE_WAIT);

    /// What is no error as long as nothing depends on the value. What else the first run found is
    /// one all the same, if a harmless one.
    private static final Set<Rule> HARMLESS_IF_UNUSED =
            Set.of(
                    Rule.UNINITIALIZED_READ,
                    Rule.UNINITIALIZED_REGISTER,
                    Rule.DIVISION_BY_ZERO,
                    Rule.SHUFFLE_FROM_ABSENT_LANE);

    private static final String UNSEEN = ": whether anything depends on it was not seen until then";

    private FollowedValues() {}

    /// What becomes of values that nothing defines where no second run is possible: whether they
    /// matter is not seen.
    ///
    /// @param by what runs it; one that follows values leaves no doubts
    /// @param before what the launch goes back to for its second run, or null where it has none
    static FindingLog.Doubts doubts(
            VirtualMachine.ExecutorSource by, @Nullable MemorySnapshot before) {
        return rule ->
                !by.equals(EXECUTORS)
                                && before != null
                                && OF_VALUES.contains(rule)
                                && !before.want()
                                && HARMLESS_IF_UNUSED.contains(rule)
                        ? Rule.UNFOLLOWED_VALUE
                        : null;
    }

    /// Whether a second run may have another outcome.
    static boolean mayExcuse(Outcome first, KernelLaunch launch) {
        return launch.launch().checks().contains(RuleGroup.DEFINEDNESS)
                && first.found().all().anyMatch(finding -> isOfValue(finding.rule(), launch));
    }

    /// A load behind the end of a shared variable finds a value, too: one that nobody wrote.
    private static boolean isOfValue(Rule rule, KernelLaunch launch) {
        return OF_VALUES.contains(rule)
                || rule == Rule.OUT_OF_BOUNDS && !launch.kernel().code().gaps().isEmpty();
    }

    /// The launch of the second run. One worker runs its CTAs in their order: which of them meets
    /// what another did, and is named, does not depend on how many workers there are.
    static Launch again(Launch launch) {
        return launch.withThreads(1);
    }

    /// The outcome of both runs: that of the second. Where it did not come to its end, nobody knows
    /// whether anything depends on the value: that is told beside the limit.
    static Outcome judge(Outcome first, Outcome followed) {
        if (!followed.found().isCut()) {
            return followed;
        }
        boolean isUndecided =
                first.found().all().allMatch(one -> HARMLESS_IF_UNUSED.contains(one.rule()));
        return isUndecided ? undecided(first, followed) : first;
    }

    private static Outcome undecided(Outcome first, Outcome followed) {
        List<Finding.Note> told =
                first.findings().stream()
                        .map(one -> new Finding.Note(one.site(), one.message() + UNSEEN))
                        .toList();
        return followed.with(
                followed.findings().stream()
                        .map(
                                one ->
                                        one.with(
                                                Stream.concat(one.notes().stream(), told.stream())
                                                        .toList()))
                        .toList());
    }
}
