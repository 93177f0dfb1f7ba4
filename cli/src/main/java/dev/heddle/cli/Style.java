package dev.heddle.cli;

import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.List;

/// How a call shows what it says: coloured or not, fitted to a width or not.
///
/// @param colorOut whether standard output is coloured
/// @param colorErr whether standard error is coloured
/// @param errors whether standard error is a terminal
/// @param columns to which lines for people are fitted; 0 for as long as they are
record Style(boolean colorOut, boolean colorErr, boolean errors, int columns) {
    static final String OPTION = "--color";

    /// The values of the option.
    static final List<String> CHOICES = List.of("auto", "always", "never");

    private static final int NARROWEST = 40;

    /// The style that the words of a call and the terminal ask for. What programs read is left as
    /// it is.
    static Style of(List<String> words, Terminal terminal) {
        String when = when(words);
        boolean read = words.contains("--json");
        boolean auto = !when.equals("always") && !when.equals("never") && !terminal.plain();
        boolean always = when.equals("always");
        return new Style(
                !read && (always || auto && terminal.columns() > 0),
                always || auto && terminal.errors(),
                terminal.errors(),
                read || terminal.columns() == 0 ? 0 : Math.max(NARROWEST, terminal.columns()));
    }

    private static String when(List<String> words) {
        int last = words.lastIndexOf(OPTION);
        if (last >= 0 && last + 1 < words.size()) {
            return words.get(last + 1);
        }
        String when = "auto";
        for (String word : words) {
            if (word.startsWith(OPTION + "=")) {
                when = word.substring(OPTION.length() + 1);
            }
        }
        return when;
    }

    /// Refuses a value of the option that is none.
    static void check(ParseResult given) {
        String when = Command.value(given, OPTION);
        if (when != null && !CHOICES.contains(when)) {
            throw new UsageError(
                    OPTION + " " + when + ": expected one of " + String.join(" ", CHOICES));
        }
    }

    PrintWriter out(PrintWriter out) {
        return colorOut || columns > 0 ? new PrintWriter(new Screen(out, colorOut, columns)) : out;
    }

    PrintWriter err(PrintWriter err) {
        return colorErr || errors ? new PrintWriter(new Screen(err, colorErr, 0)) : err;
    }
}
