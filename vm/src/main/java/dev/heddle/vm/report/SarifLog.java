package dev.heddle.vm.report;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Explanation;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.SourceLines;
import dev.heddle.ptx.SourcePosition;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Findings as SARIF 2.1.0 (OASIS, 27 March 2020), which code hosts show on the line.
///
/// A result is at the line of the source where `.loc` tells it, of the caller where that is one of
/// the toolkit's headers; else where the code of the host launched the kernel, if that is known;
/// else at the PTX. The PTX is a related location then, as the places of the notes are.
public final class SarifLog {
    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    /// A place of `kernel.cu:5, inlined at kernel.cu:9`.
    private static final Pattern SOURCE = Pattern.compile("(.*):([0-9]+)");

    /// Headers of the CUDA toolkit: nobody can show their lines beside the code that uses them.
    private static final Pattern TOOLKIT =
            Pattern.compile(".*/(cuda(-[0-9.]+)?|targets/[^/]+)/.*include/.*");

    private final List<Logged> findings = new ArrayList<>();

    /// A finding.
    ///
    /// @param suppression the line of a suppression file that passes it over, or null
    private record Logged(FindingRecord finding, @Nullable String suppression) {}

    /// Adds findings.
    public void add(List<FindingRecord> more) {
        more.forEach(one -> findings.add(new Logged(one, null)));
    }

    /// Adds findings that were passed over.
    public void addSuppressed(List<Suppressions.Suppressed> more) {
        for (Suppressions.Suppressed one : more) {
            findings.add(new Logged(FindingRecord.of(one.finding()), one.by().text()));
        }
    }

    /// The whole log.
    ///
    /// @param exitCode of the process; findings may make it other than 0
    /// @param isWhole whether all was looked at that was asked for
    public Map<String, Object> object(int exitCode, boolean isWhole) {
        Set<Rule> broken = new LinkedHashSet<>();
        findings.forEach(finding -> broken.add(finding.finding().rule()));
        List<Rule> rules = List.copyOf(broken);
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "Heddle");
        driver.put("rules", rules.stream().map(SarifLog::rule).toList());
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("tool", Map.of("driver", driver));
        Map<String, Object> invocation = new LinkedHashMap<>();
        invocation.put("executionSuccessful", isWhole);
        invocation.put("exitCode", exitCode);
        run.put("invocations", List.of(invocation));
        run.put("columnKind", "utf16CodeUnits");
        run.put(
                "results",
                findings.stream()
                        .map(one -> result(one, rules.indexOf(one.finding().rule())))
                        .toList());
        Map<String, Object> log = new LinkedHashMap<>();
        log.put("$schema", SCHEMA);
        log.put("version", "2.1.0");
        log.put("runs", List.of(run));
        return log;
    }

    private static Map<String, Object> rule(Rule rule) {
        Explanation explanation = Explanation.of(rule);
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("id", rule.id());
        object.put("shortDescription", text(rule.text()));
        object.put("fullDescription", text(explanation.why()));
        object.put("help", text(explanation.remedy()));
        object.put("defaultConfiguration", Map.of("level", rule.severity().word()));
        object.put("properties", Map.of("tags", List.of(rule.group().word())));
        return object;
    }

    private static Map<String, Object> result(Logged one, int rule) {
        FindingRecord finding = one.finding();
        String suppression = one.suppression();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("ruleId", finding.rule().id());
        object.put("ruleIndex", rule);
        object.put("level", finding.rule().severity().word());
        object.put(
                "message",
                text(
                        finding.where().isEmpty()
                                ? finding.message()
                                : finding.message() + "; in " + finding.where()));
        object.put("occurrenceCount", finding.count());
        if (suppression != null) {
            object.put(
                    "suppressions",
                    List.of(Map.of("kind", "external", "justification", suppression)));
        }
        if (finding.fix() != null) {
            object.put("fixes", List.of(fix(finding.fix())));
        }
        addPlaces(object, finding);
        return object;
    }

    /// Where it is: in the source, else where the host launched the kernel, else in the PTX.
    private static void addPlaces(Map<String, Object> object, FindingRecord finding) {
        FindingRecord.Place place = finding.place();
        Map<String, Object> ptx = place.at() == null ? null : location(place.at(), finding.width());
        Map<String, Object> first = source(place);
        for (FindingRecord.Note note : finding.notes()) {
            if (first == null && note.place().at() == null) {
                first = source(note.place());
            }
        }
        first = first == null ? ptx : first;
        if (first != null) {
            object.put("locations", List.of(first));
        }
        // The schema wants each once; two notes may say the same of one place.
        Set<Map<String, Object>> related = new LinkedHashSet<>();
        if (ptx != null && !ptx.equals(first)) {
            related.add(saying("the instruction", ptx));
        }
        for (FindingRecord.Note note : finding.notes()) {
            SourcePosition at = note.place().at();
            Map<String, Object> source = source(note.place());
            if (source != null) {
                related.add(saying(note.message(), source));
            } else if (at != null) {
                related.add(saying(note.message(), location(at, 1)));
            }
        }
        if (!related.isEmpty()) {
            object.put("relatedLocations", List.copyOf(related));
        }
    }

    private static Map<String, Object> fix(Edit edit) {
        Map<String, Object> replacement = new LinkedHashMap<>();
        replacement.put("deletedRegion", region(edit.position(), edit.old().length()));
        replacement.put("insertedContent", text(edit.text()));
        return Map.of(
                "description",
                text(edit.words()),
                "artifactChanges",
                List.of(
                        Map.of(
                                "artifactLocation",
                                Map.of("uri", uri(edit.position().file())),
                                "replacements",
                                List.of(replacement))));
    }

    private static Map<String, Object> saying(String message, Map<String, Object> location) {
        Map<String, Object> object = new LinkedHashMap<>(location);
        object.put("message", text(message));
        return object;
    }

    /// The innermost place that is no header of the toolkit.
    private static @Nullable Map<String, Object> source(FindingRecord.Place place) {
        Map<String, Object> found = null;
        for (String one : SourceLines.places(place.source())) {
            Matcher source = SOURCE.matcher(one);
            if (source.matches()) {
                int line = Math.max(1, Integer.parseInt(source.group(2)));
                found = physical(source.group(1), Map.of("startLine", line));
                if (!TOOLKIT.matcher(one).matches()) {
                    return found;
                }
            }
        }
        return found;
    }

    private static Map<String, Object> location(SourcePosition at, int width) {
        return physical(at.file(), region(at, Math.max(1, width)));
    }

    private static Map<String, Object> region(SourcePosition at, int width) {
        Map<String, Object> region = new LinkedHashMap<>();
        region.put("startLine", at.line());
        region.put("startColumn", at.column());
        region.put("endColumn", at.column() + width);
        return region;
    }

    private static Map<String, Object> physical(String file, Map<String, Object> region) {
        Map<String, Object> physical = new LinkedHashMap<>();
        physical.put("artifactLocation", Map.of("uri", uri(file)));
        physical.put("region", region);
        return new LinkedHashMap<>(Map.of("physicalLocation", physical));
    }

    /// A path as a URI: relative ones stay relative, to the folder that is looked at.
    private static String uri(String file) {
        try {
            return file.startsWith("/")
                    ? new URI("file", "", file, null).toASCIIString()
                    : new URI(null, null, "./" + file, null).toASCIIString().substring(2);
        } catch (URISyntaxException e) {
            throw new InputException(file + " is no path", e);
        }
    }

    private static Map<String, Object> text(String words) {
        return Map.of("text", words);
    }
}
