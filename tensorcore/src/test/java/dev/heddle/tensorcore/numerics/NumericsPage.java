package dev.heddle.tensorcore.numerics;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Role;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The numerics table as a page of text: for every generation, each rule with the forms that follow
/// it and the evidence.
public final class NumericsPage {

    /// Forms that share a rule.
    private record Rule(Family family, String description, String evidence) {}

    private NumericsPage() {}

    /// The page, in Markdown.
    public static String markdown() {
        StringBuilder page = new StringBuilder("# What the generations compute\n\n");
        page.append("Printed from the numerics table (`Numerics`). ")
                .append(
                        "A row is a rule; its forms are given by their element types d.a.b and"
                                + " k.\n");
        for (Generation generation : Generation.values()) {
            page.append("\n## %s (%s)\n\n".formatted(generation, generation.products()));
            page.append("| instruction | forms | rule | evidence |\n| --- | --- | --- | --- |\n");
            rules(generation)
                    .forEach(
                            (rule, forms) ->
                                    page.append(
                                            "| `%s` | %s | %s | %s |\n"
                                                    .formatted(
                                                            rule.family.mnemonic(),
                                                            String.join(", ", forms),
                                                            rule.description,
                                                            rule.evidence)));
        }
        return page.toString();
    }

    private static Map<Rule, Set<String>> rules(Generation generation) {
        Map<Rule, Set<String>> rules = new LinkedHashMap<>();
        for (Form form : Forms.all()) {
            Numerics.of(form, generation)
                    .ifPresent(
                            accumulation ->
                                    rules.computeIfAbsent(
                                                    rule(form, accumulation),
                                                    unseen -> new LinkedHashSet<>())
                                            .add(name(form)));
        }
        return rules;
    }

    private static Rule rule(Form form, Accumulation accumulation) {
        return new Rule(
                form.family(),
                accumulation.description(),
                accumulation.evidence().stream()
                        .map(Evidence::toString)
                        .collect(Collectors.joining("; ")));
    }

    /// The types and the depth: `f32.f16.f16 k16`.
    private static String name(Form form) {
        String kind = form.kind().map(word -> word + " ").orElse("");
        return "%s%s.%s.%s k%d"
                .formatted(
                        kind,
                        form.type(Role.D).ptxName(),
                        form.type(Role.A).ptxName(),
                        form.type(Role.B).ptxName(),
                        form.shape().k());
    }
}
