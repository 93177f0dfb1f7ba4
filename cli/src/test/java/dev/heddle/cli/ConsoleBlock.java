package dev.heddle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A fenced block of a document that shows commands and what they print.
///
/// @param line  of the document that opens it, from 1
/// @param steps its commands, in order
record ConsoleBlock(int line, List<Step> steps) {
    private static final String PROMPT = "$ ";
    /// What differs from one run to the next.
    private static final Pattern TIMES =
            Pattern.compile("[0-9.]+ s\\b|[0-9.]+ million a second|Java [0-9][-+.0-9A-Z]*");

    /// A command and what the document says that it prints.
    ///
    /// @param command without the prompt, one line
    /// @param source  as it stands in the document
    record Step(String command, List<String> source, List<String> printed) {
        /// Whether an answer is the one that is printed: `...` stands for anything, on a line of
        /// its own for any lines (though not for all), and times may differ.
        boolean shows(Shell.Answer answer) {
            if (printed.stream().allMatch(l -> l.equals("...") || l.startsWith("(exit"))
                    && !printed.isEmpty()) {
                return false; // nothing is shown
            }
            StringBuilder regex = new StringBuilder();
            for (String line : printed) {
                regex.append(line.equals("...") ? "(?:.*\\n)*?" : pattern(line) + "\\n");
            }
            return Pattern.compile(regex.toString())
                    .matcher(
                            timeless(
                                    String.join(
                                            "",
                                            lines(answer).stream().map(l -> l + "\n").toList())))
                    .matches();
        }

        private static String pattern(String line) {
            List<String> parts = new ArrayList<>();
            for (String part : timeless(line).split("[.]{3}", -1)) {
                parts.add(Pattern.quote(part));
            }
            return String.join(".*", parts);
        }

        private static String timeless(String text) {
            return TIMES.matcher(text).replaceAll("TIME");
        }
    }

    /// The lines that a document should print of an answer.
    static List<String> lines(Shell.Answer answer) {
        List<String> lines =
                new ArrayList<>(answer.text().lines().map(String::stripTrailing).toList());
        while (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        if (answer.code() != 0) {
            lines.add("(exit code " + answer.code() + ")");
        }
        return lines;
    }

    /// The blocks of a document, in order.
    static List<ConsoleBlock> of(List<String> document) {
        List<ConsoleBlock> blocks = new ArrayList<>();
        for (int i = 0; i < document.size(); i++) {
            if (document.get(i).equals("```console")) {
                int end = i + 1;
                while (!document.get(end).equals("```")) {
                    end++;
                }
                blocks.add(new ConsoleBlock(i + 1, steps(document.subList(i + 1, end))));
                i = end;
            }
        }
        return blocks;
    }

    private static List<Step> steps(List<String> lines) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < lines.size(); ) {
            if (!lines.get(i).startsWith(PROMPT)) {
                throw new IllegalArgumentException("no command before: " + lines.get(i));
            }
            List<String> source = new ArrayList<>();
            StringBuilder command = new StringBuilder();
            boolean goesOn;
            do {
                String line = lines.get(i++);
                source.add(line);
                goesOn = line.endsWith("\\");
                command.append(goesOn ? line.substring(0, line.length() - 1) : line);
            } while (goesOn);
            List<String> printed = new ArrayList<>();
            while (i < lines.size() && !lines.get(i).startsWith(PROMPT)) {
                printed.add(lines.get(i++).stripTrailing());
            }
            while (!printed.isEmpty() && printed.getLast().isEmpty()) {
                printed.removeLast();
            }
            steps.add(new Step(command.substring(PROMPT.length()), source, printed));
        }
        return steps;
    }
}
