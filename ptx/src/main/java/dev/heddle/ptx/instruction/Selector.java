package dev.heddle.ptx.instruction;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// Which parts of a 32-bit register a video instruction may name behind it: `%r1.h0`, `%r2.b7654`
/// (PTX ISA 9.7.18).
///
/// A selector is read as the numbers of parts, the first of them that of the lowest part.
public enum Selector {
    /// One byte or half: `b0` to `b3`, `h0`, `h1`. None is the whole register.
    PART(4, 1, ""),
    /// Two of the four halves of operands a and b: `h10`.
    HALVES(4, 2, ""),
    /// Four of the eight bytes of operands a and b: `b3210`.
    BYTES(8, 4, ""),
    /// The halves of the result to take: `h0`, `h1`, `h10`.
    HALFMASK(2, 2, "10"),
    /// The bytes of the result to take: `b0` to `b3210`.
    BYTEMASK(4, 4, "3210"),
    /// None: a register, and no constant.
    WORD(0, 0, "");

    private final int parts;
    private final int most;
    private final String all;

    /// @param parts to choose from
    /// @param most how many may be chosen; all of them must be where the order is free
    /// @param all the parts of a mask, highest first, or an empty text
    Selector(int parts, int most, String all) {
        this.parts = parts;
        this.most = most;
        this.all = all;
    }

    /// The selector that the table calls so.
    static Selector named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /// Whether the operand must be a register, with or without a selector.
    public boolean isRegister() {
        return this != PART;
    }

    /// Whether this may appear behind a register's point.
    public boolean accepts(String selector) {
        if (selector.length() < 2 || most == 0) {
            return false;
        }
        char unit = selector.charAt(0);
        String digits = selector.substring(1);
        if (this == PART) {
            return digits.length() == 1
                    && (unit == 'b' ? isBelow(digits, 4) : unit == 'h' && isBelow(digits, 2));
        }
        boolean halves = this == HALVES || this == HALFMASK;
        if (unit != (halves ? 'h' : 'b') || !isBelow(digits, parts)) {
            return false;
        }
        return all.isEmpty() ? digits.length() == most : isFalling(digits);
    }

    private static boolean isBelow(String digits, int bound) {
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit >= bound) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFalling(String digits) {
        for (int i = 1; i < digits.length(); i++) {
            if (digits.charAt(i) >= digits.charAt(i - 1)) {
                return false;
            }
        }
        return true;
    }

    /// The number of the part in each place, from the lowest.
    ///
    /// @param selector as written, or null where none is
    /// @param standard what it is then: `10`
    public static int[] parts(@Nullable String selector, String standard) {
        String digits = selector == null ? standard : selector.substring(1);
        int[] parts = new int[digits.length()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = digits.charAt(parts.length - 1 - i) - '0';
        }
        return parts;
    }

    /// Some selectors of this kind, for examples.
    public String[] examples() {
        return switch (this) {
            case PART -> new String[] {"b0", "b3", "h0", "h1"};
            case HALVES -> new String[] {"h10", "h32", "h03", "h22"};
            case BYTES -> new String[] {"b3210", "b7654", "b0246", "b7777"};
            case HALFMASK -> new String[] {"h0", "h1", "h10"};
            case BYTEMASK -> new String[] {"b0", "b3", "b20", "b310", "b3210"};
            case WORD -> new String[0];
        };
    }
}
