package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Outcome;
import dev.heddle.ptx.Position;

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

    void invalid(
            String rule,
            Position position,
            int width,
            String message,
            String remedy,
            String section) {
        add(
                new Diagnostic(
                        Outcome.INVALID,
                        rule,
                        position,
                        width,
                        message,
                        remedy,
                        section,
                        List.of()));
    }

    void add(Diagnostic diagnostic) {
        if (list.size() < LIMIT && seen.add(List.of(diagnostic.rule(), diagnostic.position()))) {
            list.add(diagnostic);
            invalid += diagnostic.outcome() == Outcome.INVALID ? 1 : 0;
        }
    }

    /// How many findings are errors.
    int invalid() {
        return invalid;
    }

    List<Diagnostic> list() {
        return list;
    }
}
