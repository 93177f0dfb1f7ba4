package dev.heddle.ptx.check;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;

/// What the notation of the forms cannot say of video instructions.
record VideoRules(InstructionProblems at) {
    /// A result goes into part of a register only beside the rest of operand c.
    void merge() {
        if (!(at.operand(0) instanceof Operand.Register target) || target.component() == null) {
            return;
        }
        if (at.instruction().operands().size() < 4) {
            at.report("wrong-video-selector.alone", target);
        } else if (at.binding().word("op2") != null) {
            at.report("wrong-video-selector.second", target);
        }
    }

    /// `vmad` negates its product or its addend, and no pair of halves. Two negations of a product
    /// are none.
    void negation() {
        for (Operand operand : at.instruction().operands()) {
            if (operand instanceof Operand.Negated(_, Operand.Register register, _)
                    && register.declaration() != null
                    && register.declaration().type() == ScalarType.F16X2) {
                at.report("negated-operand.halves", operand, register);
            }
        }
        boolean product =
                at.operand(1) instanceof Operand.Negated
                        != at.operand(2) instanceof Operand.Negated;
        if (product && at.operand(3) instanceof Operand.Negated addend) {
            at.report("negated-operand.both", addend, at.instruction());
        }
    }
}
