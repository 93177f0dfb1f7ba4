package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.SourceLines;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.SourceText;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Everything found in one file.
///
/// @param source the text
/// @param verdict what the findings amount to
/// @param findings in order of place
/// @param lines which line of the source each line came from
public record CheckReport(
        SourceText source, Verdict verdict, List<Diagnostic> findings, SourceLines lines) {

    public CheckReport {
        findings = List.copyOf(findings);
    }

    /// What the findings of a file amount to.
    public enum Verdict {
        /// An assembler takes it, and nothing undefined was seen; there may be advice.
        ACCEPT,
        /// An assembler would reject it.
        REJECT,
        /// An assembler takes it, and something in it is undefined.
        UNDEFINED;

        /// The word in JSON.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The findings that say for certain what to write, in order of place, no two at one place.
    public List<Diagnostic> fixable() {
        List<Diagnostic> fixable = new ArrayList<>();
        SourcePosition last = new SourcePosition(source.file(), 0, 0);
        for (Diagnostic finding : findings) {
            Edit fix = finding.fix();
            if (fix != null) {
                SourcePosition at = fix.position();
                if (at.line() != last.line() || at.column() > last.column()) {
                    fixable.add(finding);
                    last =
                            new SourcePosition(
                                    at.file(), at.line(), at.column() + fix.old().length());
                }
            }
        }
        return fixable;
    }

    /// All findings as people read them, each with its line and a caret.
    public String text() {
        return ReportText.of(this);
    }
}
