package dev.heddle.ptx;

import dev.heddle.ptx.Constant.DoubleConstant;
import dev.heddle.ptx.Constant.IntegerConstant;

import org.jspecify.annotations.Nullable;

/// The binary operators of constant expressions, with C's precedence (PTX ISA 4.5.4, tables 4 and
/// 5).
enum ConstantOperator {
    OR_OR(TokenKind.OR_OR, 0),
    AND_AND(TokenKind.AND_AND, 1),
    OR(TokenKind.OR, 2),
    XOR(TokenKind.XOR, 3),
    AND(TokenKind.AND, 4),
    EQUAL(TokenKind.EQUAL, 5),
    NOT_EQUAL(TokenKind.NOT_EQUAL, 5),
    LESS(TokenKind.LESS, 6),
    GREATER(TokenKind.GREATER, 6),
    LESS_EQUAL(TokenKind.LESS_EQUAL, 6),
    GREATER_EQUAL(TokenKind.GREATER_EQUAL, 6),
    SHIFT_LEFT(TokenKind.SHIFT_LEFT, 7),
    SHIFT_RIGHT(TokenKind.SHIFT_RIGHT, 7),
    PLUS(TokenKind.PLUS, 8),
    MINUS(TokenKind.MINUS, 8),
    STAR(TokenKind.STAR, 9),
    SLASH(TokenKind.SLASH, 9),
    PERCENT(TokenKind.PERCENT, 9);

    /// The precedence of products.
    static final int MULTIPLICATIVE = 9;

    private final TokenKind kind;
    private final int precedence;

    ConstantOperator(TokenKind kind, int precedence) {
        this.kind = kind;
        this.precedence = precedence;
    }

    TokenKind kind() {
        return kind;
    }

    int precedence() {
        return precedence;
    }

    static @Nullable ConstantOperator of(TokenKind kind) {
        return switch (kind) {
            case OR_OR -> OR_OR;
            case AND_AND -> AND_AND;
            case OR -> OR;
            case XOR -> XOR;
            case AND -> AND;
            case EQUAL -> EQUAL;
            case NOT_EQUAL -> NOT_EQUAL;
            case LESS -> LESS;
            case GREATER -> GREATER;
            case LESS_EQUAL -> LESS_EQUAL;
            case GREATER_EQUAL -> GREATER_EQUAL;
            case SHIFT_LEFT -> SHIFT_LEFT;
            case SHIFT_RIGHT -> SHIFT_RIGHT;
            case PLUS -> PLUS;
            case MINUS -> MINUS;
            case STAR -> STAR;
            case SLASH -> SLASH;
            case PERCENT -> PERCENT;
            default -> null;
        };
    }

    /// The value, or null where these operands have none.
    @Nullable Constant apply(Constant left, Constant right) {
        if (left instanceof IntegerConstant a && right instanceof IntegerConstant b) {
            return integers(a, b);
        }
        if (left instanceof DoubleConstant a && right instanceof DoubleConstant b) {
            return doubles(a.value(), b.value());
        }
        return null;
    }

    private @Nullable Constant integers(IntegerConstant left, IntegerConstant right) {
        long a = left.value();
        long b = right.value();
        boolean unsigned = left.unsigned() || right.unsigned();
        int order = unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b);
        return switch (this) {
            case OR_OR -> truth(a != 0 || b != 0);
            case AND_AND -> truth(a != 0 && b != 0);
            case OR -> new IntegerConstant(a | b, unsigned);
            case XOR -> new IntegerConstant(a ^ b, unsigned);
            case AND -> new IntegerConstant(a & b, unsigned);
            case EQUAL -> truth(a == b);
            case NOT_EQUAL -> truth(a != b);
            case LESS -> truth(order < 0);
            case GREATER -> truth(order > 0);
            case LESS_EQUAL -> truth(order <= 0);
            case GREATER_EQUAL -> truth(order >= 0);
            case SHIFT_LEFT -> new IntegerConstant(far(b) ? 0 : a << b, left.unsigned());
            case SHIFT_RIGHT -> new IntegerConstant(right(left, b), left.unsigned());
            case PLUS -> new IntegerConstant(a + b, unsigned);
            case MINUS -> new IntegerConstant(a - b, unsigned);
            case STAR -> new IntegerConstant(a * b, unsigned);
            case SLASH ->
                    b == 0
                            ? null
                            : new IntegerConstant(
                                    unsigned ? Long.divideUnsigned(a, b) : a / b, unsigned);
            case PERCENT ->
                    b == 0 ? null : new IntegerConstant(Long.remainderUnsigned(a, b), false);
        };
    }

    private static boolean far(long shift) {
        return Long.compareUnsigned(shift, 63) > 0;
    }

    private static long right(IntegerConstant value, long shift) {
        if (value.unsigned()) {
            return far(shift) ? 0 : value.value() >>> shift;
        }
        return value.value() >> (far(shift) ? 63 : shift);
    }

    private @Nullable Constant doubles(double a, double b) {
        return switch (this) {
            case PLUS -> real(a + b);
            case MINUS -> real(a - b);
            case STAR -> real(a * b);
            case SLASH -> real(a / b);
            case EQUAL -> truth(a == b);
            case NOT_EQUAL -> truth(a != b);
            case LESS -> truth(a < b);
            case GREATER -> truth(a > b);
            case LESS_EQUAL -> truth(a <= b);
            case GREATER_EQUAL -> truth(a >= b);
            case OR_OR, AND_AND, OR, XOR, AND, SHIFT_LEFT, SHIFT_RIGHT, PERCENT -> null;
        };
    }

    private static Constant truth(boolean value) {
        return new IntegerConstant(value ? 1 : 0, false);
    }

    private static Constant real(double value) {
        return new DoubleConstant(Double.doubleToRawLongBits(value));
    }
}
