package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Collects the findings of one module, each place and rule once, up to a limit.
final class Reporter {

    private static final int LIMIT = 1000;

    private final List<Diagnostic> list = new ArrayList<>();
    private int invalid;
    private final Set<List<Object>> seen = new HashSet<>();

    /// By the section of the wording, or of its rule.
    void report(String wording, Object subject, Object... more) {
        report(Problem.of(wording, subject, more), "");
    }

    /// @param usual the section of the manual where the wording names none
    void report(Problem problem, String usual) {
        add(problem.diagnostic(usual));
    }

    void add(Diagnostic diagnostic) {
        if (list.size() < LIMIT && seen.add(List.of(diagnostic.rule(), diagnostic.position()))) {
            list.add(diagnostic);
            invalid += diagnostic.verdict() == Verdict.INVALID ? 1 : 0;
        }
    }

    /// Says of a finding what mends it.
    void mend(int finding, Edit edit) {
        list.set(finding, list.get(finding).with(edit));
    }

    /// How many findings are errors.
    int invalid() {
        return invalid;
    }

    List<Diagnostic> list() {
        return list;
    }
}
