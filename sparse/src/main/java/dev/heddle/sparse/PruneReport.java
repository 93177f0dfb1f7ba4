package dev.heddle.sparse;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// What pruning has left of a matrix.
///
/// @param pattern what the matrix conforms to now
/// @param type    its size
/// @param nonzero elements other than zero before
/// @param kept    elements other than zero after
/// @param before  of each row the sum of squared magnitudes before
/// @param after   of each row the sum of squared magnitudes after
public record PruneReport(
        Pattern pattern,
        MatrixType type,
        long nonzero,
        long kept,
        List<Double> before,
        List<Double> after) {
    public PruneReport {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /// The share of the Frobenius norm that is left: 1 if nothing was lost.
    public double normKept() {
        return normKept(0, before.size());
    }

    /// The same of some rows.
    double normKept(int first, int end) {
        double total = sum(before, first, end);
        return total == 0 ? 1 : Math.sqrt(sum(after, first, end) / total);
    }

    double squaresBefore() {
        return sum(before, 0, before.size());
    }

    double squaresAfter() {
        return sum(after, 0, after.size());
    }

    private static double sum(List<Double> squares, int first, int end) {
        return squares.subList(first, end).stream().mapToDouble(square -> square).sum();
    }

    /// The share of a row's norm that is left.
    public double normKept(int row) {
        return before.get(row) == 0 ? 1 : Math.sqrt(after.get(row) / before.get(row));
    }

    /// The rows that lost most, the worst first.
    public List<Integer> worstRows(int count) {
        return IntStream.range(0, before.size())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer row) -> normKept(row)))
                .limit(count)
                .toList();
    }

    /// A line on the whole and one for each of the worst rows.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%s to %s: %d of %d elements other than zero stay, %.4f of the norm",
                        type,
                        pattern,
                        kept,
                        nonzero,
                        normKept()));
        for (int row : worstRows(3)) {
            if (normKept(row) < 1) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                "%n  row %d keeps %.4f of its norm",
                                row,
                                normKept(row)));
            }
        }
        return text.toString();
    }

    /// A picture of the rows: bars as long as the share of the norm that is left.
    public String svg() {
        int bars = Math.min(128, before.size());
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 %d\" font-family=\"sans-serif\" font-size=\"11\">%n"
                        .formatted(bars * 4 + 40));
        svg.append("<title>Norm that pruning to %s leaves, by rows</title>%n".formatted(pattern));
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"10\" y=\"16\">%s to %s: %.4f of the norm stays; a bar is %d"
                                + " row(s), 0 to 1</text>%n",
                        type,
                        pattern,
                        normKept(),
                        Math.ceilDiv(before.size(), bars)));
        for (int bar = 0; bar < bars; bar++) {
            int first = (int) ((long) bar * before.size() / bars);
            int end = (int) ((bar + 1L) * before.size() / bars);
            double share = normKept(first, end);
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<rect x=\"10\" y=\"%d\" width=\"%.1f\" height=\"3\""
                                + " fill=\"#4477aa\"><title>rows %d to %d: %.4f</title></rect>%n",
                            28 + bar * 4,
                            640 * share,
                            first,
                            end - 1,
                            share));
        }
        return svg.append("</svg>%n".formatted()).toString();
    }
}
