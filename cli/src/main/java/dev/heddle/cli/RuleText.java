package dev.heddle.cli;

import dev.heddle.isa.Suggestion;
import dev.heddle.isa.rule.Example;
import dev.heddle.isa.rule.Explanation;
import dev.heddle.isa.rule.Rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// A rule in words: what it is, why, a wrong and a right example, what to do.
///
/// @param rule the rule
record RuleText(Rule rule) {
    /// No opcode of an instruction has a hyphen; matrix opcodes and approximate functions have
    /// dots.
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)+");

    /// The rule that a word names.
    ///
    /// @throws UsageError where it can be nothing but a rule, and is none
    static Optional<Rule> rule(String word) {
        Optional<Rule> rule = Rule.named(word);
        if (rule.isPresent() || !NAME.matcher(word).matches()) {
            return rule;
        }
        String message = "no rule '" + word + "'";
        throw new UsageError(
                message,
                Suggestion.nearest(word, ids())
                        .map(near -> List.of("heddle explain " + near))
                        .orElse(List.of("heddle explain --rules")));
    }

    /// The names of all rules.
    static List<String> ids() {
        return Arrays.stream(Rule.values()).map(Rule::id).toList();
    }

    /// One line of the list of rules.
    static String line(Rule rule) {
        return "%-32s %-12s %-7s %s"
                .formatted(rule.id(), rule.group().word(), rule.severity().word(), rule.text());
    }

    /// One line of the list for programs.
    static Map<String, Object> row(Rule rule) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("rule", rule.id());
        object.put("group", rule.group().word());
        object.put("verdict", rule.verdict().words());
        object.put("severity", rule.severity().word());
        object.put("section", rule.section());
        object.put("text", rule.text());
        object.put("formerly", rule.formerIds());
        return object;
    }

    /// The explanation for people.
    List<String> lines() {
        Explanation text = Explanation.of(rule);
        List<String> lines = new ArrayList<>();
        lines.add("%s: %s".formatted(rule.id(), rule.text()));
        lines.add(
                "  %s (%s), group %s%s"
                        .formatted(
                                rule.verdict(),
                                rule.severity().word(),
                                rule.group().word(),
                                rule.section().isEmpty() ? "" : ", PTX ISA " + rule.section()));
        lines.add("");
        lines.add(text.why());
        example(lines, "Wrong", text.wrong());
        example(lines, "Right", text.right());
        lines.add("");
        lines.add("What to do: " + text.remedy());
        if (!rule.formerIds().isEmpty()) {
            lines.add("Formerly: " + String.join(", ", rule.formerIds()));
        }
        if (text.wrong().extent() == Example.Extent.BODY) {
            lines.add("--json gives the examples as whole modules.");
        }
        return lines;
    }

    private static void example(List<String> lines, String title, Example example) {
        lines.add("");
        lines.add(title + example.circumstances() + ":");
        example.lines().lines().forEach(line -> lines.add("    " + line));
    }

    /// The explanation for programs.
    Map<String, Object> object() {
        Explanation text = Explanation.of(rule);
        Map<String, Object> object = row(rule);
        object.put("why", text.why());
        object.put("remedy", text.remedy());
        object.put("wrong", object(text.wrong()));
        object.put("right", object(text.right()));
        return object;
    }

    private static Map<String, Object> object(Example example) {
        return Map.of(
                "lines", example.lines(),
                "module", example.module(),
                "threads", example.threads(),
                "ctas", example.ctas());
    }
}
