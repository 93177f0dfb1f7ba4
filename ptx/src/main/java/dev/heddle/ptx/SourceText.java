package dev.heddle.ptx;

/// A PTX text under its name, and its lines for messages.
///
/// @param file the name messages use
/// @param text the whole text
public record SourceText(String file, String text) {

    /// The line with this number (from 1), without its end; empty where the text has no such line.
    public String line(int number) {
        int start = 0;
        for (int i = 1; i < number; i++) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                return "";
            }
            start = end + 1;
        }
        int end = text.indexOf('\n', start);
        String line = end < 0 ? text.substring(start) : text.substring(start, end);
        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    }

    /// Whether an edit says truly what it replaces.
    public boolean takes(Edit edit) {
        String line = line(edit.position().line());
        return line.startsWith(edit.old(), edit.position().column() - 1);
    }
}
