package dev.heddle.explorer;

import dev.heddle.formats.InputException;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound;
import dev.heddle.tensorcore.functions.ErrorBound.Measure;
import dev.heddle.tensorcore.functions.ErrorProfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/// The error of an approximate function over its inputs, as SVG.
///
/// Above, the largest error of each sign and exponent field, on a scale of powers of two. Below,
/// the least and the greatest error, with their signs, of all inputs whose fractions begin with the
/// same bits: there the segments of the interpolation can be seen.
public final class ErrorFigure {
    /// The functions of `docs/functions.md`, each in its plainest form.
    private static final List<String> KEPT =
            List.of(
                    """
                    ex2.approx.f32 lg2.approx.f32 rcp.approx.f32 rsqrt.approx.f32 sqrt.approx.f32
                    sin.approx.f32 cos.approx.f32 tanh.approx.f32 ex2.approx.f16
                    ex2.approx.ftz.bf16 tanh.approx.f16 tanh.approx.bf16 div.approx.f32
                    div.full.f32 rcp.approx.ftz.f64 rsqrt.approx.ftz.f64 rsqrt.approx.f64
                    """
                            .split("\\s"));

    private static final int WIDTH = 800;
    private static final int LEFT = 84;
    private static final int PANEL_WIDTH = WIDTH - LEFT - 24;
    private static final int PANEL_HEIGHT = 180;
    private static final int TOP = 64;
    private static final int SECOND = TOP + PANEL_HEIGHT + 84;
    private static final int HEIGHT = SECOND + PANEL_HEIGHT + 52;

    private final ErrorProfile profile;
    private final StringBuilder svg = new StringBuilder();

    private ErrorFigure(ErrorProfile profile) {
        this.profile = profile;
    }

    /// Draws a function.
    ///
    /// @throws InputException where its errors are not stored
    public static String of(ApproximateFunction function) {
        return new ErrorFigure(
                        ErrorProfile.of(function)
                                .orElseThrow(
                                        () ->
                                                new InputException(
                                                        function.opcode() + " has no profile")))
                .document();
    }

    /// Writes the figures of `docs/functions.md`.
    ///
    /// @return how many there are
    /// @throws IOException if the folder cannot be written
    public static int writeAll(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String opcode : KEPT) {
            ApproximateFunction function = ApproximateFunction.of(opcode).orElseThrow();
            Files.writeString(folder.resolve(opcode + ".svg"), of(function));
        }
        return KEPT.size();
    }

    private String document() {
        String opcode = profile.function().opcode();
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" class="heddle" role="img" width="%d" \
                height="%d" viewBox="0 0 %d %d">
                <title>%s: error over its inputs</title>
                <style>%s</style>
                <rect class="ground" width="100%%" height="100%%"/>
                """
                        .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT, opcode, STYLE));
        text("title", LEFT, 24, opcode + " against the exact function");
        exponents();
        fractions();
        return svg.append("</svg>\n").toString();
    }

    /// The upper panel: negative inputs on the left, the greatest outside, so that inputs ascend.
    private void exponents() {
        List<Double> largest = profile.exponents();
        int fields = largest.size() / 2;
        double[] values = new double[largest.size()];
        for (int i = 0; i < fields; i++) {
            values[fields + i] = logarithm(largest.get(i));
            values[fields - 1 - i] = logarithm(largest.get(fields + i));
        }
        double top = ceiling(DoubleStream.of(values).filter(Double::isFinite).max().orElse(0));
        double least = DoubleStream.of(values).filter(Double::isFinite).min().orElse(top);
        double bottom = Math.max(top - 48, ceiling(least) - 4);
        Axis axis = new Axis(TOP, bottom, top);
        text(
                "caption",
                LEFT,
                TOP - 12,
                "largest %s, by sign and exponent of the %s".formatted(measure(), input()));
        for (double at = bottom; at <= top; at += 4) {
            grid(axis, at, "2^%.0f".formatted(at));
        }
        for (int i = 0, end; i < values.length; i = end) {
            for (end = i + 1; end < values.length && values[end] == values[i]; ) {
                end++;
            }
            if (values[i] > bottom) {
                bar(i, end, values.length, axis.y(values[i]), axis.y(bottom));
            }
        }
        bound(axis);
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int field = 0; field < fields; field += fields / 8) {
                exponent(sign, field, fields);
            }
        }
        frame(TOP);
    }

    private void exponent(int sign, int field, int fields) {
        int bias = fields / 2 - 1;
        double x = LEFT + PANEL_WIDTH * (fields + sign * (field + 0.5)) / (2 * fields);
        if (field > 0) {
            String label = (sign < 0 ? "-2^" : "2^") + (field - bias);
            text("tick", (int) x, TOP + PANEL_HEIGHT + 16, label);
        } else if (sign > 0) {
            text("tick", LEFT + PANEL_WIDTH / 2, TOP + PANEL_HEIGHT + 16, "0");
        }
    }

    private void bound(Axis axis) {
        for (ErrorBound bound : profile.function().bounds()) {
            if (bound.measure() == profile.measure() && bound.inputs() == profile.inputs()) {
                double y = axis.y(logarithm(bound.largest()));
                if (y >= TOP && y <= TOP + PANEL_HEIGHT) {
                    line("bound", LEFT, y, LEFT + PANEL_WIDTH, y);
                    text("note", LEFT + PANEL_WIDTH - 4, (int) y - 4, "the manual's bound");
                }
            }
        }
    }

    /// The lower panel, in ulp or in units of the last place of one.
    private void fractions() {
        double unit = unit();
        double reach = 0;
        for (int i = 0; i < profile.low().size(); i++) {
            reach = Math.max(reach, Math.max(profile.high().get(i), -profile.low().get(i)) / unit);
        }
        double step = step(reach);
        double top = Math.max(step, Math.ceil(reach / step) * step);
        Axis axis = new Axis(SECOND, -top, top);
        text(
                "caption",
                LEFT,
                SECOND - 28,
                "error with its sign%s, by the fraction of the %s"
                        .formatted(
                                profile.measure() == Measure.ULPS
                                        ? " in ulp"
                                        : ", in units of 2^" + Math.getExponent(unit),
                                input()));
        text("caption", LEFT, SECOND - 12, "of " + profile.inputs() + ", positive and normal ones");
        for (double at = -top; at <= top + step / 2; at += step) {
            grid(axis, at, String.format(Locale.ROOT, step < 1 ? "%.1f" : "%.0f", at + 0.0));
        }
        int parts = profile.low().size();
        for (int i = 0; i < parts; i++) {
            bar(
                    i,
                    i + 1,
                    parts,
                    axis.y(profile.high().get(i) / unit),
                    axis.y(profile.low().get(i) / unit));
        }
        for (int i = 0; i <= 8; i++) {
            String label = String.format(Locale.ROOT, "%.3f", 1 + i / 8.0).replaceFirst("0+$", "");
            text(
                    "tick",
                    LEFT + PANEL_WIDTH * i / 8,
                    SECOND + PANEL_HEIGHT + 16,
                    label.endsWith(".") ? label + "0" : label);
        }
        frame(SECOND);
    }

    private double unit() {
        return profile.measure() == Measure.ULPS
                ? 1
                : Math.scalb(1.0, -profile.function().format().fractionBits() - 1);
    }

    private String measure() {
        return profile.measure().toString();
    }

    private String input() {
        return profile.function().real().isPresent() ? "input" : "divisor";
    }

    private static double step(double reach) {
        double step = 0.1;
        for (double factor = 5; reach / step > 4; factor = factor == 5 ? 2 : 5) {
            step *= factor;
        }
        return step;
    }

    private static double logarithm(double value) {
        return value <= 0 || Double.isInfinite(value)
                ? Double.NEGATIVE_INFINITY
                : Math.log(value) / Math.log(2);
    }

    private static double ceiling(double value) {
        return Math.ceil(value / 4) * 4;
    }

    /// The scale of a panel.
    private record Axis(int top, double least, double greatest) {
        double y(double value) {
            return top + PANEL_HEIGHT * (greatest - value) / (greatest - least);
        }
    }

    private void grid(Axis axis, double at, String label) {
        line("grid", LEFT, axis.y(at), LEFT + PANEL_WIDTH, axis.y(at));
        text("row", LEFT - 8, (int) axis.y(at) + 4, label);
    }

    private void bar(int first, int end, int count, double from, double to) {
        double width = (double) PANEL_WIDTH / count;
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<rect class=\"bar\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\""
                                + " height=\"%.1f\"/>\n",
                        LEFT + first * width,
                        from,
                        (end - first) * width + 0.02,
                        Math.max(0.5, to - from)));
    }

    private void frame(int top) {
        svg.append(
                "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
                        .formatted(LEFT, top, PANEL_WIDTH, PANEL_HEIGHT));
    }

    private void line(String type, double x1, double y1, double x2, double y2) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
                        type,
                        x1,
                        y1,
                        x2,
                        y2));
    }

    private void text(String type, int x, int y, String text) {
        svg.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n".formatted(type, x, y, text));
    }

    private static final String STYLE =
            """
            .heddle{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:12px}
            .heddle text{fill:#16181d}
            .heddle .title{font-weight:700}
            .heddle .tick{text-anchor:middle;font-size:10px}
            .heddle .row,.heddle .note{text-anchor:end;font-size:10px}
            .heddle .ground{fill:#fff}
            .heddle .bar{fill:#3d6fb4}
            .heddle .grid{stroke:#d9dce2}
            .heddle .bound{stroke:#b3261e;stroke-dasharray:6 4;stroke-width:1.5}
            .heddle .frame{fill:none;stroke:#4a505c}
            @media (prefers-color-scheme:dark){
            .heddle text{fill:#f2f4f8}
            .heddle .ground{fill:#14161a}
            .heddle .bar{fill:#7aa7e8}
            .heddle .grid{stroke:#30343c}
            .heddle .bound{stroke:#ff8a80}
            .heddle .frame{stroke:#b4bac6}
            }
            """;
}
