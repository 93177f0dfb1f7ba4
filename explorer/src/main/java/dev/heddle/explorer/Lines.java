package dev.heddle.explorer;

import java.util.ArrayList;
import java.util.List;

/// Breaks text into lines.
final class Lines {
    private Lines() {}

    /// Lines of at most `length` characters, broken at spaces and before the dots of an opcode.
    static List<String> wrap(String text, int length) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > length) {
            int space = rest.lastIndexOf(' ', length);
            int at = space > 0 ? space : rest.lastIndexOf('.', length);
            if (at <= 0) {
                at = length;
            }
            lines.add(rest.substring(0, at));
            rest = rest.substring(space > 0 ? at + 1 : at);
        }
        lines.add(rest);
        return lines;
    }
}
