package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.SourcePosition;

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

    /// By the section of the rule.
    void invalid(Rule rule, SourcePosition position, int width, String message, String remedy) {
        invalid(rule, position, width, message, remedy, rule.section());
    }

    void invalid(
            Rule rule,
            SourcePosition position,
            int width,
            String message,
            String remedy,
            String section) {
        add(new Diagnostic(rule, position, width, message, remedy, section, List.of()));
    }

    void invalid(Problem problem) {
        invalid(
                problem.rule(),
                problem.position(),
                problem.width(),
                problem.message(),
                problem.remedy(),
                problem.section());
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
