package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.DefinednessStep.RequireDivisor;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Width;

/// Looks in machine code whether lanes are about to divide an integer by zero. Java tells of those.
record DivisorEmitter(WarpValues values) {
    static boolean knows(RequireDivisor step) {
        return step.divisor() instanceof Register;
    }

    /// @param zero where to go if a lane's divisor is zero
    void emit(RequireDivisor step, Label zero) {
        Assembler code = values.code;
        values.ask(step.divisor().width(), (chunk, mask) -> compare(step, chunk, mask));
        code.maskTo(Assembler.RAX, 5);
        if (step.guard() != null) {
            values.restrict(Assembler.RAX, step.guard());
        }
        code.arithmetic(Arithmetic.AND, Assembler.RAX, Operand.register(WarpValues.ACTIVE));
        code.jump(Condition.NOT_EQUAL, zero);
    }

    private void compare(RequireDivisor step, int chunk, int mask) {
        boolean isLong = step.divisor().width() == Width.LONG;
        int divisor = values.load(step.divisor(), chunk, WarpValues.FIRST);
        values.code.vector(
                isLong ? Evex.VPCMPUQ : Evex.VPCMPUD,
                mask,
                divisor,
                isLong ? values.code.longword(0) : values.code.word(0),
                Assembler.EQUAL);
    }
}
