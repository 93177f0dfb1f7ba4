package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.SourceLines;
import dev.heddle.ptx.SourceText;

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

    /// All findings as people read them, each with its line and a caret.
    public String text() {
        return ReportText.of(this);
    }

    /// One line of JSON: file, verdict, diagnostics.
    public String json() {
        return ReportJson.of(this);
    }
}
