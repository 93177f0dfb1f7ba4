package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import dev.heddle.tensorcore.functions.MufuRows;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;

/// What `MUFU` instructions have in common: single steps, and the datapath.
abstract sealed class MufuSteps permits MufuCode {
    static final int SPARE = WarpValues.RESULT;
    static final int ARGUMENT = WarpValues.FIRST;
    static final int RESULT = WarpValues.SECOND;
    static final int LOW = WarpValues.THIRD;
    static final int ROW = WarpValues.FOURTH;

    private static final int POINTER = Assembler.RBP;
    private static final int MASK = 6;

    static final int MAGNITUDE = Integer.MAX_VALUE;
    static final int SIGN = Integer.MIN_VALUE;
    static final int INFINITY = 0x7f80_0000;
    static final int NAN = 0x7fff_ffff;
    static final int ONE = 0x3f80_0000;
    static final int FRACTION = 0x7f_ffff;
    static final int HIDDEN = 0x80_0000;

    final Assembler code;

    MufuSteps(Assembler code) {
        this.code = code;
    }

    // Single steps.

    final void apply(Evex operation, int target, int a, int constant) {
        code.vector(operation, target, a, code.word(constant));
    }

    final void join(Evex operation, int target, int other) {
        code.vector(operation, target, target, Operand.register(other));
    }

    final void shift(int digit, int target, int a, int amount) {
        Evex operation = digit == RIGHT_WITH_SIGN ? Evex.VPSRAD_I : Evex.VPSLLD_I;
        code.vector(operation, digit, target, Operand.register(a), amount);
    }

    final void set(int target, int constant) {
        code.vector(Evex.VPBROADCASTD, target, 0, code.word(constant));
    }

    /// A constant as result where a vector compares so with another one.
    final void replace(int a, int relation, int constant, int result) {
        code.vector(Evex.VPCMPD, 5, a, code.word(constant), relation);
        code.vectorWhere(Evex.VPBROADCASTD, 5, RESULT, 0, code.word(result));
    }

    /// Words of a list, at offsets in bytes.
    final void gather(int target, int[] list, int offsets) {
        code.moveConstant(Assembler.RAX, -1);
        code.maskFrom(MASK, Assembler.RAX);
        code.address(POINTER, code.steps(list));
        code.vectorWhere(Evex.VPGATHERDD, MASK, target, 0, Operand.each(POINTER, offsets));
    }

    // The datapath.

    /// V in two words: the upper one becomes the result, the lower one stays beside it. The low
    /// bits of the argument are x.
    ///
    /// @param rows at offsets in bytes that are in vector 4
    /// @param quadratic what c2 is multiplied by
    /// @param doubled how often the squarer's x is doubled: what rows have more, x has less
    final void interpolate(MufuRows rows, int quadratic, int rounding, int doubled) {
        square(doubled);
        gather(SPARE, rows.slopes(), ROW);
        apply(Evex.VPANDD, LOW, SPARE, 0x3fff);
        join(Evex.VPMULLD, LOW, RESULT);
        if (quadratic != 1) {
            apply(Evex.VPMULLD, LOW, LOW, quadratic);
        }
        apply(Evex.VPADDD, LOW, LOW, rounding);
        shift(RIGHT_WITH_SIGN, SPARE, SPARE, 14);
        apply(Evex.VPANDD, RESULT, ARGUMENT, 0x1ff);
        join(Evex.VPMULLD, RESULT, SPARE);
        join(Evex.VPADDD, LOW, RESULT);
        shift(RIGHT, RESULT, ARGUMENT, 9);
        apply(Evex.VPANDD, RESULT, RESULT, 0xff >> doubled);
        join(Evex.VPMULLD, RESULT, SPARE);
        gather(SPARE, rows.base(), ROW);
        join(Evex.VPADDD, RESULT, SPARE);
        shift(RIGHT_WITH_SIGN, SPARE, LOW, 9);
        join(Evex.VPADDD, RESULT, SPARE);
    }

    private void square(int doubled) {
        shift(LEFT, LOW, ARGUMENT, doubled);
        apply(Evex.VPANDD, LOW, LOW, 0x1ff);
        shift(RIGHT, RESULT, ARGUMENT, 9 - doubled);
        apply(Evex.VPANDD, RESULT, RESULT, 0xff);
        join(Evex.VPMULLD, RESULT, RESULT);
        shift(RIGHT, RESULT, RESULT, 1);
        for (int bit = 1; bit < 8; bit++) {
            shift(LEFT, SPARE, ARGUMENT, 22 - bit + doubled);
            shift(RIGHT_WITH_SIGN, SPARE, SPARE, 31);
            join(Evex.VPANDD, SPARE, LOW);
            shift(RIGHT, SPARE, SPARE, 9 - bit);
            join(Evex.VPADDD, RESULT, SPARE);
        }
    }
}
