package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;

import java.util.List;

/// A place in the tokens, and the words for what should appear there.
class TokenReader {

    private final Tokens tokens;
    private final Findings findings;
    private int next;

    TokenReader(Tokens tokens, Findings findings) {
        this.tokens = tokens;
        this.findings = findings;
    }

    Findings findings() {
        return findings;
    }

    TokenKind kind() {
        return tokens.kind(next);
    }

    TokenKind kindAfter(int distance) {
        return tokens.kind(next + distance);
    }

    /// The text of the next token.
    String text() {
        return tokens.text(next);
    }

    SourcePosition position() {
        return tokens.position(next);
    }

    int index() {
        return next;
    }

    /// Moves to a token; for the scanner of numbers that begin with a dot.
    void moveTo(int token) {
        next = token;
    }

    Tokens tokens() {
        return tokens;
    }

    boolean at(TokenKind kind) {
        return tokens.kind(next) == kind;
    }

    boolean atDotted(String word) {
        return at(TokenKind.DOTTED) && text().equals(word);
    }

    boolean atWord(String word) {
        return at(TokenKind.IDENTIFIER) && text().equals(word);
    }

    void advance() {
        if (next < tokens.count() - 1) {
            next++;
        }
    }

    boolean accept(TokenKind kind) {
        if (at(kind)) {
            advance();
            return true;
        }
        return false;
    }

    /// The text of the next token, which must be of this kind.
    String expect(TokenKind kind, String what) throws SyntaxError {
        if (!at(kind)) {
            throw unexpected(what);
        }
        String text = text();
        advance();
        return text;
    }

    void expect(TokenKind kind) throws SyntaxError {
        expect(kind, kind.words());
    }

    /// Takes the `;` behind a statement. One that is missing at the end of a line is reported
    /// where it should appear, and reading goes on as if it stood there.
    void endStatement(String expected) throws SyntaxError {
        if (onNewLine() && !at(TokenKind.SEMICOLON) && !kind().isBad()) {
            String then =
                    at(TokenKind.END)
                            ? "the text ends here"
                            : "the next line begins with " + shown(kind());
            String message = "no ';' behind this; " + then;
            String remedy = "end the statement with ';'";
            findings.add(
                    finding(next - 1, Rule.MISSING_SEMICOLON, message, remedy, "4.3.2")
                            .with(startsStatement() ? behindLast(";") : null));
        } else {
            expect(TokenKind.SEMICOLON, expected);
        }
    }

    /// Whether what follows can only be another statement: not an operand whose comma is missing,
    /// and not the end of a text that was cut off.
    private boolean startsStatement() {
        return switch (kind()) {
            case DOTTED, AT, RIGHT_BRACE -> true;
            case IDENTIFIER ->
                    !text().startsWith("%")
                            && switch (kindAfter(1)) {
                                case COLON, DOTTED, IDENTIFIER -> true;
                                default -> text().equals("ret") || text().equals("exit");
                            };
            default -> false;
        };
    }

    /// Puts a text in behind the last token.
    private Edit behindLast(String text) {
        SourcePosition last = tokens.position(next - 1);
        int width = tokens.end(next - 1) - tokens.start(next - 1);
        return new Edit(
                new SourcePosition(last.file(), last.line(), last.column() + width), "", text);
    }

    /// Whether the next token begins on a later line than the one before it.
    boolean onNewLine() {
        return next == 0 || tokens.line(next) != tokens.line(next - 1);
    }

    /// Reports the next token as what should not appear here.
    SyntaxError unexpected(String expected) {
        TokenKind kind = kind();
        String found = shown(kind);
        if (kind == TokenKind.BAD_NUMBER) {
            return invalid(
                    Rule.MALFORMED_NUMBER,
                    found + " where " + expected + " should stand",
                    "write 10, 012, 0x1F, 0b101, 1.5, 0f and 8 hexadecimal digits, or 0d and 16",
                    "4.5");
        }
        if (kind == TokenKind.UNTERMINATED_COMMENT || kind == TokenKind.UNTERMINATED_STRING) {
            return invalid(
                    kind == TokenKind.UNTERMINATED_COMMENT
                            ? Rule.UNTERMINATED_COMMENT
                            : Rule.UNTERMINATED_STRING,
                    found,
                    kind == TokenKind.UNTERMINATED_COMMENT
                            ? "add */"
                            : "add a quote on the same line",
                    "4.2");
        }
        findings.add(
                finding(
                                next,
                                Rule.SYNTAX_ERROR,
                                "found " + found + "; expected " + expected,
                                remedy(expected),
                                "4")
                        .with(surplus(expected) ? new Edit(position(), ";", "") : null));
        return new SyntaxError();
    }

    private String shown(TokenKind kind) {
        return switch (kind) {
            case IDENTIFIER, INTEGER, FLOAT, SINGLE, DOUBLE -> "'" + shortened(text()) + "'";
            case DOTTED -> "'." + shortened(text()) + "'";
            case STRING -> "\"" + shortened(text()) + "\"";
            case BAD_NUMBER -> kind.words() + " '" + shortened(text()) + "'";
            default -> kind.words();
        };
    }

    /// Whether the text ends within a comment or a string that is never closed.
    boolean endsInside() {
        int last = tokens.count() - 2;
        return last >= 0
                && (tokens.kind(last) == TokenKind.UNTERMINATED_COMMENT
                        || tokens.kind(last) == TokenKind.UNTERMINATED_STRING);
    }

    private String remedy(String expected) {
        if (at(TokenKind.END)) {
            return "the text ends too early; a ';', a ')' or a '}' may be missing before";
        }
        return surplus(expected) ? "leave this ';' out" : "write " + expected + " here";
    }

    /// Whether a `;` ends nothing.
    private boolean surplus(String expected) {
        return at(TokenKind.SEMICOLON) && expected.startsWith("an instruction");
    }

    /// Reports something wrong at the next token, by the section of its rule.
    SyntaxError invalid(Rule rule, String message, String remedy) {
        return invalidAt(next, rule, message, remedy);
    }

    SyntaxError invalid(Rule rule, String message, String remedy, String section) {
        return invalidAt(next, rule, message, remedy, section);
    }

    SyntaxError invalidAt(int token, Rule rule, String message, String remedy) {
        return invalidAt(token, rule, message, remedy, rule.section());
    }

    /// Reports something wrong at this token.
    SyntaxError invalidAt(int token, Rule rule, String message, String remedy, String section) {
        findings.add(finding(token, rule, message, remedy, section));
        return new SyntaxError();
    }

    private Diagnostic finding(
            int token, Rule rule, String message, String remedy, String section) {
        return new Diagnostic(
                rule,
                tokens.position(token),
                tokens.width(token),
                message,
                remedy,
                section,
                List.of());
    }

    static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }

    /// Goes behind the next `;`, or in front of the next `}` that closes more than the statement
    /// opened.
    void skipStatement() {
        int depth = 0;
        while (!at(TokenKind.END)) {
            switch (kind()) {
                case SEMICOLON -> {
                    advance();
                    return;
                }
                case LEFT_BRACE -> depth++;
                case RIGHT_BRACE -> {
                    if (depth == 0) {
                        return;
                    }
                    depth--;
                }
                default -> {}
            }
            advance();
        }
    }
}
