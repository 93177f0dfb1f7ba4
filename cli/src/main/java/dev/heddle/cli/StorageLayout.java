package dev.heddle.cli;

import dev.heddle.formats.Format;
import dev.heddle.formats.Packing;
import dev.heddle.layout.Axis;
import dev.heddle.sparse.StorageFormat;
import dev.heddle.sparse.TiledLayout;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The layouts of a storage format, for people and for programs: where the entries of a tile stand.
final class StorageLayout {
    private static final int NIBBLE = 4;
    private static final int SHOWN_ROWS = 16;
    private static final int SHOWN_COLUMNS = 16;
    private static final int CELL_WIDTH = 34;
    private static final int CELL_HEIGHT = 16;
    private static final int CAPTION = 24;

    private final StorageFormat format;
    private final int elementBits;
    private final Map<String, TiledLayout> parts = new LinkedHashMap<>();

    /// @param element the element format, or null for the first that the storage format holds
    StorageLayout(StorageFormat format, @Nullable String element) {
        this.format = format;
        if (format.dense()) {
            throw new UsageError("dense has no layout: the matrix row by row");
        }
        String type = element == null ? format.formats().getFirst().ptxName() : element;
        this.elementBits = Packing.dense(Format.parse(type)).containerBits();
        TiledLayout metadata = format.metadataLayouts().get(Format.parse(type).ptxName());
        if (metadata == null) {
            throw new UsageError(
                    "%s does not hold %s: expected one of %s"
                            .formatted(
                                    format,
                                    type,
                                    String.join(" ", format.metadataLayouts().keySet())));
        }
        parts.put("metadata of " + type, metadata);
        TiledLayout values = format.valueLayouts().get(type);
        if (values != null) {
            parts.put("stored elements of " + type, values);
        }
    }

    void print(String as, PrintWriter out) {
        switch (as) {
            case "text" -> text(out);
            case "tsv" -> entries().forEach(e -> out.println(String.join("\t", e.values())));
            case "json" -> out.println(Json.line(entries()));
            case "svg" -> svg(out);
            default -> throw new UsageError("--as " + as + ": expected text, tsv, json or svg");
        }
    }

    private void text(PrintWriter out) {
        out.println(format.name() + ": " + format.summary());
        out.println(format.source());
        for (Map.Entry<String, TiledLayout> part : parts.entrySet()) {
            TiledLayout layout = part.getValue();
            out.println();
            out.println(part.getKey() + ": " + layout);
            if (layout.tileRows() == 1) {
                continue;
            }
            int rows = Math.min(SHOWN_ROWS, layout.tileRows());
            int columns = Math.min(SHOWN_COLUMNS, layout.tileColumns());
            out.print("row   ");
            for (int column = 0; column < columns; column++) {
                out.print(
                        String.format(
                                Locale.ROOT,
                                "%6s",
                                layout.across().word().charAt(0) + "" + column));
            }
            out.println();
            for (int row = 0; row < rows; row++) {
                out.print(String.format(Locale.ROOT, "%-6d", row));
                for (int column = 0; column < columns; column++) {
                    out.print(String.format(Locale.ROOT, "%6d", place(layout, row, column)));
                }
                out.println();
            }
            if (rows < layout.tileRows() || columns < layout.tileColumns()) {
                out.println("...   --as tsv prints all of the tile");
            }
        }
    }

    private long place(TiledLayout layout, int row, int column) {
        boolean metadata = layout.across() == Axis.CHUNK;
        return layout.place(row, column, metadata ? NIBBLE : elementBits);
    }

    private List<Map<String, String>> entries() {
        List<Map<String, String>> entries = new ArrayList<>();
        parts.forEach(
                (name, layout) -> {
                    for (int row = 0; row < layout.tileRows(); row++) {
                        for (int column = 0; column < layout.tileColumns(); column++) {
                            Map<String, String> entry = new LinkedHashMap<>();
                            entry.put("part", name.substring(0, name.indexOf(' ')));
                            entry.put("place", String.valueOf(place(layout, row, column)));
                            entry.put("row", String.valueOf(row));
                            entry.put(layout.across().word(), String.valueOf(column));
                            entries.add(entry);
                        }
                    }
                });
        return entries;
    }

    private void svg(PrintWriter out) {
        TiledLayout layout = parts.values().iterator().next();
        int width = Math.max(480, layout.tileColumns() * CELL_WIDTH + 20);
        int height = layout.tileRows() * CELL_HEIGHT + CAPTION + 20;
        out.println(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"10\">"
                        .formatted(width, height));
        out.println("<title>%s: %s</title>".formatted(format, layout));
        out.println(
                "<text x=\"10\" y=\"16\">%s, %s: place of row (down) and %s (across)</text>"
                        .formatted(
                                format, parts.keySet().iterator().next(), layout.across().word()));
        for (int row = 0; row < layout.tileRows(); row++) {
            for (int column = 0; column < layout.tileColumns(); column++) {
                long place = place(layout, row, column);
                out.println(
                        "<g><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"hsl(%d 60%% 85%%)\" stroke=\"#999\"/><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text></g>"
                                .formatted(
                                        10 + column * CELL_WIDTH,
                                        CAPTION + row * CELL_HEIGHT,
                                        CELL_WIDTH,
                                        CELL_HEIGHT,
                                        place * 300 / layout.tileSize(),
                                        10 + column * CELL_WIDTH + CELL_WIDTH / 2,
                                        CAPTION + row * CELL_HEIGHT + 12,
                                        place));
            }
        }
        out.println("</svg>");
    }
}
