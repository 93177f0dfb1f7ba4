package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Legality;
import dev.heddle.isa.Violation;
import dev.heddle.isa.search.FormSearch;
import dev.heddle.isa.search.SourceScan;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.check.CheckReport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the page is told of texts: of words, of one instruction, of a whole file.
final class SourceListing {
    private static final int SUGGESTIONS = 8;

    /// Findings of a file beyond these are counted, not listed.
    private static final int FINDINGS = 200;

    private SourceListing() {}

    /// The forms that words ask for, best first.
    static Map<String, Object> found(String text) {
        FormSearch search = FormSearch.of(text);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("complete", search.complete());
        document.put("matching", search.forms().size());
        document.put(
                "asked",
                search.asked().stream()
                        .map(asked -> Map.of("word", asked.word(), "meaning", asked.meaning()))
                        .toList());
        document.put("unknown", search.unknown());
        document.put(
                "forms",
                search.forms().stream()
                        .limit(SUGGESTIONS)
                        .map(
                                match ->
                                        Map.of(
                                                "opcode", match.form().opcode(),
                                                "source", match.form().aSource().word(),
                                                "missed", match.missed()))
                        .toList());
        return document;
    }

    /// The places of what is wrong in an instruction: first character, the one behind the last, and
    /// why.
    static List<Object> marks(Legality legality, String text) {
        List<Object> marks = new ArrayList<>();
        for (Violation violation : legality.violations()) {
            for (int[] place : SourceScan.places(legality, violation, text)) {
                marks.add(List.of(place[0], place[1], violation.message()));
            }
        }
        return marks;
    }

    /// The matrix instructions of a file, and what `heddle check` says where it is PTX.
    static Map<String, Object> file(String text) {
        boolean module = text.contains(".version") && text.contains(".target");
        List<Diagnostic> findings = new ArrayList<>();
        String summary = "Inline assembly: each instruction is checked by itself.";
        if (module) {
            CheckReport report = Check.text(text, "text");
            findings.addAll(report.findings());
            summary =
                    "A PTX module: "
                            + (findings.isEmpty()
                                    ? "accepted, nothing found."
                                    : findings.size()
                                            + (findings.size() == 1 ? " finding." : " findings."));
        }
        List<Object> instructions = new ArrayList<>();
        for (SourceScan scan : SourceScan.of(text)) {
            List<Diagnostic> here =
                    findings.stream().filter(f -> f.position().line() == scan.line()).toList();
            findings.removeAll(here);
            instructions.add(instruction(scan, here, module));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("summary", summary);
        document.put("instructions", instructions);
        document.put(
                "findings",
                findings.stream()
                        .limit(FINDINGS)
                        .map(f -> "line " + f.position().line() + ": " + said(f))
                        .toList());
        return document;
    }

    private static String said(Diagnostic finding) {
        return "%s: %s%s [%s, PTX ISA %s]"
                .formatted(
                        finding.verdict(),
                        finding.message(),
                        finding.remedy().isEmpty() ? "" : "; " + finding.remedy(),
                        finding.rule().id(),
                        finding.section());
    }

    private static Map<String, Object> instruction(
            SourceScan scan, List<Diagnostic> here, boolean module) {
        List<String> said = new ArrayList<>(here.stream().map(SourceListing::said).toList());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("line", scan.line());
        document.put("text", scan.text());
        List<Form> forms = scan.legality().map(Legality::forms).orElse(List.of());
        if (!forms.isEmpty()) {
            document.put("opcode", forms.getFirst().opcode());
            document.put("source", forms.getFirst().aSource().word());
        }
        if (!module) {
            scan.legality()
                    .ifPresent(
                            legality -> legality.violations().forEach(v -> said.add(v.toString())));
            if (!scan.refusal().isEmpty()) {
                said.add(scan.refusal());
            }
        }
        document.put(
                "marks", scan.legality().map(each -> marks(each, scan.text())).orElse(List.of()));
        document.put("findings", said);
        return document;
    }
}
