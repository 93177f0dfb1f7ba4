package dev.heddle.ptx;

/// What a token of PTX text is.
enum TokenKind {
    IDENTIFIER("a name"),
    /// A dot and a word, `::` parts included; its text leaves the dot out.
    DOTTED("a directive or qualifier"),
    INTEGER("an integer"),
    FLOAT("a floating-point number"),
    SINGLE("a single-precision number"),
    DOUBLE("a double-precision number"),
    STRING("a string"),
    COMMA("','"),
    SEMICOLON("';'"),
    COLON("':'"),
    LEFT_PARENTHESIS("'('"),
    RIGHT_PARENTHESIS("')'"),
    LEFT_BRACKET("'['"),
    RIGHT_BRACKET("']'"),
    LEFT_BRACE("'{'"),
    RIGHT_BRACE("'}'"),
    AT("'@'"),
    PLUS("'+'"),
    MINUS("'-'"),
    STAR("'*'"),
    SLASH("'/'"),
    PERCENT("'%'"),
    NOT("'!'"),
    COMPLEMENT("'~'"),
    AND("'&'"),
    OR("'|'"),
    XOR("'^'"),
    SHIFT_LEFT("'<<'"),
    SHIFT_RIGHT("'>>'"),
    LESS("'<'"),
    GREATER("'>'"),
    LESS_EQUAL("'<='"),
    GREATER_EQUAL("'>='"),
    EQUAL("'=='"),
    NOT_EQUAL("'!='"),
    AND_AND("'&&'"),
    OR_OR("'||'"),
    QUESTION("'?'"),
    ASSIGN("'='"),
    SINK("'_'"),
    END("the end of the file"),
    BAD_CHARACTER("a character PTX does not use"),
    BAD_NUMBER("a malformed number"),
    UNTERMINATED_STRING("a string without its closing quote"),
    UNTERMINATED_COMMENT("a comment without its closing */");

    private final String words;

    TokenKind(String words) {
        this.words = words;
    }

    /// How a message calls it.
    String words() {
        return words;
    }

    /// Whether the lexer could make nothing of it.
    boolean isBad() {
        return compareTo(END) > 0;
    }
}
