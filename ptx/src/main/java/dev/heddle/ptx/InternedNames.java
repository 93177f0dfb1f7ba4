package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

/// Interns stretches of one text without making a string for each occurrence.
final class InternedNames {

    private final String text;
    private @Nullable String[] table = new @Nullable String[512];
    private int count;

    InternedNames(String text) {
        this.text = text;
    }

    String intern(int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        int mask = table.length - 1;
        int slot = spread(hash) & mask;
        int length = end - start;
        for (String known = table[slot]; known != null; known = table[slot]) {
            if (known.length() == length && text.startsWith(known, start)) {
                return known;
            }
            slot = (slot + 1) & mask;
        }
        String name = text.substring(start, end);
        table[slot] = name;
        if (++count * 2 > table.length) {
            grow();
        }
        return name;
    }

    private void grow() {
        @Nullable String[] old = table;
        table = new @Nullable String[old.length * 2];
        int mask = table.length - 1;
        for (String name : old) {
            if (name != null) {
                int slot = spread(name.hashCode()) & mask;
                while (table[slot] != null) {
                    slot = (slot + 1) & mask;
                }
                table[slot] = name;
            }
        }
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 15;
    }
}
