package dev.heddle.ptx;

/// A mangled name that is being read. Names are input: they nest no deeper than 256.
final class MangledText {
    private static final int DEPTH = 256;

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

    /// The character so many behind the next, or 0 behind the end.
    char peek(int behind) {
        return at + behind < text.length() ? text.charAt(at + behind) : '\0';
    }

    boolean isNext(String prefix) {
        return text.startsWith(prefix, at);
    }

    void skip(int characters) {
        if (characters > text.length() - at) {
            throw new Beyond();
        }
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

    /// What was not read.
    String rest() {
        return text.substring(at);
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

    /// `_` is 0, `0_` is 1: digits to a base.
    int index(int base) {
        String digits = before('_');
        if (digits.length() > 5 || !digits.chars().allMatch(Character::isLetterOrDigit)) {
            throw new Beyond();
        }
        return digits.isEmpty() ? 0 : 1 + Integer.parseInt(digits, base);
    }

    /// Which of several of a kind that is: the first has no number, the second 0.
    static long ordinal(String number) {
        if (!number.chars().allMatch(Character::isDigit)) {
            throw new Beyond();
        }
        return number.isEmpty() ? 1 : Integer.parseInt(number) + 2L;
    }

    void enter() {
        if (++depth > DEPTH) {
            throw new Beyond();
        }
    }

    void leave() {
        depth--;
    }
}
