package dev.heddle.cli;

import dev.heddle.isa.rule.Explanation;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Position;
import dev.heddle.vm.report.Suppressions;

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
/// A result is at the line of the source where `.loc` tells it, and at the PTX else; the PTX is a
/// related location then, as the places of the notes are.
final class SarifLog {
    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    /// The first place of `kernel.cu:5, inlined at kernel.cu:9`.
    private static final Pattern SOURCE = Pattern.compile("(.*?):([0-9]+)(, inlined at .*)?");

    private final List<Logged> findings = new ArrayList<>();

    /// A finding.
    ///
    /// @param suppression the line of a suppression file that passes it over, or null
    private record Logged(FindingRecord finding, @Nullable String suppression) {}

    void add(List<FindingRecord> more) {
        more.forEach(one -> findings.add(new Logged(one, null)));
    }

    void addSuppressed(List<Suppressions.Suppressed> more) {
        for (Suppressions.Suppressed one : more) {
            findings.add(new Logged(FindingRecord.of(one.finding()), one.by().text()));
        }
    }

    /// The whole log.
    Map<String, Object> object() {
        Set<Rule> broken = new LinkedHashSet<>();
        findings.forEach(finding -> broken.add(finding.finding().rule()));
        List<Rule> rules = List.copyOf(broken);
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "Heddle");
        driver.put("rules", rules.stream().map(SarifLog::rule).toList());
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("tool", Map.of("driver", driver));
        run.put("columnKind", "utf16CodeUnits");
        run.put(
                "results",
                findings.stream()
                        .map(
                                one ->
                                        result(
                                                one.finding(),
                                                rules.indexOf(one.finding().rule()),
                                                one.suppression()))
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

    /// @param suppression the line that passes it over, or null
    private static Map<String, Object> result(
            FindingRecord finding, int rule, @Nullable String suppression) {
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
        FindingRecord.Place place = finding.place();
        // The schema wants each once; two notes may say the same of one place.
        Set<Map<String, Object>> related = new LinkedHashSet<>();
        Position at = place.at();
        if (at != null) {
            Map<String, Object> ptx = location(at, finding.width());
            Matcher source = SOURCE.matcher(place.source());
            if (source.matches()) {
                object.put("locations", List.of(location(source)));
                related.add(saying("the instruction", ptx));
            } else {
                object.put("locations", List.of(ptx));
            }
        }
        for (FindingRecord.Note note : finding.notes()) {
            Position there = note.place().at();
            if (there != null) {
                Matcher source = SOURCE.matcher(note.place().source());
                related.add(
                        saying(
                                note.message(),
                                source.matches() ? location(source) : location(there, 1)));
            }
        }
        if (!related.isEmpty()) {
            object.put("relatedLocations", List.copyOf(related));
        }
        return object;
    }

    private static Map<String, Object> saying(String message, Map<String, Object> location) {
        Map<String, Object> object = new LinkedHashMap<>(location);
        object.put("message", text(message));
        return object;
    }

    private static Map<String, Object> location(Matcher source) {
        int line = Math.max(1, Integer.parseInt(source.group(2)));
        return physical(source.group(1), Map.of("startLine", line));
    }

    private static Map<String, Object> location(Position at, int width) {
        Map<String, Object> region = new LinkedHashMap<>();
        region.put("startLine", at.line());
        region.put("startColumn", at.column());
        region.put("endColumn", at.column() + Math.max(1, width));
        return physical(at.file(), region);
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
            throw new IllegalArgumentException(file + " is no path", e);
        }
    }

    private static Map<String, Object> text(String words) {
        return Map.of("text", words);
    }
}
