package dev.heddle.cli;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Position;
import dev.heddle.ptx.check.CheckReport;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Suppressions;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A finding as programs read it, the same whether the text was checked or the kernel was run.
///
/// @param rule the rule that is broken
/// @param section of the manual
/// @param place where, and the line of the source
/// @param width characters that it covers there
/// @param message what was found
/// @param remedy what to change, or empty
/// @param where the lanes that did it, or empty
/// @param notes other places that matter
/// @param count how often it was found
record FindingRecord(
        Rule rule,
        String section,
        Place place,
        int width,
        String message,
        String remedy,
        String where,
        List<Note> notes,
        long count) {

    /// A place in the PTX file.
    ///
    /// @param at the place, or null where no single one is to blame
    /// @param source the line of the source, `kernel.cu:5`, or empty
    record Place(@Nullable Position at, String source) {
        static Place of(@Nullable Site site) {
            return site == null
                    ? new Place(null, "")
                    : new Place(site.position(), site.source() == null ? "" : site.source());
        }

        void into(Map<String, Object> object) {
            object.put("place", at == null ? "" : at.toString());
            object.put("line", at == null ? 0 : at.line());
            object.put("column", at == null ? 0 : at.column());
            object.put("source", source);
        }
    }

    /// A second place.
    record Note(String message, Place place) {
        Map<String, Object> json() {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("message", message);
            place.into(object);
            return object;
        }
    }

    /// What a run found.
    static FindingRecord of(Finding finding) {
        return new FindingRecord(
                finding.rule(),
                finding.section(),
                Place.of(finding.site()),
                finding.site() == null ? 1 : finding.site().mnemonic().length(),
                finding.message(),
                "",
                finding.where() == null ? "" : finding.where().toString(),
                finding.notes().stream()
                        .map(note -> new Note(note.message(), Place.of(note.site())))
                        .toList(),
                finding.count());
    }

    /// One that was passed over, and the line that says so.
    static Map<String, Object> suppressed(Suppressions.Suppressed passed) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("suppression", passed.by().text());
        object.put("suppression_line", passed.by().line());
        object.putAll(of(passed.finding()).json());
        return object;
    }

    /// What was found in a text.
    static List<FindingRecord> of(CheckReport report) {
        return report.findings().stream().map(finding -> of(report, finding)).toList();
    }

    private static FindingRecord of(CheckReport report, Diagnostic finding) {
        return new FindingRecord(
                finding.rule(),
                finding.section(),
                place(report, finding.position()),
                finding.width(),
                finding.message(),
                finding.remedy(),
                "",
                finding.notes().stream()
                        .map(note -> new Note(note.message(), place(report, note.position())))
                        .toList(),
                1);
    }

    private static Place place(CheckReport report, Position at) {
        return new Place(at, report.lines().at(at.line()));
    }

    /// The fields that every finding has.
    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("verdict", rule.verdict().words());
        object.put("severity", rule.severity().word());
        object.put("rule", rule.id());
        object.put("section", section);
        place.into(object);
        object.put("message", message);
        object.put("remedy", remedy);
        object.put("where", where);
        object.put("count", count);
        object.put("notes", notes.stream().map(Note::json).toList());
        return object;
    }
}
