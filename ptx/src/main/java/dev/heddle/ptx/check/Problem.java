package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.SourcePosition;

/// Something wrong with an operand, before it is known whether another form fits better.
///
/// @param rule its name
/// @param position the operand
/// @param width in characters
/// @param message what was found and what is allowed
/// @param remedy what to change
/// @param section empty for the section of the form
record Problem(
        Rule rule,
        SourcePosition position,
        int width,
        String message,
        String remedy,
        String section) {

    /// What is wrong with an operand by the section of the form.
    static Problem of(Rule rule, Operand operand, String message, String remedy) {
        return of(rule, operand, message, remedy, "");
    }

    /// What is wrong with an operand by a section of its own.
    static Problem of(Rule rule, Operand operand, String message, String remedy, String section) {
        int width = OperandExcerpt.width(operand);
        return new Problem(rule, operand.position(), width, message, remedy, section);
    }
}
