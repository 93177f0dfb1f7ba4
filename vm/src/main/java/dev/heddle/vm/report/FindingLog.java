package dev.heddle.vm.report;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Severity;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The findings of one launch, as its CTAs make them: those of one kind are counted, and the first
/// of each is kept. First is that of the CTA with the lowest number: it does not depend on how many
/// workers there are.
public final class FindingLog {
    /// Kinds of findings that are kept, those that came first.
    public static final int MOST = 100;

    // Written out: comparators that are put together are linked anew in each process.
    private static final Comparator<Entry> ORDER = FindingLog::inOrder;

    /// What many CTAs do together has no first one.
    private static final Comparator<Finding> BY_PLACE = FindingLog::byPlace;

    private final Reporting reporting;
    private final String kernel;
    private final Doubts doubts;
    private final Map<Kind, Entry> entries = new HashMap<>();
    private long sequence;
    private long omitted;
    private boolean hasEnded;
    private boolean hasStalled;

    /// A log for a launch whose findings hold.
    ///
    /// @param kernel the symbol that was launched
    public FindingLog(Reporting reporting, String kernel) {
        this(reporting, kernel, _ -> null);
    }

    /// A log for a launch.
    ///
    /// @param kernel the symbol that was launched
    /// @param doubts which findings may be none
    public FindingLog(Reporting reporting, String kernel, Doubts doubts) {
        this.reporting = reporting;
        this.kernel = kernel;
        this.doubts = doubts;
    }

    /// Which findings may be none, where nobody will look again.
    @FunctionalInterface
    public interface Doubts {
        /// What is told instead of a finding, as a warning; null where it is told itself.
        @Nullable Rule instead(Rule rule);
    }

    /// What is one kind: a rule, broken at an instruction.
    ///
    /// @param site its number, or -1
    /// @param other that of the instruction on the other side of a race, or -1
    private record Kind(Rule rule, int site, int other) {
        static Kind of(Rule rule, @Nullable Site site, @Nullable Site other) {
            return new Kind(rule, number(site), number(other));
        }
    }

    /// The first of a kind.
    private static final class Entry {
        private Finding finding;
        private @Nullable Suppression by;
        private long cta;
        private long sequence;
        private long count;

        Entry(Finding finding) {
            this.finding = finding;
        }

        boolean isError() {
            return finding.verdict().severity() == Severity.ERROR;
        }

        /// With its count; a limit is reached once, by however many CTAs.
        Finding counted() {
            boolean isOnce = !isError() || finding.verdict() == Verdict.RESOURCE_EXHAUSTED;
            return isOnce ? finding : finding.times(count);
        }
    }

    private static int inOrder(Entry one, Entry other) {
        int byCta = Long.compare(one.cta, other.cta);
        return byCta != 0 ? byCta : Long.compare(one.sequence, other.sequence);
    }

    private static int byPlace(Finding one, Finding other) {
        int bySite = Integer.compare(number(one.site()), number(other.site()));
        if (bySite != 0) {
            return bySite;
        }
        int byOther = Integer.compare(number(one.otherSite()), number(other.otherSite()));
        return byOther != 0 ? byOther : one.rule().compareTo(other.rule());
    }

    private static int number(@Nullable Site site) {
        return site == null ? -1 : site.number();
    }

    /// Something that the kernel survives.
    ///
    /// @param cta its linear number
    /// @param other the instruction on the other side of a race, or null
    /// @throws KernelFault where it ends the launch all the same: the first that is not known
    public synchronized void tell(
            long cta,
            Rule rule,
            @Nullable Site site,
            @Nullable Site other,
            Supplier<KernelFault> fault) {
        Rule instead = doubts.instead(rule);
        Rule told = instead == null ? rule : instead;
        Kind kind = Kind.of(told, site, other);
        Entry known = entries.get(kind);
        if (known != null && known.cta <= cta) {
            known.count++;
            return;
        }
        KernelFault made = fault.get();
        if (instead == null
                && reporting.scope() == Reporting.Scope.FIRST
                && reporting.known().of(made.finding(), kernel) == null) {
            throw made;
        }
        add(cta, kind, made.finding().as(told));
    }

    /// Something that deserves a look and ends nothing. It is told once, however often it is seen.
    ///
    /// @param cta its linear number
    /// @param other the instruction on the other side, or null
    public synchronized void warn(
            long cta,
            Rule rule,
            @Nullable Site site,
            @Nullable Site other,
            Supplier<Finding> finding) {
        Kind kind = Kind.of(rule, site, other);
        Entry known = entries.get(kind);
        if (known == null || cta < known.cta) {
            add(cta, kind, finding.get());
        }
    }

    /// Something by which a CTA ends, and with it its cluster. Returns whether the launch ends,
    /// too.
    public synchronized boolean ends(long cta, Finding finding) {
        boolean isKnown = reporting.known().of(finding, kernel) != null;
        add(cta, Kind.of(finding.rule(), finding.site(), null), finding);
        hasEnded = true;
        return !isKnown && reporting.scope() == Reporting.Scope.FIRST
                || finding.verdict() == Verdict.RESOURCE_EXHAUSTED;
    }

    /// A CTA waits for what no other will do. It is not to blame where one has ended before its
    /// time that may have done it.
    public synchronized void waits(long cta, Finding finding) {
        hasStalled = true;
        if (!hasEnded) {
            add(cta, Kind.of(finding.rule(), finding.site(), null), finding);
        }
    }

    private void add(long cta, Kind kind, Finding finding) {
        Entry entry = entries.computeIfAbsent(kind, _ -> new Entry(finding));
        entry.count++;
        if (entry.count == 1 || cta < entry.cta) {
            entry.finding = finding;
            entry.by = reporting.known().of(finding, kernel);
            entry.cta = cta;
            entry.sequence = sequence++;
        }
        if (entries.size() > MOST) {
            Entry last =
                    entries.values().stream()
                            .max(
                                    Comparator.comparing((Entry one) -> !one.isError())
                                            .thenComparing(ORDER))
                            .orElse(entry);
            entries.values().remove(last);
            omitted += last.count;
        }
    }

    /// Whether all CTAs have got as far as their code goes.
    public synchronized boolean isComplete() {
        return !hasEnded && !hasStalled;
    }

    /// All, in their order; where the first ended the launch, that one alone.
    public synchronized Found found() {
        List<Finding> told = new ArrayList<>();
        List<Finding> warnings = new ArrayList<>();
        List<Suppressions.Suppressed> passed = new ArrayList<>();
        for (Entry entry : entries.values().stream().sorted(ORDER).toList()) {
            Suppression by = entry.by;
            if (by != null) {
                passed.add(new Suppressions.Suppressed(by, entry.counted()));
            } else if (!entry.isError()) {
                warnings.add(entry.finding);
            } else if (reporting.scope() == Reporting.Scope.ALL) {
                told.add(entry.counted());
            } else if (told.isEmpty()) {
                told.add(entry.finding);
            }
        }
        warnings.sort(BY_PLACE);
        return new Found(told, warnings, passed, omitted, isComplete());
    }
}
