package dev.heddle.explorer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Writes a figure as SVG.
///
/// All cells of a lane are one path, so that the largest figures stay small. Pointing devices find
/// a cell by arithmetic on the `data-` attributes of its panel.
final class Svg {
    private static final int MARGIN = 16;
    private static final int GAP = 28;
    private static final int LINE = 17;
    private static final int NARROWEST = 720;

    /// Beyond this many pixels, indices are at both ends.
    private static final int LONG = 1400;

    private static final String NO_STYLE = "<style></style>\n";

    private final Figure figure;
    private final List<Placed> placed = new ArrayList<>();
    private final List<String> caption = new ArrayList<>();
    private int titleLines;
    private int captionHeight;
    private int width;
    private int height;

    /// A panel with its place on the sheet: the left top corner of what surrounds it.
    private record Placed(PanelGeometry geometry, int x, int y) {}

    Svg(Figure figure) {
        this.figure = figure;
    }

    /// A document of its own, with caption and style.
    String document() {
        return frame().replace(NO_STYLE, "<style>" + style() + "</style>\n")
                + panels()
                + "</g>\n</svg>\n";
    }

    /// What a document has before its panels, without the style: they follow in a group that is
    /// moved below the caption.
    String frame() {
        place(true);
        StringBuilder svg = new StringBuilder();
        begin(svg);
        svg.append(NO_STYLE).append("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
        writeCaption(svg);
        return svg.append("<g transform=\"translate(0 %d)\">\n".formatted(captionHeight))
                .toString();
    }

    /// The drawing alone.
    String drawing() {
        place(false);
        StringBuilder svg = new StringBuilder();
        begin(svg);
        return svg.append(panels()).append("</svg>\n").toString();
    }

    private String panels() {
        StringBuilder svg = new StringBuilder();
        placed.forEach(panel -> write(panel, svg));
        return svg.toString();
    }

    private void begin(StringBuilder svg) {
        String id = "heddle-" + figure.id();
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heddle\" role=\"img\"")
                .append(" aria-labelledby=\"%s-t %s-d\"".formatted(id, id))
                .append(" width=\"%s\" height=\"%s\"".formatted(width, height))
                .append(" viewBox=\"0 0 %s %s\">\n".formatted(width, height))
                .append(
                        "<title id=\"%s-t\">%s: operand %s</title>\n"
                                .formatted(id, escape(figure.title()), figure.id()))
                .append(
                        "<desc id=\"%s-d\">%s</desc>\n"
                                .formatted(id, escape(String.join(" ", figure.caption()))));
    }

    private void place(boolean captioned) {
        List<PanelGeometry> geometries = figure.panels().stream().map(PanelGeometry::new).toList();
        int inRow = geometries.size() == 1 ? 1 : 2;
        int sheet = geometries.getFirst().width() * inRow + GAP * (inRow - 1);
        width = Math.max(sheet, captioned ? NARROWEST : 0) + 2 * MARGIN;
        int y = MARGIN;
        if (captioned) {
            caption.addAll(wrapped(figure.title()));
            titleLines = caption.size();
            figure.caption().forEach(line -> caption.addAll(wrapped(line)));
            captionHeight = caption.size() * LINE + GAP / 2;
        }
        for (int i = 0; i < geometries.size(); i++) {
            PanelGeometry geometry = geometries.get(i);
            placed.add(new Placed(geometry, MARGIN + i % inRow * (geometry.width() + GAP), y));
            if (i % inRow == inRow - 1) {
                y += geometry.height() + GAP;
            }
        }
        height = y - GAP + MARGIN + captionHeight;
    }

    private List<String> wrapped(String text) {
        return Lines.wrap(text, (int) ((width - 2 * MARGIN) / PanelGeometry.CAPTION_ADVANCE));
    }

    private void writeCaption(StringBuilder svg) {
        for (int i = 0; i < caption.size(); i++) {
            text(
                    svg,
                    i < titleLines ? "title" : "caption",
                    MARGIN,
                    MARGIN + 11 + i * LINE,
                    caption.get(i));
        }
    }

    private static void write(Placed at, StringBuilder svg) {
        PanelGeometry geometry = at.geometry;
        Panel panel = geometry.panel();
        int left = at.x + geometry.left();
        int top = at.y + geometry.top();
        svg.append(
                "<g class=\"panel\" data-left=\"%s\" data-top=\"%s\" data-width=\"%s\" data-height=\"%s\" data-rows=\"%s\" data-columns=\"%s\">\n"
                        .formatted(
                                left,
                                top,
                                geometry.unitWidth(),
                                geometry.unitHeight(),
                                panel.rows(),
                                panel.columns()));
        if (!panel.title().isEmpty()) {
            text(svg, "over", left + geometry.gridWidth() / 2, at.y + 11, panel.title());
        }
        fields(panel, geometry, left, top, svg);
        labels(panel, geometry, left, top, svg);
        edges(geometry, left, top, svg);
        svg.append("</g>\n");
    }

    private static void fields(
            Panel panel, PanelGeometry geometry, int left, int top, StringBuilder svg) {
        Map<Integer, StringBuilder> byColour = new TreeMap<>();
        for (Cell cell : panel.cells()) {
            int w = cell.columns() * geometry.unitWidth();
            byColour.computeIfAbsent(cell.lane() & 31, lane -> new StringBuilder())
                    .append('M')
                    .append(left + cell.column() * geometry.unitWidth())
                    .append(' ')
                    .append(top + cell.row() * geometry.unitHeight())
                    .append('h')
                    .append(w)
                    .append('v')
                    .append(cell.rows() * geometry.unitHeight())
                    .append("h-")
                    .append(w)
                    .append('z');
        }
        byColour.forEach(
                (lane, path) ->
                        svg.append("<path class=\"l%s\" d=\"%s\"/>\n".formatted(lane, path)));
    }

    private static void labels(
            Panel panel, PanelGeometry geometry, int left, int top, StringBuilder svg) {
        StringBuilder details = new StringBuilder();
        svg.append("<g class=\"element\">\n");
        for (Cell cell : panel.cells()) {
            int x =
                    left
                            + cell.column() * geometry.unitWidth()
                            + cell.columns() * geometry.unitWidth() / 2;
            int y =
                    top
                            + cell.row() * geometry.unitHeight()
                            + cell.rows() * geometry.unitHeight() / 2;
            place(svg, x, cell.detail().isEmpty() ? y + 4 : y - 1, cell.label());
            if (!cell.detail().isEmpty()) {
                place(details, x, y + 11, cell.detail());
            }
        }
        svg.append("</g>\n<g class=\"detail\">\n").append(details).append("</g>\n");
    }

    private static void place(StringBuilder svg, int x, int y, String text) {
        svg.append("<text");
        words(svg, x, y, text);
    }

    private static void words(StringBuilder svg, int x, int y, String text) {
        svg.append(" x=\"")
                .append(x)
                .append("\" y=\"")
                .append(y)
                .append("\">")
                .append(escape(text))
                .append("</text>\n");
    }

    private static void edges(PanelGeometry geometry, int left, int top, StringBuilder svg) {
        indices(geometry, left, top, svg);
        brackets(geometry, left, top, svg);
        svg.append(
                "<path class=\"border\" d=\"M%s %sh%sv%sh-%sz\"/>\n"
                        .formatted(
                                left,
                                top,
                                geometry.gridWidth(),
                                geometry.gridHeight(),
                                geometry.gridWidth()));
    }

    private static void indices(PanelGeometry geometry, int left, int top, StringBuilder svg) {
        Panel panel = geometry.panel();
        int right = left + geometry.gridWidth();
        int bottom = top + geometry.gridHeight();
        for (Edge edge : geometry.columnIndices()) {
            int x =
                    left
                            + geometry.unitWidth() * edge.first()
                            + geometry.unitWidth() * edge.count() / 2;
            text(svg, "column", x, top - 6, edge.label());
            if (geometry.gridHeight() > LONG) {
                text(svg, "column", x, bottom + 14, edge.label());
            }
        }
        text(svg, "end", right + 6, top - 6, panel.names().columns());
        text(svg, "end", right + 6, top - 28, panel.names().over());
        for (Edge edge : geometry.rowIndices()) {
            int y =
                    top
                            + geometry.unitHeight() * edge.first()
                            + geometry.unitHeight() * edge.count() / 2
                            + 4;
            text(svg, "row", left - 6, y, edge.label());
            if (geometry.gridWidth() > LONG) {
                text(svg, "end", right + 6, y, edge.label());
            }
        }
    }

    private static void brackets(PanelGeometry geometry, int left, int top, StringBuilder svg) {
        Panel panel = geometry.panel();
        for (Edge edge : panel.over()) {
            int x = left + geometry.unitWidth() * edge.first();
            int w = geometry.unitWidth() * edge.count();
            svg.append(
                    "<path class=\"bracket\" d=\"M%s %sv-4h%sv4\"/>\n"
                            .formatted(x + 2, top - 20, w - 4));
            text(svg, "over", x + w / 2, top - 28, edge.label());
        }
        for (Edge edge : panel.beside()) {
            int y = top + geometry.unitHeight() * edge.first();
            int h = geometry.unitHeight() * edge.count();
            int x = left - geometry.left() + 14;
            svg.append(
                    "<path class=\"bracket\" d=\"M%s %sh-4v%sh4\"/>\n"
                            .formatted(x + 12, y + 3, h - 6));
            svg.append(
                    "<text class=\"over\" transform=\"translate(%s %s) rotate(-90)\">%s</text>\n"
                            .formatted(x, y + h / 2, escape(edge.label())));
            if (edge.first() > 0) {
                svg.append(
                        "<path class=\"border\" d=\"M%s %sh%s\"/>\n"
                                .formatted(left, y, geometry.gridWidth()));
            }
        }
    }

    private static void text(StringBuilder svg, String type, int x, int y, String text) {
        if (text.isEmpty()) {
            return;
        }
        svg.append("<text class=\"").append(type).append('"');
        words(svg, x, y, text);
    }

    static String style() {
        return """
        .heddle{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;\
        text-anchor:middle}
                .heddle text{fill:#16181d}
        .heddle .title,.heddle .caption{text-anchor:start;font-size:12px}
        .heddle .title{font-weight:700}
        .heddle .element{font-size:12px}
        .heddle .detail{font-size:10px}
        .heddle .column,.heddle .row,.heddle .end,.heddle .over{font-size:10px}
                .heddle .column,.heddle .row,.heddle .end,.heddle .over{fill:#4a505c}
        .heddle .row{text-anchor:end}
        .heddle .end{text-anchor:start}
        .heddle .ground{fill:#fff}
        .heddle path{stroke:#fff}
        .heddle .border{fill:none;stroke:#4a505c;stroke-width:1.5}
        .heddle .bracket{fill:none;stroke:#7a808c}
        """
                + colours(Palette.LIGHT)
                + """
                @media (prefers-color-scheme:dark){
                .heddle text{fill:#f2f4f8}
                .heddle .column,.heddle .row,.heddle .end,.heddle .over{fill:#b4bac6}
                .heddle .ground{fill:#14161a}
                .heddle path{stroke:#14161a}
                .heddle .border{stroke:#b4bac6}
                .heddle .bracket{stroke:#8a909c}
                """
                + colours(Palette.DARK)
                + "}\n";
    }

    private static String colours(Palette palette) {
        return IntStream.range(0, 32)
                .mapToObj(lane -> ".heddle .l%s{fill:%s}".formatted(lane, palette.color(lane)))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
