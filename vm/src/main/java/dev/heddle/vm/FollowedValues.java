package dev.heddle.vm;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.interpreter.Interpreter;

import java.util.Set;

/// The second run of a launch that was stopped by a value that nothing defines: such a value
/// matters only where something depends on it, and a slower executor follows it to there.
final class FollowedValues {
    static final VirtualMachine.ExecutorSource EXECUTORS =
            (kernel, observer) -> Interpreter.followingValues();

    private static final Set<Rule> OF_VALUES =
            Set.of(
                    Rule.UNINITIALIZED_READ,
                    Rule.UNINITIALIZED_REGISTER,
                    Rule.DIVISION_BY_ZERO,
                    Rule.SHUFFLE_FROM_ABSENT_LANE,
                    Rule.DATA_RACE,
                    Rule.NON_COHERENT_READ,
                    Rule.CP_ASYNC_READ_BEFORE_WAIT);

    private FollowedValues() {}

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

    /// The outcome of both runs: that of the second, unless it did not come to its end.
    static Outcome judge(Outcome first, Outcome followed) {
        return isCut(followed) ? first : followed;
    }

    static boolean isCut(Outcome followed) {
        return followed.findings().stream()
                .anyMatch(finding -> finding.verdict() == Verdict.RESOURCE_EXHAUSTED);
    }
}
