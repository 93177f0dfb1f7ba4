package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.instruction.FormMatch;

import org.jspecify.annotations.Nullable;

/// Reports what is wrong with an operand, at its place, with the section of the instruction.
record OperandProblems(Reporter reporter) {
    /// The integer that an operand is, or null.
    static @Nullable Long constant(Instruction instruction, int operand) {
        return operand < instruction.operands().size()
                        && instruction.operands().get(operand)
                                instanceof Operand.Immediate(IntegerConstant(long value, _), _)
                ? value
                : null;
    }

    /// An integer operand must lie between two numbers.
    void range(Instruction instruction, FormMatch binding, int operand, long least, long most) {
        Long value = constant(instruction, operand);
        if (value != null && (value < least || value > most)) {
            report(
                    Rule.CONSTANT_OUT_OF_RANGE,
                    instruction,
                    instruction.operands().get(operand),
                    "%s is out of range; %s to %s"
                            .formatted(value, least, most == Long.MAX_VALUE ? "any number" : most),
                    "write a number in that range",
                    binding);
        }
    }

    void report(
            Rule rule,
            Instruction instruction,
            @Nullable Operand operand,
            String message,
            String remedy,
            FormMatch binding) {
        reporter.invalid(
                rule,
                operand == null ? instruction.position() : operand.position(),
                operand == null ? instruction.mnemonic().length() : OperandExcerpt.width(operand),
                message,
                remedy,
                binding.form().section());
    }
}
