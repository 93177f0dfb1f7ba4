package dev.heddle.tensorcore.x86;

/// Conditions of jumps, by the low digit of their opcodes.
public enum Condition {
    BELOW(2),
    ABOVE_OR_EQUAL(3),
    EQUAL(4),
    NOT_EQUAL(5),
    ABOVE(7),
    SIGN(8),
    GREATER(15),
    LESS_OR_EQUAL(14);

    final int code;

    Condition(int code) {
        this.code = code;
    }
}
