package dev.heddle.cli;

import java.util.ArrayList;
import java.util.List;

/// Two texts of as many lines each, compared line by line: a unified diff that `patch` takes.
final class LineDiff {
    private static final int CONTEXT = 3;

    private final String[] before;
    private final String[] after;
    private final StringBuilder out = new StringBuilder();

    private LineDiff(String before, String after) {
        this.before = before.split("(?<=\n)", -1);
        this.after = after.split("(?<=\n)", -1);
        if (this.before.length != this.after.length) {
            throw new IllegalArgumentException(
                    this.before.length + " lines against " + this.after.length);
        }
    }

    /// The diff; empty where nothing differs.
    static String of(String file, String before, String after) {
        LineDiff diff = new LineDiff(before, after);
        List<Integer> changed = new ArrayList<>();
        for (int i = 0; i < diff.before.length; i++) {
            if (!diff.before[i].equals(diff.after[i])) {
                changed.add(i);
            }
        }
        if (!changed.isEmpty()) {
            diff.out.append("--- ").append(file).append("\n+++ ").append(file).append('\n');
        }
        for (int first = 0; first < changed.size(); ) {
            int last = first;
            while (last + 1 < changed.size()
                    && changed.get(last + 1) - changed.get(last) <= 2 * CONTEXT) {
                last++;
            }
            diff.hunk(changed.get(first), changed.get(last));
            first = last + 1;
        }
        return diff.out.toString();
    }

    private void hunk(int first, int last) {
        // The text behind the last line end is no line
        int count = before[before.length - 1].isEmpty() ? before.length - 1 : before.length;
        int from = Math.max(0, first - CONTEXT);
        int to = Math.min(count, last + 1 + CONTEXT);
        out.append("@@ -%d,%d +%d,%d @@%n".formatted(from + 1, to - from, from + 1, to - from));
        for (int i = from; i < to; ) {
            int end = i;
            while (end < to && !before[end].equals(after[end])) {
                end++;
            }
            for (int j = i; j < end; j++) {
                line('-', before[j]);
            }
            for (int j = i; j < end; j++) {
                line('+', after[j]);
            }
            if (end == i) {
                line(' ', before[end++]);
            }
            i = end;
        }
    }

    private void line(char mark, String text) {
        out.append(mark).append(text);
        if (!text.endsWith("\n")) {
            out.append("\n\\ No newline at end of file\n");
        }
    }
}
