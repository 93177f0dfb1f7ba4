package dev.heddle.explorer;

import dev.heddle.formats.InputException;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.OperandName;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Which operands of a form are in registers, and can therefore be drawn by lane.
final class Drawable {
    private Drawable() {}

    /// The operands that can be drawn, in order.
    static List<OperandName> of(Form form) {
        return Arrays.stream(OperandName.values()).filter(name -> stands(name, form)).toList();
    }

    /// The operand itself.
    ///
    /// @throws InputException if it cannot be drawn; the message lists those that can
    static OperandName check(OperandName operand, Form form) {
        if (stands(operand, form)) {
            return operand;
        }
        boolean shared =
                form.family().warpgroup() && (operand == OperandName.A || operand == OperandName.B);
        throw new InputException(
                form
                        + (shared
                                ? " reads operand " + operand + " from shared memory"
                                : " has no operand " + operand)
                        + ": expected one of "
                        + of(form).stream().map(OperandName::name).collect(Collectors.joining(" "))
                        + " (PTX ISA "
                        + (shared ? "9.7.15.5.1.2" : form.syntax().section())
                        + ")");
    }

    /// Why the form has no such operand in registers; empty if it has.
    static String absence(OperandName operand, Form form) {
        if (stands(operand, form)) {
            return "";
        }
        return switch (operand) {
            case A, B, C, D -> "read from shared memory (PTX ISA 9.7.15.5.1.2)";
            case E -> "A is dense, there is no metadata (PTX ISA 9.7.14.6)";
            case SFA, SFB -> "the form is not block-scaled (PTX ISA 9.7.14.3)";
        };
    }

    private static boolean stands(OperandName operand, Form form) {
        return switch (operand) {
            case A -> form.aSource() == ASource.REGISTERS;
            case B -> !form.family().warpgroup();
            case C, D -> true;
            case E -> form.sparse();
            case SFA, SFB -> form.blockScaled();
        };
    }
}
