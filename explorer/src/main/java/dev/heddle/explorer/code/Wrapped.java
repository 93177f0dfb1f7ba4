package dev.heddle.explorer.code;

import java.util.ArrayList;
import java.util.List;

/// Lists of operands, broken into lines that fit a screen.
final class Wrapped {
    private Wrapped() {}

    /// The items with commas between them; each line but the last ends in one.
    ///
    /// @param width the most characters of a line
    static List<String> lines(List<String> items, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < items.size(); i++) {
            String item = items.get(i) + (i + 1 < items.size() ? "," : "");
            if (!line.isEmpty() && line.length() + 1 + item.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(item);
        }
        lines.add(line.toString());
        return lines;
    }
}
