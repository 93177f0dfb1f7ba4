package dev.heddle.vm.report;

import dev.heddle.isa.rule.Explanation;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.check.CheckReport;
import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A finding as programs read it, the same whether a text was checked, a kernel was run, or a
/// program ran it.
///
/// @param rule the rule that is broken
/// @param section of the manual
/// @param place where, and the line of the source
/// @param width characters that it covers there
/// @param message what was found
/// @param remedy what to change, or empty
/// @param where the lanes that did it, or empty
/// @param notes other places that matter
/// @param fix what to write, where only one thing can be meant; else null
/// @param count how often it was found
public record FindingRecord(
        Rule rule,
        String section,
        Place place,
        int width,
        String message,
        String remedy,
        String where,
        List<Note> notes,
        @Nullable Edit fix,
        long count) {
    public FindingRecord {
        notes = List.copyOf(notes);
    }

    /// A place in the PTX file, or in the code of the host.
    ///
    /// @param at the place in the PTX; null where no single one is to blame, and in host code
    /// @param source the line of the source, `kernel.cu:5`, or empty
    public record Place(@Nullable SourcePosition at, String source) {
        /// Where an instruction is.
        public static Place of(@Nullable Site site) {
            return site == null
                    ? new Place(null, "")
                    : new Place(site.position(), site.source() == null ? "" : site.source());
        }

        private void into(Map<String, Object> object) {
            object.put("place", at == null ? "" : at.toString());
            object.put("line", at == null ? 0 : at.line());
            object.put("column", at == null ? 0 : at.column());
            object.put("source", source);
        }
    }

    /// A second place.
    ///
    /// @param message what happened there
    /// @param place where
    public record Note(String message, Place place) {
        private Map<String, Object> json() {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("message", message);
            place.into(object);
            return object;
        }
    }

    /// What a run found.
    public static FindingRecord of(Finding finding) {
        return new FindingRecord(
                finding.rule(),
                finding.section(),
                Place.of(finding.site()),
                finding.site() == null ? 1 : finding.site().mnemonic().length(),
                finding.message(),
                Explanation.of(finding.rule()).remedy(),
                finding.where() == null ? "" : finding.where().toString(),
                finding.notes().stream()
                        .map(note -> new Note(note.message(), Place.of(note.site())))
                        .toList(),
                null,
                finding.count());
    }

    /// The same with one more note, behind the others.
    public FindingRecord with(Note note) {
        List<Note> all = new ArrayList<>(notes);
        all.add(note);
        return new FindingRecord(
                rule, section, place, width, message, remedy, where, all, fix, count);
    }

    /// One that was passed over, and the line that says so.
    public static Map<String, Object> suppressed(Suppressions.Suppressed passed) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("suppression", passed.by().text());
        object.put("suppression_line", passed.by().line());
        object.putAll(of(passed.finding()).json());
        return object;
    }

    /// What was found in a text.
    public static List<FindingRecord> of(CheckReport report) {
        return of(report, report.findings());
    }

    /// Some of what was found in a text.
    public static List<FindingRecord> of(CheckReport report, List<Diagnostic> findings) {
        return findings.stream().map(finding -> of(report, finding)).toList();
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
                finding.fix(),
                1);
    }

    private static Place place(CheckReport report, SourcePosition at) {
        return new Place(at, report.lines().at(at.line()));
    }

    /// The fields that every finding has.
    public Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("verdict", rule.verdict().words());
        object.put("severity", rule.severity().word());
        object.put("rule", rule.id());
        object.put("section", section);
        place.into(object);
        object.put("message", message);
        object.put("remedy", remedy);
        if (fix != null) {
            object.put("fix", json(fix));
        }
        object.put("where", where);
        object.put("count", count);
        object.put("notes", notes.stream().map(Note::json).toList());
        return object;
    }

    private static Map<String, Object> json(Edit fix) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("line", fix.position().line());
        object.put("column", fix.position().column());
        object.put("old", fix.old());
        object.put("new", fix.text());
        return object;
    }
}
