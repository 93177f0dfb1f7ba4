package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.FormMatch;

import java.util.List;

/// What the notation of the forms cannot say of video instructions.
record VideoRules(OperandProblems problems) {
    /// A result goes into part of a register only beside the rest of operand c.
    void merge(Instruction instruction, FormMatch binding) {
        Operand target = instruction.operands().getFirst();
        boolean selects =
                target instanceof Operand.Register register && register.component() != null;
        if (selects && (instruction.operands().size() < 4 || binding.word("op2") != null)) {
            problems.report(
                    Rule.WRONG_VIDEO_SELECTOR,
                    instruction,
                    target,
                    OperandExcerpt.of(target)
                            + (instruction.operands().size() < 4
                                    ? ": there is no operand c to merge it into"
                                    : " beside a second operation"),
                    "leave the selector out",
                    binding);
        }
    }

    /// `vmad` negates its product or its addend, and no pair of halves. Two negations of a product
    /// are none.
    void negation(Instruction instruction, FormMatch binding) {
        List<Operand> operands = instruction.operands();
        for (Operand operand : operands) {
            if (operand instanceof Operand.Negated(_, Operand.Register register, _)
                    && register.declaration() != null
                    && register.declaration().type() == ScalarType.F16X2) {
                problems.report(
                        Rule.NEGATED_OPERAND,
                        instruction,
                        operand,
                        "'-' before " + register + ", which is .f16x2",
                        "use a .b32 or .s32 register",
                        binding);
            }
        }
        boolean product =
                operands.get(1) instanceof Operand.Negated
                        != operands.get(2) instanceof Operand.Negated;
        if (product && operands.get(3) instanceof Operand.Negated addend) {
            problems.report(
                    Rule.NEGATED_OPERAND,
                    instruction,
                    addend,
                    "'-' before operand c and before one of a and b of " + instruction.mnemonic(),
                    "negate one of them with neg first",
                    binding);
        }
    }
}
