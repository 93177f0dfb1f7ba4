package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.SourceText;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Writes findings for people: outcome, place, cause, line and caret, the line of the source that
/// it came from, remedy, rule, section.
final class ReportText {

    private static final int LONGEST_LINE = 160;

    private ReportText() {}

    static String of(CheckReport report) {
        StringBuilder out = new StringBuilder();
        for (Diagnostic finding : report.findings()) {
            finding(out, report, finding);
        }
        return out.toString();
    }

    private static void finding(StringBuilder out, CheckReport report, Diagnostic finding) {
        SourceText source = report.source();
        out.append(finding.position())
                .append(": ")
                .append(finding.verdict().words())
                .append(": ")
                .append(finding.message())
                .append('\n');
        excerpt(out, source, finding.position(), finding.width());
        String origin = report.lines().at(finding.position().line());
        if (!origin.isEmpty()) {
            out.append("source: ").append(origin).append('\n');
        }
        for (Diagnostic.Note note : finding.notes()) {
            String from = report.lines().at(note.position().line());
            out.append(note.position()).append(": note: ").append(note.message());
            out.append(from.isEmpty() ? "\n" : " (source: %s)\n".formatted(from));
            excerpt(out, source, note.position(), 1);
        }
        Edit fix = finding.fix();
        if (fix != null) {
            out.append("help: ").append(fix.words()).append('\n');
        } else if (!finding.remedy().isEmpty()) {
            out.append("remedy: ").append(finding.remedy()).append('\n');
        }
        out.append("rule: ").append(finding.rule());
        if (!finding.section().isEmpty()) {
            out.append(", PTX ISA ").append(finding.section());
        }
        out.append("\n\n");
    }

    private static void excerpt(
            StringBuilder out, SourceText source, SourcePosition at, int width) {
        String line = source.line(at.line());
        int column = Math.min(at.column() - 1, line.length());
        int from = column > LONGEST_LINE / 2 ? column - LONGEST_LINE / 2 : 0;
        int to = Math.min(line.length(), from + LONGEST_LINE);
        out.append("%5d | ".formatted(at.line()))
                .append(printable(line.substring(from, to)))
                .append("\n      | ")
                .append(" ".repeat(printable(line.substring(from, column)).length()))
                .append("^".repeat(Math.clamp(width, 1, Math.max(1, to - column))))
                .append('\n');
    }

    /// Tabs become one blank each, so that the caret is below what it means; what would move
    /// the cursor becomes a question mark.
    private static String printable(String latin) {
        String text = decoded(latin);
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean control = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            out.append(c == '\t' ? ' ' : control ? '?' : c);
        }
        return out.toString();
    }

    /// Modules are read a byte a character; names in comments and strings are mostly UTF-8.
    private static String decoded(String latin) {
        if (latin.chars().allMatch(c -> c < 0x80)) {
            return latin;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(latin.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return latin.replaceAll("[^\\x00-\\x7F]", "?");
        }
    }
}
