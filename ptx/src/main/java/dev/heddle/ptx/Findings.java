package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;

import java.util.ArrayList;
import java.util.List;

/// Collects the diagnostics of one module, up to a limit: the thousandth message helps nobody.
final class Findings {

    /// How many are kept; one more says that there were more.
    static final int LIMIT = 200;

    private final List<Diagnostic> list = new ArrayList<>();

    void add(Diagnostic diagnostic) {
        if (list.size() < LIMIT) {
            list.add(diagnostic);
        } else if (list.size() == LIMIT) {
            list.add(
                    new Diagnostic(
                            Rule.TOO_MANY_FINDINGS,
                            diagnostic.position(),
                            1,
                            "more findings follow; the first " + LIMIT + " are listed",
                            "correct those first",
                            "4",
                            List.of()));
        }
    }

    boolean isFull() {
        return list.size() > LIMIT;
    }

    List<Diagnostic> list() {
        return List.copyOf(list);
    }
}
