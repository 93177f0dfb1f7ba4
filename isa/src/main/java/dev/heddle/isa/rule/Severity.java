package dev.heddle.isa.rule;

import java.util.Locale;

/// How much a finding matters. The one scale of `check`, `run` and every report.
public enum Severity {
    /// The kernel is wrong, or cannot go on.
    ERROR,
    /// The kernel is legal, and something in it deserves a look.
    WARNING,
    /// Worth knowing, nothing to mend.
    NOTE;

    /// As JSON and SARIF spell it: `error`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
