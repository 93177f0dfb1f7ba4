package dev.heddle.ptx;

/// Splits PTX text into tokens in one pass (PTX ISA 4.1 to 4.5).
///
/// It never fails: what it cannot read becomes a bad token, which the parser reports where it meets
/// it.
final class Lexer {

    private final String text;
    private final int length;
    private final Tokens tokens;
    private int at;
    private int line = 1;
    private int lineStart;

    private Lexer(SourceText source) {
        this.text = source.text();
        this.length = text.length();
        this.tokens = new Tokens(source);
    }

    static Tokens tokens(SourceText source) {
        Lexer lexer = new Lexer(source);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        while (at < length) {
            char c = text.charAt(at);
            if (c == '\n') {
                at++;
                newLine();
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0x0B) {
                at++;
            } else if (c == '/' && peek(1) == '/') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? length : end;
            } else if (c == '/' && peek(1) == '*') {
                comment();
            } else if (c == '#' && onlyBlanksBefore()) {
                // a line of the C preprocessor, which runs before (PTX ISA 4.1)
                int end = text.indexOf('\n', at);
                at = end < 0 ? length : end;
            } else {
                token(c);
            }
        }
        add(TokenKind.END, length);
    }

    private boolean onlyBlanksBefore() {
        for (int i = lineStart; i < at; i++) {
            if (text.charAt(i) != ' ' && text.charAt(i) != '\t') {
                return false;
            }
        }
        return true;
    }

    private void newLine() {
        line++;
        lineStart = at;
    }

    private char peek(int distance) {
        return at + distance < length ? text.charAt(at + distance) : '\0';
    }

    private void comment() {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
            add(TokenKind.UNTERMINATED_COMMENT, length);
            return;
        }
        int stop = end + 2;
        while (at < stop) {
            if (text.charAt(at++) == '\n') {
                newLine();
            }
        }
    }

    private void add(TokenKind kind, int end) {
        tokens.add(kind, at, end, line, at - lineStart + 1);
        at = end;
    }

    private void token(char c) {
        if (isLetter(c) || ((c == '_' || c == '$' || c == '%') && isFollow(peek(1)))) {
            add(TokenKind.IDENTIFIER, wordEnd(at + 1));
        } else if (isDigit(c)) {
            number();
        } else if (c == '.' && isFollow(peek(1))) {
            dotted();
        } else if (c == '"') {
            string();
        } else {
            punctuation(c);
        }
    }

    private int wordEnd(int from) {
        int end = from;
        while (end < length && isFollow(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private void dotted() {
        int end = wordEnd(at + 1);
        while (end + 2 < length
                && text.charAt(end) == ':'
                && text.charAt(end + 1) == ':'
                && isFollow(text.charAt(end + 2))) {
            end = wordEnd(end + 2);
        }
        add(TokenKind.DOTTED, end);
    }

    private void string() {
        int end = at + 1;
        while (end < length && text.charAt(end) != '"' && text.charAt(end) != '\n') {
            end +=
                    text.charAt(end) == '\\' && end + 1 < length && text.charAt(end + 1) != '\n'
                            ? 2
                            : 1;
        }
        if (end < length && text.charAt(end) == '"') {
            add(TokenKind.STRING, end + 1);
        } else {
            add(TokenKind.UNTERMINATED_STRING, Math.min(end, length));
        }
    }

    private void number() {
        char marker = peek(1);
        if (text.charAt(at) == '0' && (marker == 'f' || marker == 'F')) {
            exact(TokenKind.SINGLE, 8);
        } else if (text.charAt(at) == '0' && (marker == 'd' || marker == 'D')) {
            exact(TokenKind.DOUBLE, 16);
        } else if (text.charAt(at) == '0' && (marker == 'x' || marker == 'X')) {
            integer(at + 2, 16);
        } else if (text.charAt(at) == '0' && (marker == 'b' || marker == 'B')) {
            integer(at + 2, 2);
        } else {
            decimal();
        }
    }

    private void exact(TokenKind kind, int digits) {
        int end = wordEnd(at);
        boolean good = end - at == digits + 2;
        for (int i = at + 2; good && i < end; i++) {
            good = Character.digit(text.charAt(i), 16) >= 0;
        }
        add(good ? kind : TokenKind.BAD_NUMBER, end);
    }

    private void integer(int from, int radix) {
        int end = from;
        while (end < length && Character.digit(text.charAt(end), radix) >= 0) {
            end++;
        }
        boolean good = end > from;
        if (end < length && text.charAt(end) == 'U') {
            end++;
        }
        int word = wordEnd(end);
        add(good && word == end ? TokenKind.INTEGER : TokenKind.BAD_NUMBER, word);
    }

    private void decimal() {
        int end = digits(at);
        boolean real = false;
        if (end < length && text.charAt(end) == '.') {
            real = true;
            end = digits(end + 1);
        }
        if (end < length && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
            int exponent = end + 1;
            if (exponent < length
                    && (text.charAt(exponent) == '+' || text.charAt(exponent) == '-')) {
                exponent++;
            }
            if (exponent < length && isDigit(text.charAt(exponent))) {
                real = true;
                end = digits(exponent);
            }
        }
        if (real) {
            int word = wordEnd(end);
            add(word == end ? TokenKind.FLOAT : TokenKind.BAD_NUMBER, word);
        } else {
            integer(at, text.charAt(at) == '0' ? 8 : 10);
        }
    }

    private int digits(int from) {
        int end = from;
        while (end < length && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private void punctuation(char c) {
        switch (c) {
            case ',' -> add(TokenKind.COMMA, at + 1);
            case ';' -> add(TokenKind.SEMICOLON, at + 1);
            case ':' -> add(TokenKind.COLON, at + 1);
            case '(' -> add(TokenKind.LEFT_PARENTHESIS, at + 1);
            case ')' -> add(TokenKind.RIGHT_PARENTHESIS, at + 1);
            case '[' -> add(TokenKind.LEFT_BRACKET, at + 1);
            case ']' -> add(TokenKind.RIGHT_BRACKET, at + 1);
            case '{' -> add(TokenKind.LEFT_BRACE, at + 1);
            case '}' -> add(TokenKind.RIGHT_BRACE, at + 1);
            case '@' -> add(TokenKind.AT, at + 1);
            case '+' -> add(TokenKind.PLUS, at + 1);
            case '-' -> add(TokenKind.MINUS, at + 1);
            case '*' -> add(TokenKind.STAR, at + 1);
            case '/' -> add(TokenKind.SLASH, at + 1);
            case '%' -> add(TokenKind.PERCENT, at + 1);
            case '~' -> add(TokenKind.COMPLEMENT, at + 1);
            case '^' -> add(TokenKind.XOR, at + 1);
            case '?' -> add(TokenKind.QUESTION, at + 1);
            case '_' -> add(TokenKind.SINK, at + 1);
            case '!' -> oneOrTwo(TokenKind.NOT, '=', TokenKind.NOT_EQUAL);
            case '=' -> oneOrTwo(TokenKind.ASSIGN, '=', TokenKind.EQUAL);
            case '&' -> oneOrTwo(TokenKind.AND, '&', TokenKind.AND_AND);
            case '|' -> oneOrTwo(TokenKind.OR, '|', TokenKind.OR_OR);
            case '<' -> angle(TokenKind.LESS, TokenKind.SHIFT_LEFT, TokenKind.LESS_EQUAL);
            case '>' -> angle(TokenKind.GREATER, TokenKind.SHIFT_RIGHT, TokenKind.GREATER_EQUAL);
            default -> badCharacters();
        }
    }

    private void oneOrTwo(TokenKind one, char second, TokenKind two) {
        boolean pair = peek(1) == second;
        add(pair ? two : one, at + (pair ? 2 : 1));
    }

    private void angle(TokenKind one, TokenKind doubled, TokenKind orEqual) {
        char next = peek(1);
        if (next == text.charAt(at)) {
            add(doubled, at + 2);
        } else if (next == '=') {
            add(orEqual, at + 2);
        } else {
            add(one, at + 1);
        }
    }

    /// One token for a whole run of garbage, so that a binary file gives one message and not a
    /// million.
    private void badCharacters() {
        int end = at + 1;
        while (end < length
                && (text.charAt(end) >= 0x7F || text.charAt(end) < ' ')
                && text.charAt(end) != '\n') {
            end++;
        }
        add(TokenKind.BAD_CHARACTER, end);
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static boolean isFollow(char c) {
        return isLetter(c) || isDigit(c) || c == '_' || c == '$';
    }
}
