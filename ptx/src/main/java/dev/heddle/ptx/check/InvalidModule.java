package dev.heddle.ptx.check;

import dev.heddle.formats.InputException;
import dev.heddle.ptx.Diagnostic;

import java.io.Serial;

/// A module that no assembler takes: it does not parse, or something in it fits no form.
public final class InvalidModule extends InputException {
    @Serial private static final long serialVersionUID = 1;

    private final transient CheckReport report;

    InvalidModule(CheckReport report) {
        super(message(report));
        this.report = report;
    }

    private static String message(CheckReport report) {
        Diagnostic first = report.findings().getFirst();
        return first.position() + ": " + first.message();
    }

    /// Everything that is wrong with it, the verdict a rejection.
    public CheckReport report() {
        return report;
    }
}
