package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;

/// Short forms of the vector instructions that products are made of, 16 numbers of 32 bits each.
abstract sealed class VectorCode
        permits ChainCode, FactorCode, IntegerSumCode, OperandCode, PairCode, SumCode, TermSumCode {
    /// Bytes of a vector.
    static final int VECTOR = Lanes.COUNT * Integer.BYTES;

    /// Bits of a fraction.
    static final int FRACTION = 23;

    /// What is added to an exponent.
    static final int BIAS = 127;

    final Assembler code;

    VectorCode(Assembler code) {
        this.code = code;
    }

    final void vector(Evex operation, int target, int second, int last) {
        code.vector(operation, target, second, register(last));
    }

    final void vector(Evex operation, int target, int second, Operand last) {
        code.vector(operation, target, second, last);
    }

    final void load(int target, Operand source) {
        code.vector(Evex.VMOVDQU32, target, 0, source);
    }

    final void store(Operand target, int source) {
        code.vector(Evex.VMOVDQU32_STORE, source, 0, target);
    }

    final void shift(int digit, int target, int source, int amount) {
        code.vector(Evex.VPSLLD_I, digit, target, register(source), amount);
    }

    final void constant(int target, int value) {
        code.vector(Evex.VPBROADCASTD, target, 0, code.word(value));
    }

    final void compare(int mask, int vector, int relation, int value) {
        code.vector(Evex.VPCMPD, mask, vector, code.word(value), relation);
    }

    /// `target = value` where the mask is set.
    final void blend(int mask, int target, int value) {
        code.vectorWhere(Evex.VPBLENDMD, mask, target, target, code.word(value));
    }

    final void addTo(int register, int bytes) {
        code.arithmeticLong(Arithmetic.ADD, register, bytes);
    }

    final void repeat(int counter, int times, Runnable body) {
        Label again = new Label();
        code.moveConstant(counter, times);
        code.bind(again);
        body.run();
        code.arithmeticLong(Arithmetic.SUB, counter, 1);
        code.jump(Condition.NOT_EQUAL, again);
    }

    final void shift(int digit, int target, Operand source, int amount) {
        code.vector(Evex.VPSLLD_I, digit, target, source, amount);
    }

    static int twice(int value) {
        return value << Short.SIZE | value & 0xffff;
    }
}
