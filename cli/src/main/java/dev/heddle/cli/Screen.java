package dev.heddle.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Lines for people on a terminal: findings coloured and fitted to its width.
///
/// Findings have one form everywhere, in words alone: `PLACE: OUTCOME: MESSAGE`, the line of the
/// source behind its number, a caret below it, and `LABEL: TEXT`. They are recognised by it, so
/// that what says them need not know of terminals. All other lines pass as they are, but what would
/// move the cursor or change colours: names in files are strangers' words.
final class Screen extends Writer {
    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String RED = "\u001b[1;31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[1;33m";
    private static final String CYAN = "\u001b[36m";

    private static final String BAD =
            "invalid|undefined behavior|deadlock|assertion failed|resource exhausted";
    private static final String WEAK = "advice|unsupported|unspecified|warning";
    private static final Pattern FINDING =
            Pattern.compile(
                    "(\\s*)(\\S+:[0-9]+:[0-9]+: |heddle: )?(?:(%s)|(%s)|(note)): (.*)"
                            .formatted(BAD, WEAK));
    private static final Pattern COMPLAINT = Pattern.compile("(heddle: )(.*)");
    private static final Pattern SOURCE = Pattern.compile("(\\s*[0-9]+ \\| )(.*)");
    private static final Pattern CARET = Pattern.compile("(\\s*\\| )( *)(\\^+)");
    private static final Pattern LABEL =
            Pattern.compile(
                    "(\\s*)(remedy|help|note|rule|source|nearest legal form|nearest|try)(: |"
                            + " )(.*)");
    private static final Pattern VERDICT =
            Pattern.compile(
                    "(?:(ok|equal|as expected|ended without a finding)"
                            + "|(failed|wrong|different|refused|invalid))\\b(.*)");

    private final Writer to;
    private final boolean colored;
    private final int columns;
    private final StringBuilder line = new StringBuilder();

    /// A line of the source that waits for its caret; empty for none.
    private String waiting = "";

    /// @param columns 0 for as long as lines are
    Screen(Writer to, boolean colored, int columns) {
        this.to = to;
        this.colored = colored;
        this.columns = columns;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        for (int i = from; i < from + length; i++) {
            if (text[i] == '\n') {
                end(printable(line.toString()));
                line.setLength(0);
            } else {
                line.append(text[i]);
            }
        }
    }

    private static String printable(String text) {
        int length = text.endsWith("\r") ? text.length() - 1 : text.length();
        StringBuilder shown = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean control = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            shown.append(control && c != '\t' ? '?' : c);
        }
        return shown.toString();
    }

    private void end(String text) throws IOException {
        if (!waiting.isEmpty()) {
            Matcher caret = CARET.matcher(text);
            String source = waiting;
            waiting = "";
            if (caret.matches()) {
                excerpt(source, caret);
                return;
            }
            put(source(shortened(source, columns)));
        }
        if (SOURCE.matcher(text).matches()) {
            waiting = text;
            return;
        }
        for (String one : wrapped(text)) {
            put(colored ? painted(one) : one);
        }
    }

    /// A line of the source and the caret below it, the part around the caret where it is long.
    private void excerpt(String source, Matcher caret) throws IOException {
        Matcher parts = SOURCE.matcher(source);
        if (!parts.matches()) {
            throw new IllegalStateException(source);
        }
        int room = columns == 0 ? Integer.MAX_VALUE : columns - parts.group(1).length();
        String text = parts.group(2);
        int column = caret.group(2).length();
        int width = caret.group(3).length();
        int from = text.length() <= room ? 0 : Math.clamp(column - room / 4, 0, text.length());
        String shown = text.substring(from, (int) Math.min(text.length(), (long) from + room));
        put(source(parts.group(1) + shown));
        int marks = Math.min(width, Math.max(1, shown.length() - (column - from)));
        put(caret.group(1) + " ".repeat(column - from) + color(RED, "^".repeat(marks)));
    }

    private static String shortened(String text, int columns) {
        return columns == 0 || text.length() <= columns
                ? text
                : text.substring(0, columns - 3) + "...";
    }

    private String source(String text) {
        int bar = text.indexOf('|');
        return color(CYAN, text.substring(0, bar + 1)) + text.substring(bar + 1);
    }

    /// Sentences of findings, wrapped between words; what else there is, such as tables, is not.
    private List<String> wrapped(String text) {
        if (columns == 0
                || text.length() <= columns
                || !FINDING.matcher(text).matches() && !LABEL.matcher(text).matches()) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        String indent = " ".repeat(4 + text.length() - text.stripLeading().length());
        String rest = text;
        while (rest.length() > columns) {
            int blank = rest.lastIndexOf(' ', columns);
            if (blank <= indent.length()) {
                break; // one long word
            }
            lines.add(rest.substring(0, blank));
            rest = indent + rest.substring(blank + 1);
        }
        lines.add(rest);
        return lines;
    }

    private static String painted(String text) {
        Matcher finding = FINDING.matcher(text);
        if (finding.matches()) {
            int kind = finding.group(3) != null ? 3 : finding.group(4) != null ? 4 : 5;
            String place = finding.group(2) == null ? "" : BOLD + finding.group(2) + RESET;
            String outcome = finding.group(kind) + ":";
            return finding.group(1)
                    + place
                    + (kind == 3 ? RED : kind == 4 ? YELLOW : CYAN)
                    + outcome
                    + RESET
                    + " "
                    + finding.group(6);
        }
        Matcher label = LABEL.matcher(text);
        if (label.matches()) {
            boolean helps = !label.group(2).equals("rule") && !label.group(2).equals("source");
            return label.group(1)
                    + (helps ? GREEN : CYAN)
                    + label.group(2)
                    + label.group(3)
                    + RESET
                    + label.group(4);
        }
        Matcher complaint = COMPLAINT.matcher(text);
        if (complaint.matches()) {
            return RED + complaint.group(1) + RESET + complaint.group(2);
        }
        Matcher verdict = VERDICT.matcher(text);
        if (verdict.matches()) {
            boolean good = verdict.group(1) != null;
            return (good ? GREEN : RED) + verdict.group(good ? 1 : 2) + RESET + verdict.group(3);
        }
        return text;
    }

    private String color(String color, String text) {
        return colored ? color + text + RESET : text;
    }

    private void put(String text) throws IOException {
        to.write(text);
        to.write('\n');
    }

    /// Passes on what is whole, and an unfinished line as it is: somebody waits for it.
    @Override
    public void flush() throws IOException {
        if (!waiting.isEmpty()) {
            put(source(shortened(waiting, columns)));
            waiting = "";
        }
        to.write(line.toString());
        line.setLength(0);
        to.flush();
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
