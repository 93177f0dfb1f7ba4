package dev.heddle.sparse;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// What pruning has left of the matrices of a file or a checkpoint.
///
/// @param matrices by name, in the order of the file
public record PruneReports(Map<String, PruneReport> matrices) {
    private static final int LINE = 18;
    private static final int TOP = 56;
    private static final int LONGEST_NAME = 44;
    private static final int BAR = 330;
    private static final int BAR_WIDTH = 200;
    private static final int STRIP = 600;
    private static final int CELLS = 48;
    private static final int CELL_WIDTH = 6;
    private static final int WORST = 900;
    private static final int WIDTH = 1140;

    public PruneReports {
        matrices = Collections.unmodifiableMap(new LinkedHashMap<>(matrices));
    }

    /// The share of the norm of all elements of all matrices that is left.
    public double normKept() {
        double before = 0;
        double after = 0;
        for (PruneReport report : matrices.values()) {
            before += report.squaresBefore();
            after += report.squaresAfter();
        }
        return before == 0 ? 1 : Math.sqrt(after / before);
    }

    /// A line on all matrices together.
    @Override
    public String toString() {
        long nonzero = matrices.values().stream().mapToLong(PruneReport::nonzero).sum();
        long kept = matrices.values().stream().mapToLong(PruneReport::kept).sum();
        return String.format(
                Locale.ROOT,
                "%d matrices: %d of %d elements other than zero stay, %.4f of the norm",
                matrices.size(),
                kept,
                nonzero,
                normKept());
    }

    /// A picture with a line for every matrix: a bar as long as the share of the norm that is left,
    /// a strip of the same by rows, and the worst rows.
    public String svg() {
        StringBuilder svg = new StringBuilder();
        int height = TOP + matrices.size() * LINE + 10;
        line(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                                .formatted(WIDTH, height)
                        + " font-family=\"sans-serif\" font-size=\"11\">");
        line(svg, "<title>Norm that pruning leaves, by matrices and rows</title>");
        text(svg, 10, 16, toString());
        text(svg, 10, TOP - 12, "matrix");
        text(svg, BAR, TOP - 12, "share of the norm that stays, 0 to 1");
        text(svg, STRIP, TOP - 12, "by rows, the first on the left; dark: half or less");
        text(svg, WORST, TOP - 12, "worst rows");
        int top = TOP;
        for (Map.Entry<String, PruneReport> matrix : matrices.entrySet()) {
            draw(svg, matrix.getKey(), matrix.getValue(), top);
            top += LINE;
        }
        line(svg, "</svg>");
        return svg.toString();
    }

    private static void draw(StringBuilder svg, String name, PruneReport report, int top) {
        String words = "%s: %s to %s".formatted(name, report.type(), report.pattern());
        line(svg, "<g><title>%s</title>".formatted(escaped(words)));
        text(svg, 10, top + 11, shortened(name));
        double share = report.normKept();
        rectangle(svg, BAR, top, BAR_WIDTH, "#dddddd");
        rectangle(svg, BAR, top, BAR_WIDTH * share, "#4477aa");
        text(svg, BAR + BAR_WIDTH + 8, top + 11, number(share));
        int rows = report.type().rows();
        int cells = Math.min(CELLS, rows);
        for (int cell = 0; cell < cells; cell++) {
            int first = (int) ((long) cell * rows / cells);
            int end = (int) ((cell + 1L) * rows / cells);
            double here = Math.clamp(report.normKept(first, end), 0.5, 1);
            String colour = String.format(Locale.ROOT, "hsl(210 45%% %.0f%%)", 130 * here - 40);
            rectangle(svg, STRIP + cell * CELL_WIDTH, top, CELL_WIDTH, colour);
        }
        text(svg, WORST, top + 11, worst(report));
        line(svg, "</g>");
    }

    private static String worst(PruneReport report) {
        return report.worstRows(3).stream()
                .filter(row -> report.normKept(row) < 1)
                .map(row -> "%d: %s".formatted(row, number(report.normKept(row))))
                .collect(Collectors.joining(", "));
    }

    private static String number(double share) {
        return String.format(Locale.ROOT, "%.4f", share);
    }

    private static void rectangle(StringBuilder svg, int x, int y, double width, String colour) {
        line(
                svg,
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"13\" fill=\"%s\"/>",
                        x,
                        y,
                        width,
                        colour));
    }

    private static void text(StringBuilder svg, int x, int y, String words) {
        line(svg, "<text x=\"%d\" y=\"%d\">%s</text>".formatted(x, y, escaped(words)));
    }

    private static void line(StringBuilder svg, String words) {
        svg.append(words).append('\n');
    }

    private static String shortened(String name) {
        int more = name.length() - LONGEST_NAME;
        return more <= 0 ? name : "…" + name.substring(more + 1);
    }

    /// Names come from files: characters that XML does not allow are replaced.
    private static String escaped(String words) {
        return words.replaceAll("[^\\x20-\\x{d7ff}\\x{e000}-\\x{fffd}\\x{10000}-\\x{10ffff}]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
