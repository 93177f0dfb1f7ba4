package dev.heddle.vm.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Launches as JUnit XML, which continuous integration shows as tests.
public final class JunitXml {
    private final String suite;
    private final List<Case> cases = new ArrayList<>();

    /// No tests yet.
    ///
    /// @param suite the name of all of them
    public JunitXml(String suite) {
        this.suite = suite;
    }

    /// A test: a launch, or all launches of a kernel in a program.
    ///
    /// @param name of the launch file, or the kernel
    /// @param group the kernel, or the program; or the empty text
    /// @param seconds that it ran
    /// @param verdict `ok`, `failed`, `skipped`, or why it did not run
    /// @param complaints what is wrong, each with its finding
    public record Case(
            String name, String group, double seconds, String verdict, List<String> complaints) {
        boolean failed() {
            return verdict.equals("failed");
        }

        boolean skipped() {
            return verdict.equals("skipped");
        }

        boolean error() {
            return !failed() && !skipped() && !verdict.equals("ok");
        }
    }

    /// Adds a test.
    public void add(Case one) {
        cases.add(one);
    }

    /// The whole document.
    public String document() {
        double seconds = cases.stream().mapToDouble(Case::seconds).sum();
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append(
                String.format(
                        Locale.ROOT,
                        "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\""
                                + " skipped=\"%d\" time=\"%.3f\">%n",
                        escaped(suite),
                        cases.size(),
                        cases.stream().filter(Case::failed).count(),
                        cases.stream().filter(Case::error).count(),
                        cases.stream().filter(Case::skipped).count(),
                        seconds));
        cases.forEach(one -> append(xml, one));
        return xml.append("</testsuite>\n").toString();
    }

    private static void append(StringBuilder xml, Case one) {
        xml.append(
                String.format(
                        Locale.ROOT,
                        "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\"",
                        escaped(one.group()),
                        escaped(one.name()),
                        one.seconds()));
        if (one.verdict().equals("ok")) {
            xml.append("/>\n");
            return;
        }
        xml.append(">\n");
        String element = one.skipped() ? "skipped" : one.failed() ? "failure" : "error";
        String whole = String.join("\n", one.complaints());
        String first = whole.lines().findFirst().orElse(one.verdict());
        xml.append("    <%s message=\"%s\"".formatted(element, escaped(first)));
        xml.append(one.skipped() ? "" : " type=\"%s\"".formatted(escaped(one.verdict())));
        xml.append(">%s</%s>\n  </testcase>\n".formatted(escaped(whole), element));
    }

    /// Text as XML 1.0 may hold it: what it cannot hold becomes a question mark.
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .forEach(
                        c -> {
                            switch (c) {
                                case '<' -> out.append("&lt;");
                                case '>' -> out.append("&gt;");
                                case '&' -> out.append("&amp;");
                                case '"' -> out.append("&quot;");
                                case '\n' -> out.append("&#10;");
                                default -> out.appendCodePoint(isLegal(c) ? c : '?');
                            }
                        });
        return out.toString();
    }

    private static boolean isLegal(int c) {
        return c == '\t'
                || c >= 0x20 && c <= 0xD7FF
                || c >= 0xE000 && c <= 0xFFFD
                || c >= 0x10000 && c <= 0x10FFFF;
    }
}
