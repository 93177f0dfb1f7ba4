package dev.heddle.vm;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.FenceRestriction;
import dev.heddle.vm.ir.PerProgram;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.RestrictedFences;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.shadow.OrderedMemory;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Further runs of a launch with fences that order only some operations (PTX ISA 9.7.13.4). In the
/// first they count as fences of all: what races then races in any case. Each further run looks at
/// some memory, with the fences that order accesses there.
///
/// @param memories that these look at, in order
record RestrictedRuns(RestrictedFences fences, List<OrderedMemory> memories) {
    private static final Set<RuleGroup> CHECKS =
            EnumSet.of(RuleGroup.RACES, RuleGroup.ASYNC, RuleGroup.DEFINEDNESS);

    /// What is told where accesses are in no order, or in one that no proxy fence is a part of.
    private static final Set<Rule> OF_ORDER =
            EnumSet.of(
                    Rule.DATA_RACE,
                    Rule.ASYNC_READ_BEFORE_COMPLETION,
                    Rule.ASYNC_WRITE_BEFORE_COMPLETION,
                    Rule.MISSING_PROXY_FENCE);

    private static final RestrictedRuns NONE =
            new RestrictedRuns(new RestrictedFences(List.of()), List.of());

    /// Those of launches of one program.
    ///
    /// @param fences of programs, which are looked for where races are
    static RestrictedRuns of(List<KernelLaunch> launches, PerProgram<RestrictedFences> fences) {
        KernelLaunch first = launches.getFirst();
        Program program = first.kernel().program();
        if (!first.launch().checks().contains(RuleGroup.RACES)
                || fences.of(program).all().isEmpty()) {
            return NONE;
        }
        List<Code> kernels = launches.stream().map(each -> each.kernel().code()).toList();
        RestrictedFences own = fences.of(program).of(program.reachedBy(kernels));
        return own.all().isEmpty() ? NONE : new RestrictedRuns(own, memories(own, first));
    }

    private static List<OrderedMemory> memories(RestrictedFences fences, KernelLaunch launch) {
        boolean isOfShared =
                fences.has(FenceRestriction.SHARED_CTA)
                        || fences.has(FenceRestriction.SHARED_CLUSTER);
        if (!isOfShared) {
            return List.of(new OrderedMemory.Everything(false));
        }
        Extent cluster = launch.kernel().cluster(launch.launch());
        List<OrderedMemory> all = new ArrayList<>();
        all.add(new OrderedMemory.Global());
        for (int rank = 0; rank < cluster.count(); rank++) {
            all.add(new OrderedMemory.Shared(rank));
        }
        return all;
    }

    /// The launch of such a run.
    static Launch again(Launch launch) {
        Set<RuleGroup> checks = EnumSet.copyOf(CHECKS);
        checks.retainAll(launch.checks());
        return FollowedValues.again(launch)
                .withChecks(checks)
                .reporting(new Reporting(Reporting.Scope.ALL, launch.reporting().known()));
    }

    /// The manner of such a run. What a load reads in a race is followed where values are.
    ///
    /// @param usual what runs the first
    static VirtualMachine.Manner manner(
            OrderedMemory memory, Launch launch, VirtualMachine.ExecutorSource usual) {
        boolean follows = launch.checks().contains(RuleGroup.DEFINEDNESS);
        return new VirtualMachine.Manner(follows ? FollowedValues.EXECUTORS : usual, memory);
    }

    /// The outcome, with the races that these runs find.
    ///
    /// @param first of the run before
    /// @param run runs the launch once more, and looks at some memory; null where it cannot
    Outcome completed(
            Outcome first, Reporting how, Function<OrderedMemory, @Nullable Outcome> run) {
        Outcome outcome = first;
        for (OrderedMemory memory : memories) {
            if (how.ends(outcome.found())) {
                break;
            }
            try (Outcome further = run.apply(memory)) {
                outcome = further == null ? outcome : and(outcome, further, how);
            }
        }
        return outcome;
    }

    private Outcome and(Outcome outcome, Outcome further, Reporting how) {
        List<Finding> all = new ArrayList<>(outcome.findings());
        for (Finding race : further.findings()) {
            if (isOfOrder(race) && all.stream().noneMatch(one -> isSame(one, race))) {
                all.add(withFences(race));
            }
        }
        return all.size() == outcome.findings().size() ? outcome : outcome.with(asked(all, how));
    }

    /// One where the first finding is asked for.
    private static List<Finding> asked(List<Finding> all, Reporting how) {
        return how.scope() == Reporting.Scope.ALL ? all : List.of(all.getFirst().times(1));
    }

    /// Whether it is of the order of something else than what `mbarrier.init` does, which the first
    /// run has looked at.
    private static boolean isOfOrder(Finding finding) {
        return OF_ORDER.contains(finding.rule())
                && !initializes(finding.site())
                && !initializes(finding.otherSite());
    }

    private static boolean initializes(@Nullable Site site) {
        return site != null && site.mnemonic().startsWith("mbarrier.init");
    }

    private static boolean isSame(Finding one, Finding other) {
        return one.rule() == other.rule()
                && one.site() != null
                && one.site().equals(other.site())
                && one.otherSite() != null
                && one.otherSite().equals(other.otherSite());
    }

    private Finding withFences(Finding race) {
        List<Finding.Note> notes = new ArrayList<>();
        for (RestrictedFences.Restricted fence : fences.all()) {
            notes.add(new Finding.Note(fence.site(), "a fence here orders only " + words(fence)));
        }
        notes.addAll(race.notes());
        return race.with(notes);
    }

    private static String words(RestrictedFences.Restricted fence) {
        return switch (fence.restriction()) {
            case NONE -> "accesses";
            case MBARRIER_INIT -> "what mbarrier.init has made (PTX ISA 9.7.13.4)";
            case SHARED_CTA -> "accesses to the shared memory of its CTA (PTX ISA 9.7.13.4)";
            case SHARED_CLUSTER ->
                    "accesses to the shared memory of its cluster (PTX ISA 9.7.13.4)";
        };
    }
}
