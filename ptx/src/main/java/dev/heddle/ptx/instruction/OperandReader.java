package dev.heddle.ptx.instruction;

import dev.heddle.ptx.instruction.InstructionForm.Kind;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionForm.Presence;
import dev.heddle.ptx.instruction.InstructionForm.Registers;
import dev.heddle.ptx.instruction.InstructionForm.Second;

import org.jspecify.annotations.Nullable;

/// Reads one operand of a syntax line, from the marks around its name inwards; the package
/// documentation describes them.
final class OperandReader {
    private String rest;

    private OperandReader(String text) {
        rest = text;
    }

    static OperandForm read(String text) {
        return new OperandReader(text).operand();
    }

    private OperandForm operand() {
        Second second = second();
        String condition = second == null ? behind('?') : null;
        boolean exact = takes('=');
        boolean sameSize = takes('%');
        boolean negatable = takes('-');
        boolean relaxed = takes('~');
        boolean constant = takes('#');
        boolean address = takes('[') && endsIn(']');
        String type = orEmpty(behind(':'));
        String selector = behind('/');
        String count = behind('*');
        boolean marked = endsIn('!');
        boolean sink = endsIn('_');
        boolean fixed = type.equals("u32") || type.equals("s32");
        Registers family = fixed == marked ? Registers.FAMILY_OR_PAIR : Registers.FAMILY;
        return new OperandForm(
                rest,
                type,
                address ? Kind.ADDRESS : constant ? Kind.CONSTANT : Kind.VALUE,
                presence(condition),
                orEmpty(condition),
                relaxed,
                count != null,
                count == null || count.isEmpty() ? 0 : Integer.parseInt(count),
                sink,
                second,
                selector == null ? null : Selector.named(selector),
                negatable,
                exact ? Registers.EXACT : sameSize ? Registers.SAME_SIZE : family);
    }

    /// What is behind a bar. Two predicates have their type there.
    private @Nullable Second second() {
        String right = behind('|');
        if (right == null) {
            return null;
        }
        int colon = right.indexOf(':');
        if (colon >= 0 && rest.indexOf(':') < 0 && rest.charAt(0) == 'p') {
            rest += right.substring(colon);
        }
        return new Second(right.contains("?"));
    }

    private static Presence presence(@Nullable String condition) {
        if (condition == null) {
            return Presence.REQUIRED;
        }
        return condition.isEmpty() || condition.equals("middle")
                ? Presence.OPTIONAL
                : Presence.CONDITIONAL;
    }

    /// Cuts off a mark and what is behind it; null where there is none.
    private @Nullable String behind(char mark) {
        int at = rest.indexOf(mark);
        if (at < 0) {
            return null;
        }
        String behind = rest.substring(at + 1);
        rest = rest.substring(0, at);
        return behind;
    }

    private boolean takes(char mark) {
        boolean found = !rest.isEmpty() && rest.charAt(0) == mark;
        rest = found ? rest.substring(1) : rest;
        return found;
    }

    private boolean endsIn(char mark) {
        boolean found = !rest.isEmpty() && rest.charAt(rest.length() - 1) == mark;
        rest = found ? rest.substring(0, rest.length() - 1) : rest;
        return found;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
