package dev.heddle.ptx;

/// A mangled name that is being read. Names are input: they nest no deeper than 64, and grow no
/// longer than 4,096 characters.
final class MangledText {
    private static final int DEPTH = 64;
    private static final int LONGEST = 4096;

    private final String text;
    private int at;
    private int depth;

    /// Text that is read from a place on.
    MangledText(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /// A name beyond what is understood here.
    static final class Beyond extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Beyond() {
            super(null, null, false, false);
        }
    }

    boolean atEnd() {
        return at >= text.length();
    }

    /// The next character, or 0 at the end.
    char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    boolean isNext(String prefix) {
        return text.startsWith(prefix, at);
    }

    void skip(int characters) {
        at += characters;
    }

    boolean take(String prefix) {
        boolean there = isNext(prefix);
        at += there ? prefix.length() : 0;
        return there;
    }

    void require(String next) {
        if (!take(next)) {
            throw new Beyond();
        }
    }

    /// The next characters.
    String take(int characters) {
        String taken = text.substring(at, at + characters);
        at += characters;
        return taken;
    }

    /// Digits, perhaps none.
    String digits() {
        int start = at;
        while (Character.isDigit(peek())) {
            at++;
        }
        return text.substring(start, at);
    }

    /// What is before the next of these characters, which is passed.
    String before(char end) {
        int found = text.indexOf(end, at);
        if (found < 0) {
            throw new Beyond();
        }
        String taken = text.substring(at, found);
        at = found + 1;
        return taken;
    }

    void enter() {
        if (++depth > DEPTH) {
            throw new Beyond();
        }
    }

    void leave() {
        depth--;
    }

    String bounded(String grown) {
        if (grown.length() > LONGEST) {
            throw new Beyond();
        }
        return grown;
    }
}
