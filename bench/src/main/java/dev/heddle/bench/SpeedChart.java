package dev.heddle.bench;

import java.util.List;
import java.util.Locale;

/// A chart of how long kernels take, on a logarithmic scale.
final class SpeedChart {
    private static final int LEFT = 130;
    private static final int WIDTH = 620;
    private static final int BAR = 14;

    /// Seconds at the left edge, and tenfold steps to the right one.
    private static final double LEAST = 1e-3;

    private static final int DECADES = 4;

    private SpeedChart() {}

    private record Bar(String label, double seconds, String colour) {}

    static String svg(List<SpeedComparison.Row> rows) {
        StringBuilder text = new StringBuilder();
        int y = 30;
        for (SpeedComparison.Row row : rows) {
            text.append(label(y + 2 * BAR, row.name().toLowerCase(Locale.ROOT)));
            for (Bar bar :
                    List.of(
                            new Bar("C", row.reference(), "#999999"),
                            new Bar("warm", row.best(), "#0072b2"),
                            new Bar("warm, whole launch", row.launchBest(), "#56b4e9"),
                            new Bar("warm, with checks", row.checked(), "#e69f00"),
                            new Bar("cold", row.cold(), "#d55e00"))) {
                if (!Double.isNaN(bar.seconds())) {
                    text.append(bar(y, bar));
                    y += BAR + 2;
                }
            }
            y += BAR;
        }
        return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" font-family="sans-serif" font-size="11">
        <title>Seconds a launch takes, one worker (the sparse product: two); logarithmic</title>
        <rect width="100%%" height="100%%" fill="white"/>
        %3$s%4$s</svg>
        """
                .formatted(LEFT + WIDTH + 150, y + 10, axis(y), text);
    }

    private static double at(double seconds) {
        return LEFT + WIDTH * Math.max(0, Math.log10(seconds / LEAST)) / DECADES;
    }

    private static String axis(int bottom) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= DECADES; i++) {
            double seconds = LEAST * Math.pow(10, i);
            text.append(
                    String.format(
                            Locale.ROOT,
                            "<line x1=\"%1$.0f\" x2=\"%1$.0f\" y1=\"20\" y2=\"%2$d\""
                                    + " stroke=\"#dddddd\"/>%n<text x=\"%1$.0f\" y=\"14\""
                                    + " text-anchor=\"middle\">%3$s s</text>%n",
                            at(seconds),
                            bottom,
                            seconds < 1
                                    ? Double.toString(seconds)
                                    : Long.toString((long) seconds)));
        }
        return text.toString();
    }

    private static String label(int y, String name) {
        return "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-weight=\"bold\">%s</text>%n"
                .formatted(LEFT - 8, y, name);
    }

    private static String bar(int y, Bar bar) {
        return String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n<text"
                        + " x=\"%.1f\" y=\"%d\">%s %.4f</text>%n",
                LEFT,
                y,
                Math.max(1, at(bar.seconds()) - LEFT),
                BAR,
                bar.colour(),
                at(bar.seconds()) + 4,
                y + BAR - 3,
                bar.label(),
                bar.seconds());
    }
}
