package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.SourcePosition;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A text in which all that can only be meant otherwise is put right.
///
/// What the findings with a fix say is written, and the text is checked again, for what one mistake
/// hid, until nothing more can be mended. Lines without such a finding stay as they are, byte by
/// byte.
///
/// @param text the text afterwards
/// @param applied what was mended; places are those of the text at that time
/// @param report what is said of the text afterwards
public record Mended(String text, List<Diagnostic> applied, CheckReport report) {

    private static final int MOST_ROUNDS = 16;

    public Mended {
        applied = List.copyOf(applied);
    }

    /// Mends a text.
    ///
    /// @param name the file name that messages use
    public static Mended of(String text, String name) {
        Mended mended = new Mended(text, List.of(), Check.text(text, name));
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<Diagnostic> fixable = mended.report.fixable();
            if (fixable.isEmpty()) {
                break;
            }
            Mended next = mended.after(fixable, name);
            if (next.errors() >= mended.errors()) {
                break; // nothing was gained, so it was not what was meant
            }
            mended = next;
        }
        return mended;
    }

    private Mended after(List<Diagnostic> fixable, String name) {
        StringBuilder edited = new StringBuilder(text);
        List<Integer> lines = lineStarts(text);
        for (Diagnostic finding : fixable.reversed()) {
            Edit edit = Objects.requireNonNull(finding.fix());
            SourcePosition at = edit.position();
            int start = lines.get(at.line() - 1) + at.column() - 1;
            edited.replace(start, start + edit.old().length(), edit.text());
        }
        List<Diagnostic> all = new ArrayList<>(applied);
        all.addAll(fixable);
        return new Mended(edited.toString(), all, Check.text(edited.toString(), name));
    }

    private static List<Integer> lineStarts(String text) {
        List<Integer> starts = new ArrayList<>(List.of(0));
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
            starts.add(end + 1);
        }
        return starts;
    }

    private long errors() {
        return report.findings().stream().filter(f -> f.verdict() == Verdict.INVALID).count();
    }
}
