package dev.heddle.isa.rule;

import java.util.Arrays;
import java.util.List;

/// The rules as a page of text.
public final class RulesPage {
    private RulesPage() {}

    /// The page, in Markdown.
    public static String markdown() {
        StringBuilder page = new StringBuilder("# What a kernel can do wrong\n\n");
        page.append(
                """
                Printed from the table of rules (`dev.heddle.isa.rule.Rule`) and the texts beside it.
                `heddle explain RULE` prints one, `heddle explain --rules` lists them.
                `heddle check` and `heddle run` name the same rules.
                Sections are those of the manual of PTX ISA 9.1.

                A test checks and runs every example: the wrong one breaks its rule and no other,
                the right one breaks none. Those in a program are run by `heddle cuda`.
                Examples of a few lines stand in this kernel, for `LINES`:

                """);
        code(page, Example.frame());
        page.append(
                """

                `%rd1` is the address of 4096 bytes to write, `%rd2` of 4096 zeros to read,
                `%rd3` of the thread's own word among those to write.
                `map` is a tensor map of 8 by 8 by 1 floats at a time over the zeros,
                `surface` the handle of a surface of 256 words over them.
                One CTA of 32 threads runs it, where nothing else is said.
                """);
        for (RuleGroup group : RuleGroup.values()) {
            List<Rule> rules =
                    Arrays.stream(Rule.values()).filter(rule -> rule.group() == group).toList();
            page.append("\n## %s\n".formatted(group.word()));
            rules.forEach(rule -> rule(page, rule));
        }
        return page.toString();
    }

    private static void rule(StringBuilder page, Rule rule) {
        Explanation text = Explanation.of(rule);
        page.append("\n### %s\n\n%s: %s.\n".formatted(rule.id(), rule.verdict(), rule.text()));
        page.append(rule.section().isEmpty() ? "" : "PTX ISA %s.\n".formatted(rule.section()));
        page.append('\n').append(text.why()).append("\n\n");
        page.append("What to do: ").append(text.remedy()).append('\n');
        example(page, "Wrong", text.wrong());
        example(page, "Right", text.right());
        if (!rule.formerIds().isEmpty()) {
            page.append("\nFormerly: %s.\n".formatted(String.join(", ", rule.formerIds())));
        }
    }

    private static void example(StringBuilder page, String title, Example example) {
        page.append("\n%s%s:\n\n".formatted(title, example.circumstances()));
        code(page, example.lines());
    }

    private static void code(StringBuilder page, String text) {
        page.append("```\n").append(text).append("```\n");
    }
}
