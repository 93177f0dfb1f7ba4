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

/// The layouts of a storage format, for people and for programs: where the entries of a tile are.
final class StorageLayout {
    private static final int NIBBLE = 4;
    private static final int SHOWN_ROWS = 16;
    private static final int SHOWN_COLUMNS = 16;
    private static final int MARGIN = 10;
    private static final int CELL_WIDTH = 34;
    private static final int CELL_HEIGHT = 16;
    private static final int CAPTION = 40;
    private static final int LEAST_WIDTH = 640;
    private static final List<String> COLUMNS = List.of("part", "place", "row", "column");

    private final StorageFormat format;
    private final Format element;
    private final List<Part> parts = new ArrayList<>();

    /// What a layout is of, and how wide its entries are.
    private record Part(String name, TiledLayout layout, int entryBits) {
        /// The place of an entry of the tile, counted in entries.
        long place(int row, int column) {
            return layout.place(row, column, entryBits);
        }
    }

    /// @param element the element format, or null for the first that the storage format holds
    StorageLayout(StorageFormat format, @Nullable String element) {
        this.format = format;
        this.element = element == null ? format.formats().getFirst() : Format.parse(element);
        int elementBits = Packing.dense(this.element).containerBits();
        format.layouts(this.element)
                .forEach(
                        (name, layout) -> {
                            boolean nibbles = layout.across() == Axis.CHUNK;
                            parts.add(new Part(name, layout, nibbles ? NIBBLE : elementBits));
                        });
    }

    void print(String as, PrintWriter out) {
        switch (as) {
            case "text" -> text(out);
            case "tsv" -> entries().forEach(e -> out.println(String.join("\t", e)));
            case "csv" -> {
                out.println(String.join(",", COLUMNS));
                entries().forEach(e -> out.println(String.join(",", e)));
            }
            case "markdown" -> {
                out.println("| " + String.join(" | ", COLUMNS) + " |");
                out.println("| --- |" + " ---: |".repeat(COLUMNS.size() - 1));
                entries().forEach(e -> out.println("| " + String.join(" | ", e) + " |"));
            }
            case "json" -> out.println(Json.line(objects()));
            case "svg" -> svg(out);
            default ->
                    throw new UsageError(
                            "--as " + as + ": expected text, tsv, csv, markdown, json or svg");
        }
    }

    private void text(PrintWriter out) {
        out.println(format.name() + ": " + format.summary());
        out.println(format.source());
        for (Part part : parts) {
            TiledLayout layout = part.layout();
            out.println();
            out.println("%s of %s: %s".formatted(part.name(), element.ptxName(), layout));
            if (layout.tileRows() == 1) {
                continue;
            }
            int rows = Math.min(SHOWN_ROWS, layout.tileRows());
            int columns = Math.min(SHOWN_COLUMNS, layout.tileColumns());
            out.print("row   ");
            for (int column = 0; column < columns; column++) {
                String heading = layout.across().word().charAt(0) + "" + column;
                out.print(String.format(Locale.ROOT, "%6s", heading));
            }
            out.println();
            for (int row = 0; row < rows; row++) {
                out.print(String.format(Locale.ROOT, "%-6d", row));
                for (int column = 0; column < columns; column++) {
                    out.print(String.format(Locale.ROOT, "%6d", part.place(row, column)));
                }
                out.println();
            }
            if (rows < layout.tileRows() || columns < layout.tileColumns()) {
                out.println("...   --as tsv prints all of the tile");
            }
        }
    }

    /// What to do with an entry of a tile.
    @FunctionalInterface
    private interface EntryVisitor {
        void visit(Part part, int row, int column);
    }

    private void forEachEntry(EntryVisitor visitor) {
        for (Part part : parts) {
            for (int row = 0; row < part.layout().tileRows(); row++) {
                for (int column = 0; column < part.layout().tileColumns(); column++) {
                    visitor.visit(part, row, column);
                }
            }
        }
    }

    /// Every entry of a tile of every part, as [#COLUMNS] says.
    private List<List<String>> entries() {
        List<List<String>> entries = new ArrayList<>();
        forEachEntry(
                (part, row, column) ->
                        entries.add(
                                List.of(
                                        part.name(),
                                        String.valueOf(part.place(row, column)),
                                        String.valueOf(row),
                                        String.valueOf(column))));
        return entries;
    }

    private List<Map<String, Object>> objects() {
        List<Map<String, Object>> objects = new ArrayList<>();
        forEachEntry(
                (part, row, column) -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("part", part.name());
                    object.put("place", part.place(row, column));
                    object.put("row", row);
                    object.put(part.layout().across().word(), column);
                    objects.add(object);
                });
        return objects;
    }

    private void svg(PrintWriter out) {
        int width = LEAST_WIDTH;
        int height = MARGIN;
        for (Part part : parts) {
            width = Math.max(width, part.layout().tileColumns() * CELL_WIDTH + 2 * MARGIN);
            height += CAPTION + part.layout().tileRows() * CELL_HEIGHT + MARGIN;
        }
        out.println(
                ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                                + " font-family=\"sans-serif\" font-size=\"10\">")
                        .formatted(width, height));
        out.println("<title>%s: where the entries of a tile stand</title>".formatted(format));
        int top = 0;
        for (Part part : parts) {
            draw(part, top, out);
            top += CAPTION + part.layout().tileRows() * CELL_HEIGHT + MARGIN;
        }
        out.println("</svg>");
    }

    private void draw(Part part, int top, PrintWriter out) {
        TiledLayout layout = part.layout();
        caption(
                top + 16,
                "%s, %s of %s: place of row (down) and %s (across)"
                        .formatted(format, part.name(), element.ptxName(), layout.across().word()),
                out);
        caption(top + 32, layout.toString(), out);
        for (int row = 0; row < layout.tileRows(); row++) {
            for (int column = 0; column < layout.tileColumns(); column++) {
                long place = part.place(row, column);
                int x = MARGIN + column * CELL_WIDTH;
                int y = top + CAPTION + row * CELL_HEIGHT;
                out.println(
                        ("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"hsl(%d 60%%"
                                        + " 85%%)\" stroke=\"#999\"/><text x=\"%d\" y=\"%d\""
                                        + " text-anchor=\"middle\">%d</text>")
                                .formatted(
                                        x,
                                        y,
                                        CELL_WIDTH,
                                        CELL_HEIGHT,
                                        place * 300 / layout.tileSize(),
                                        x + CELL_WIDTH / 2,
                                        y + 12,
                                        place));
            }
        }
    }

    private static void caption(int baseline, String words, PrintWriter out) {
        out.println("<text x=\"%d\" y=\"%d\">%s</text>".formatted(MARGIN, baseline, words));
    }
}
