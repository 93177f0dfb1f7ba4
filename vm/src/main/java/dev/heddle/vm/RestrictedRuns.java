package dev.heddle.vm;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.FenceRestriction;
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

/// Further runs of a launch with fences that order only some operations (PTX ISA 9.7.13.4). In the
/// first they count as fences of all: what races then races in any case. Each further run looks at
/// some memory, with the fences that order accesses there.
final class RestrictedRuns {
    private static final Set<RuleGroup> CHECKS = EnumSet.of(RuleGroup.RACES, RuleGroup.DEFINEDNESS);

    private RestrictedRuns() {}

    /// The memory that further runs are to look at.
    static List<OrderedMemory> of(RestrictedFences fences, KernelLaunch launch) {
        if (fences.all().isEmpty() || !launch.launch().checks().contains(RuleGroup.RACES)) {
            return List.of();
        }
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
        return FollowedValues.again(launch)
                .withChecks(CHECKS)
                .reporting(new Reporting(Reporting.Scope.ALL, launch.reporting().known()));
    }

    /// The outcome with the races that a further run has found.
    static Outcome and(Outcome outcome, Outcome further, Reporting how, RestrictedFences fences) {
        List<Finding> all = new ArrayList<>(outcome.findings());
        for (Finding race : further.findings()) {
            boolean isEnded = how.scope() == Reporting.Scope.FIRST && !all.isEmpty();
            if (isRace(race) && !isEnded && all.stream().noneMatch(one -> isSame(one, race))) {
                all.add(withFences(race, fences));
            }
        }
        return all.size() == outcome.findings().size() ? outcome : outcome.with(all);
    }

    /// Whether it is a race of something else than what `mbarrier.init` does, which the first run
    /// has looked at.
    private static boolean isRace(Finding finding) {
        return finding.rule() == Rule.DATA_RACE
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

    private static Finding withFences(Finding race, RestrictedFences fences) {
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
