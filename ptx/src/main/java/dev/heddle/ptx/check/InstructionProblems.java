package dev.heddle.ptx.check;

import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.instruction.FormMatch;

import org.jspecify.annotations.Nullable;

/// An instruction with the form that it fits, and who is told what else is wrong with it, by the
/// section of the form.
record InstructionProblems(Instruction instruction, FormMatch binding, Reporter reporter) {
    boolean has(String qualifier) {
        return instruction.has(qualifier);
    }

    Operand operand(int index) {
        return instruction.operands().get(index);
    }

    /// The integer that an operand is, or null.
    @Nullable Long constant(int operand) {
        return operand < instruction.operands().size()
                        && operand(operand)
                                instanceof Operand.Immediate(IntegerConstant(long value, _), _)
                ? value
                : null;
    }

    /// An integer operand must lie between two numbers.
    void range(int operand, long least, long most) {
        Long value = constant(operand);
        if (value != null && (value < least || value > most)) {
            Object last = most == Long.MAX_VALUE ? "any number" : most;
            report("constant-out-of-range", operand(operand), value, least, last);
        }
    }

    void report(String wording, Object subject, Object... more) {
        reporter.report(Problem.of(wording, subject, more), binding.form().section());
    }
}
