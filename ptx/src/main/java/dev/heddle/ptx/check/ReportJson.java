package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.SourceLines;
import dev.heddle.ptx.SourcePosition;

import org.jspecify.annotations.Nullable;

/// Writes findings as one line of JSON.
final class ReportJson {

    private final StringBuilder out = new StringBuilder();
    private final SourceLines lines;

    private ReportJson(SourceLines lines) {
        this.lines = lines;
    }

    static String of(CheckReport report) {
        ReportJson json = new ReportJson(report.lines());
        json.report(report);
        return json.out.toString();
    }

    private void report(CheckReport report) {
        out.append("{\"file\":");
        string(report.source().file());
        out.append(",\"verdict\":");
        string(report.verdict().word());
        out.append(",\"diagnostics\":[");
        for (int i = 0; i < report.findings().size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            finding(report.findings().get(i));
        }
        out.append("]}");
    }

    private void finding(Diagnostic finding) {
        out.append("{\"outcome\":");
        string(finding.verdict().words());
        out.append(",\"verdict\":");
        string(finding.verdict().words());
        out.append(",\"severity\":");
        string(finding.rule().severity().word());
        out.append(",\"rule\":");
        string(finding.rule().id());
        place(finding.position());
        out.append(",\"message\":");
        string(finding.message());
        out.append(",\"remedy\":");
        string(finding.remedy());
        fix(finding.fix());
        out.append(",\"section\":");
        string(finding.section());
        out.append(",\"where\":\"\",\"notes\":[");
        for (int i = 0; i < finding.notes().size(); i++) {
            Diagnostic.Note note = finding.notes().get(i);
            out.append(i > 0 ? ",{\"message\":" : "{\"message\":");
            string(note.message());
            place(note.position());
            out.append('}');
        }
        out.append("]}");
    }

    private void fix(@Nullable Edit fix) {
        if (fix != null) {
            out.append(",\"fix\":{\"line\":").append(fix.position().line());
            out.append(",\"column\":").append(fix.position().column());
            out.append(",\"old\":");
            string(fix.old());
            out.append(",\"new\":");
            string(fix.text());
            out.append('}');
        }
    }

    private void place(SourcePosition position) {
        out.append(",\"place\":");
        string(position.toString());
        out.append(",\"source\":");
        string(lines.at(position.line()));
        out.append(",\"line\":").append(position.line());
        out.append(",\"column\":").append(position.column());
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c >= 0x7F) {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
