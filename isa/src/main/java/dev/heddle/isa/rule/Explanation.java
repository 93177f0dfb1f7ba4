package dev.heddle.isa.rule;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What a rule is for: read from the text beside this class that has the rule's name.
///
/// Such a text is a paragraph that says why, a line `do: ...`, and below `wrong:` and `right:` an
/// example each, indented. A heading may say how much of a module the example is, and how it is
/// run: `wrong (module, block 64):`.
///
/// @param why what goes wrong where the rule is broken
/// @param remedy what to do
/// @param wrong breaks this rule and no other
/// @param right keeps all rules
public record Explanation(String why, String remedy, Example wrong, Example right) {

    /// Of a rule.
    public static Explanation of(Rule rule) {
        return parse(rule.id() + ".txt");
    }

    private static Explanation parse(String resource) {
        List<String> paragraphs = new ArrayList<>();
        String heading = "";
        StringBuilder part = new StringBuilder();
        List<String> lines = new ArrayList<>(text(resource).lines().toList());
        lines.add("right:");
        Example wrong = null;
        Example right = null;
        for (String line : lines) {
            if (!line.startsWith("wrong") && !line.startsWith("right")) {
                part.append(line).append('\n');
                continue;
            }
            if (heading.startsWith("wrong")) {
                wrong = Example.parse(heading, part.toString());
            } else if (heading.startsWith("right")) {
                right = Example.parse(heading, part.toString());
            } else {
                paragraphs.addAll(List.of(part.toString().strip().split("\n\ndo: ")));
            }
            heading = line;
            part.setLength(0);
        }
        if (paragraphs.size() != 2 || wrong == null || right == null) {
            throw new IllegalStateException(resource + " lacks a part");
        }
        return new Explanation(paragraphs.get(0), paragraphs.get(1), wrong, right);
    }

    private static String text(String resource) {
        try (InputStream in = Explanation.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
