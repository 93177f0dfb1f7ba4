package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Constant.DoubleConstant;
import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Constant.SingleConstant;

import org.jspecify.annotations.Nullable;

/// Reads and evaluates constant expressions (PTX ISA 4.5.4 to 4.5.6).
class ConstantParser extends TokenReader {

    private static final int DEEPEST = 200;

    private int depth;

    ConstantParser(Tokens tokens, Findings findings) {
        super(tokens, findings);
    }

    /// A whole constant expression.
    Constant constant() throws SyntaxError {
        Constant condition = binary(0);
        if (!at(TokenKind.QUESTION)) {
            return condition;
        }
        int question = index();
        advance();
        deeper();
        Constant yes = constant();
        expect(TokenKind.COLON);
        Constant no = constant();
        depth--;
        if (!(condition instanceof IntegerConstant(long value, _))) {
            throw invalidAt(
                    question,
                    Rule.MIXED_CONSTANT_EXPRESSION,
                    "the condition of ?: is floating-point; it must be an integer",
                    "compare it first: (x != 0.0) ? ... : ...",
                    "4.5.5");
        }
        return value != 0 ? yes : no;
    }

    /// A constant expression that must be an integer.
    long integer() throws SyntaxError {
        int start = index();
        if (constant() instanceof IntegerConstant(long value, _)) {
            return value;
        }
        throw invalidAt(
                start,
                Rule.NOT_AN_INTEGER,
                "an integer must stand here",
                "write an integer such as 16");
    }

    /// A factor of a sum: what may follow `+` in an address.
    long term() throws SyntaxError {
        int start = index();
        if (binary(ConstantOperator.MULTIPLICATIVE) instanceof IntegerConstant(long value, _)) {
            return value;
        }
        throw invalidAt(
                start,
                Rule.NOT_AN_INTEGER,
                "an offset must be an integer",
                "write bytes: [a+16]",
                "6.4.1");
    }

    private Constant binary(int lowest) throws SyntaxError {
        Constant left = unary();
        while (true) {
            ConstantOperator operator = ConstantOperator.of(kind());
            if (operator == null || operator.precedence() < lowest) {
                return left;
            }
            int token = index();
            advance();
            Constant right = binary(operator.precedence() + 1);
            Constant value = operator.apply(left, right);
            if (value == null) {
                throw invalidAt(
                        token,
                        Rule.MIXED_CONSTANT_EXPRESSION,
                        "operator %s cannot take %s and %s"
                                .formatted(
                                        operator.kind().words(), describe(left), describe(right)),
                        "operands are both integers or both double-precision; no division by zero");
            }
            left = value;
        }
    }

    private static String describe(Constant constant) {
        return switch (constant) {
            case IntegerConstant _ -> "the integer " + constant;
            case DoubleConstant(long bits) -> "the number " + Double.longBitsToDouble(bits);
            case SingleConstant _ -> "the single-precision number " + constant;
        };
    }

    private Constant unary() throws SyntaxError {
        int token = index();
        TokenKind operator = kind();
        if (operator != TokenKind.PLUS
                && operator != TokenKind.MINUS
                && operator != TokenKind.NOT
                && operator != TokenKind.COMPLEMENT) {
            return primary();
        }
        advance();
        deeper();
        Constant operand = unary();
        depth--;
        Constant value = negate(operator, operand);
        if (value == null) {
            throw invalidAt(
                    token,
                    Rule.MIXED_CONSTANT_EXPRESSION,
                    "operator " + operator.words() + " cannot take " + describe(operand),
                    "! and ~ take integers; - and + take numbers");
        }
        return value;
    }

    private static @Nullable Constant negate(TokenKind operator, Constant operand) {
        return switch (operand) {
            case IntegerConstant(long value, boolean unsigned) ->
                    switch (operator) {
                        case PLUS -> operand;
                        case MINUS -> new IntegerConstant(-value, unsigned);
                        case NOT -> new IntegerConstant(value == 0 ? 1 : 0, false);
                        default -> new IntegerConstant(~value, true);
                    };
            case DoubleConstant(long bits) ->
                    switch (operator) {
                        case PLUS -> operand;
                        case MINUS -> new DoubleConstant(bits ^ Long.MIN_VALUE);
                        default -> null;
                    };
            case SingleConstant(int bits) ->
                    switch (operator) {
                        case PLUS -> operand;
                        case MINUS -> new SingleConstant(bits ^ Integer.MIN_VALUE);
                        default -> null;
                    };
        };
    }

    private Constant primary() throws SyntaxError {
        return switch (kind()) {
            case INTEGER -> integerConstant();
            case FLOAT -> real(text());
            case SINGLE -> {
                int bits = Integer.parseUnsignedInt(text().substring(2), 16);
                advance();
                yield new SingleConstant(bits);
            }
            case DOUBLE -> {
                long bits = Long.parseUnsignedLong(text().substring(2), 16);
                advance();
                yield new DoubleConstant(bits);
            }
            case DOTTED -> fraction();
            case LEFT_PARENTHESIS -> parenthesis();
            default -> {
                if (!atWord("WARP_SZ")) {
                    throw unexpected("a constant");
                }
                advance();
                yield new IntegerConstant(32, false);
            }
        };
    }

    private Constant integerConstant() throws SyntaxError {
        Constant value = integerLiteral(text());
        if (value == null) {
            throw invalid(
                    Rule.INTEGER_TOO_LARGE,
                    "the integer " + shortened(text()) + " does not fit 64 bits",
                    "write at most 18446744073709551615, or 16 hexadecimal digits");
        }
        advance();
        return value;
    }

    private Constant parenthesis() throws SyntaxError {
        advance();
        deeper();
        Constant value;
        if (atDotted("s64") || atDotted("u64")) {
            boolean unsigned = text().equals("u64");
            int cast = index();
            advance();
            expect(TokenKind.RIGHT_PARENTHESIS);
            if (!(unary() instanceof IntegerConstant(long bits, _))) {
                throw invalidAt(
                        cast,
                        Rule.MIXED_CONSTANT_EXPRESSION,
                        "only integers can be cast",
                        "there is no cast between integers and floating-point",
                        "4.5.4");
            }
            value = new IntegerConstant(bits, unsigned);
        } else {
            value = constant();
            expect(TokenKind.RIGHT_PARENTHESIS);
        }
        depth--;
        return value;
    }

    /// A number such as `.5` or `.5e3`, whose first token the lexer took for a qualifier.
    private Constant fraction() throws SyntaxError {
        String digits = text();
        if (!Character.isDigit(digits.charAt(0))) {
            throw unexpected("a constant");
        }
        char last = digits.charAt(digits.length() - 1);
        boolean signFollows =
                (last == 'e' || last == 'E')
                        && (kindAfter(1) == TokenKind.PLUS || kindAfter(1) == TokenKind.MINUS)
                        && kindAfter(2) == TokenKind.INTEGER;
        if (signFollows) {
            boolean minus = kindAfter(1) == TokenKind.MINUS;
            advance();
            advance();
            return real("." + digits + (minus ? "-" : "+") + text());
        }
        return real("." + digits);
    }

    private Constant real(String literal) throws SyntaxError {
        for (int i = 0; i < literal.length(); i++) {
            if ("0123456789.eE+-".indexOf(literal.charAt(i)) < 0) {
                throw unexpected("a constant");
            }
        }
        try {
            double value = Double.parseDouble(literal);
            advance();
            return new DoubleConstant(Double.doubleToRawLongBits(value));
        } catch (NumberFormatException _) {
            throw unexpected("a constant");
        }
    }

    private void deeper() throws SyntaxError {
        if (++depth > DEEPEST) {
            depth = 0;
            throw invalid(
                    Rule.NESTING_TOO_DEEP,
                    "a constant expression nested deeper than " + DEEPEST,
                    "compute it beforehand",
                    "4.5.4");
        }
    }

    /// Forgets the nesting of an expression that was left by an error.
    void startStatement() {
        depth = 0;
    }

    /// The value of an integer literal, or null where it does not fit 64 bits.
    static @Nullable IntegerConstant integerLiteral(String literal) {
        boolean unsigned = literal.endsWith("U");
        int end = literal.length() - (unsigned ? 1 : 0);
        int start = 0;
        int radix = 10;
        if (end > 1 && literal.charAt(0) == '0') {
            char marker = literal.charAt(1);
            radix = marker == 'x' || marker == 'X' ? 16 : marker == 'b' || marker == 'B' ? 2 : 8;
            start = radix == 8 ? 1 : 2;
        }
        if (end - start > 80) {
            while (start < end - 1 && literal.charAt(start) == '0') {
                start++;
            }
            if (end - start > 80) {
                return null;
            }
        }
        try {
            long value = Long.parseUnsignedLong(literal, start, end, radix);
            return new IntegerConstant(value, unsigned || value < 0);
        } catch (NumberFormatException _) {
            return null;
        }
    }
}
