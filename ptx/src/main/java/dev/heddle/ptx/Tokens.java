package dev.heddle.ptx;

import java.util.Arrays;

/// The tokens of one text in parallel arrays: kind, extent, line.
///
/// Texts are made on demand and interned, so that a name that occurs a thousand times is one
/// string.
final class Tokens {

    private final String text;
    private final String file;
    private final InternedNames names;
    private TokenKind[] kinds = new TokenKind[1024];
    private int[] starts = new int[1024];
    private int[] ends = new int[1024];
    private int[] lines = new int[1024];
    private int[] columns = new int[1024];
    private int count;

    Tokens(SourceText source) {
        this.text = source.text();
        this.file = source.file();
        this.names = new InternedNames(text);
    }

    void add(TokenKind kind, int start, int end, int line, int column) {
        if (count == kinds.length) {
            int larger = count * 2;
            kinds = Arrays.copyOf(kinds, larger);
            starts = Arrays.copyOf(starts, larger);
            ends = Arrays.copyOf(ends, larger);
            lines = Arrays.copyOf(lines, larger);
            columns = Arrays.copyOf(columns, larger);
        }
        kinds[count] = kind;
        starts[count] = start;
        ends[count] = end;
        lines[count] = line;
        columns[count] = column;
        count++;
    }

    /// How many there are, the closing [TokenKind#END] included.
    int count() {
        return count;
    }

    TokenKind kind(int token) {
        return kinds[Math.min(token, count - 1)];
    }

    /// Its text; for a dotted word without the dot, for a string without the quotes.
    String text(int token) {
        int start = starts[token];
        int end = ends[token];
        return switch (kinds[token]) {
            case DOTTED -> names.intern(start + 1, end);
            case STRING -> names.intern(start + 1, end - 1);
            default -> names.intern(start, end);
        };
    }

    SourcePosition position(int token) {
        return new SourcePosition(file, lines[token], columns[token]);
    }

    int line(int token) {
        return lines[token];
    }

    int start(int token) {
        return starts[token];
    }

    int end(int token) {
        return ends[token];
    }

    /// How many characters it covers on its first line, at least 1 and at most 80.
    int width(int token) {
        return Math.max(1, Math.min(80, ends[token] - starts[token]));
    }
}
