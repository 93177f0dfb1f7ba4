package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import dev.heddle.tensorcore.functions.MufuRows;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;

/// `MUFU` instructions as machine code, step by step as `VectorMufu` has them.
///
/// The argument is in vector 1, or made there a second time where it is asked for again; the result
/// is in vector 2. Vectors 0 to 4 hold anything else then.
final class MufuCode {
    private static final int SPARE = WarpValues.RESULT;
    private static final int ARGUMENT = WarpValues.FIRST;
    private static final int RESULT = WarpValues.SECOND;
    private static final int LOW = WarpValues.THIRD;
    private static final int ROW = WarpValues.FOURTH;

    private static final int POINTER = Assembler.RBP;
    private static final int MASK = 6;

    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int SIGN = Integer.MIN_VALUE;
    private static final int INFINITY = 0x7f80_0000;
    private static final int NAN = 0x7fff_ffff;
    private static final int ONE = 0x3f80_0000;
    private static final int FRACTION = 0x7f_ffff;
    private static final int HIDDEN = 0x80_0000;
    private static final int TANH_LEAST = 119;

    private static final MufuRows RCP = MufuRows.of("rcp", 13);
    private static final MufuRows RSQ = MufuRows.of("rsq", 14);
    private static final MufuRows EX2 = MufuRows.of("ex2", 13);
    private static final MufuRows TANH = MufuRows.of("tanh", 15);

    private final Assembler code;

    MufuCode(Assembler code) {
        this.code = code;
    }

    // Single steps.

    private void apply(Evex operation, int target, int a, int constant) {
        code.vector(operation, target, a, code.word(constant));
    }

    private void join(Evex operation, int target, int other) {
        code.vector(operation, target, target, Operand.register(other));
    }

    private void shift(int digit, int target, int a, int amount) {
        Evex operation = digit == RIGHT_WITH_SIGN ? Evex.VPSRAD_I : Evex.VPSLLD_I;
        code.vector(operation, digit, target, Operand.register(a), amount);
    }

    private void set(int target, int constant) {
        code.vector(Evex.VPBROADCASTD, target, 0, code.word(constant));
    }

    /// A constant as result where a vector compares so with another one.
    private void replace(int a, int relation, int constant, int result) {
        code.vector(Evex.VPCMPD, 5, a, code.word(constant), relation);
        code.vectorWhere(Evex.VPBROADCASTD, 5, RESULT, 0, code.word(result));
    }

    /// Words of a list, at offsets in bytes.
    private void gather(int target, int[] list, int offsets) {
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
    private void interpolate(MufuRows rows, int quadratic, int rounding, int doubled) {
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

    // The functions.

    void ex2(Runnable argument) {
        argument.run();
        apply(Evex.VPANDD, RESULT, ARGUMENT, MAGNITUDE);
        shift(RIGHT, RESULT, RESULT, 23);
        set(LOW, 134);
        join(Evex.VPSUBD, LOW, RESULT);
        apply(Evex.VPMINUD, LOW, LOW, 31);
        // 7.23 bits, cut; what is beyond them is replaced in the end.
        apply(Evex.VPANDD, RESULT, ARGUMENT, FRACTION);
        apply(Evex.VPORD, RESULT, RESULT, HIDDEN);
        shift(LEFT, RESULT, RESULT, 7);
        join(Evex.VPSRLVD, RESULT, LOW);
        // -t, one less where t is no integer.
        shift(RIGHT_WITH_SIGN, ARGUMENT, ARGUMENT, 31);
        code.vector(Evex.VPTESTNMD, 5, RESULT, code.word(FRACTION));
        join(Evex.VPXORD, RESULT, ARGUMENT);
        code.vectorWhere(Evex.VPSUBD, 5, RESULT, RESULT, Operand.register(ARGUMENT));
        code.vector(Evex.VMOVDQU32, ARGUMENT, 0, Operand.register(RESULT));
        shift(RIGHT, ROW, ARGUMENT, 17 - 2);
        apply(Evex.VPANDD, ROW, ROW, 0x3f << 2);
        interpolate(EX2, 1, 0x77e2, 0);
        shift(RIGHT, RESULT, RESULT, 6);
        shift(RIGHT_WITH_SIGN, SPARE, ARGUMENT, 23);
        apply(Evex.VPADDD, SPARE, SPARE, 126);
        shift(LEFT, LOW, SPARE, 23);
        join(Evex.VPADDD, RESULT, LOW);
        replace(SPARE, LESS, 0, 0);
        argument.run();
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        shift(RIGHT_WITH_SIGN, SPARE, ARGUMENT, 31);
        apply(Evex.VPANDD, SPARE, SPARE, INFINITY);
        apply(Evex.VPXORD, SPARE, SPARE, INFINITY);
        code.vector(Evex.VPCMPD, 5, LOW, code.word(0x4300_0000), NOT_LESS);
        code.vectorWhere(Evex.VMOVDQU32, 5, RESULT, 0, Operand.register(SPARE));
        replace(LOW, GREATER, INFINITY, NAN);
    }

    void rcp(Runnable argument) {
        argument.run();
        shift(RIGHT, ROW, ARGUMENT, 16 - 2);
        apply(Evex.VPANDD, ROW, ROW, 0x7f << 2);
        interpolate(RCP, 1, 0x47e7, 1);
        shift(RIGHT, RESULT, RESULT, 6);
        apply(Evex.VPANDD, LOW, ARGUMENT, FRACTION);
        replace(LOW, EQUAL, 0, 2 * HIDDEN);
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        exponent(252, 23);
        replace(RESULT, LESS, HIDDEN, 0);
        replace(LOW, LESS, HIDDEN, INFINITY);
        replace(LOW, EQUAL, INFINITY, 0);
        sign();
        replace(LOW, GREATER, INFINITY, NAN);
    }

    /// Adds an exponent to a significand: so much less what is in vector 3 from a bit on.
    private void exponent(int from, int bit) {
        shift(RIGHT, SPARE, LOW, bit);
        set(ROW, from);
        join(Evex.VPSUBD, ROW, SPARE);
        shift(LEFT, ROW, ROW, 23);
        join(Evex.VPADDD, RESULT, ROW);
    }

    private void sign() {
        apply(Evex.VPANDD, SPARE, ARGUMENT, SIGN);
        join(Evex.VPORD, RESULT, SPARE);
    }

    void rsq(Runnable argument) {
        argument.run();
        // Its fields: half the exponent plus 64, parity, the row's bits of the fraction.
        apply(Evex.VPANDD, ROW, ARGUMENT, MAGNITUDE);
        apply(Evex.VPADDD, ROW, ROW, HIDDEN);
        shift(RIGHT, ROW, ROW, 17 - 2);
        apply(Evex.VPANDD, ROW, ROW, 0x7f << 2);
        interpolate(RSQ, 4, 0x7fff, 0);
        shift(RIGHT, RESULT, RESULT, 7);
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        apply(Evex.VPADDD, LOW, LOW, HIDDEN);
        apply(Evex.VPANDD, SPARE, LOW, 2 * HIDDEN - 1);
        replace(SPARE, EQUAL, 0, 2 * HIDDEN);
        exponent(189, 24);
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        replace(LOW, EQUAL, INFINITY, 0);
        replace(ARGUMENT, LESS, 0, NAN);
        replace(LOW, GREATER, INFINITY, NAN);
        replace(LOW, LESS, HIDDEN, INFINITY);
        code.vector(Evex.VPCMPD, 5, LOW, code.word(HIDDEN), LESS);
        apply(Evex.VPANDD, SPARE, ARGUMENT, SIGN);
        code.vectorWhere(Evex.VPORD, 5, RESULT, RESULT, Operand.register(SPARE));
    }

    void tanh(Runnable argument) {
        argument.run();
        binade(ROW);
        apply(Evex.VPANDD, LOW, ROW, 7);
        apply(Evex.VPANDD, ARGUMENT, ARGUMENT, FRACTION);
        join(Evex.VPSRLVD, ARGUMENT, LOW);
        shift(RIGHT, ROW, ROW, 16);
        shift(RIGHT, LOW, ARGUMENT, 17);
        join(Evex.VPADDD, ROW, LOW);
        shift(LEFT, ROW, ROW, 2);
        interpolate(TANH, -2, 0, 0);
        shift(LEFT, RESULT, RESULT, 2);
        shift(RIGHT, SPARE, LOW, 7);
        apply(Evex.VPANDD, SPARE, SPARE, 3);
        join(Evex.VPORD, RESULT, SPARE);
        code.vector(Evex.VPLZCNTD, ROW, 0, Operand.register(RESULT));
        join(Evex.VPSLLVD, RESULT, ROW);
        apply(Evex.VPADDD, SPARE, ROW, -7);
        apply(Evex.VPMAXSD, SPARE, SPARE, 0);
        apply(Evex.VPANDD, LOW, LOW, 0x7f);
        join(Evex.VPSLLVD, LOW, SPARE);
        join(Evex.VPORD, RESULT, LOW);
        shift(RIGHT, RESULT, RESULT, 8);
        argument.run();
        binade(LOW);
        shift(RIGHT, LOW, LOW, 8);
        apply(Evex.VPANDD, LOW, LOW, 0xff);
        join(Evex.VPSUBD, LOW, ROW);
        apply(Evex.VPADDD, LOW, LOW, 120);
        shift(LEFT, LOW, LOW, 23);
        join(Evex.VPADDD, RESULT, LOW);
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        code.vector(Evex.VPCMPD, 5, LOW, code.word(TANH_LEAST << 23), LESS);
        code.vectorWhere(Evex.VMOVDQU32, 5, RESULT, 0, Operand.register(LOW));
        replace(LOW, NOT_LESS, 0x4100_0000, ONE);
        sign();
        replace(LOW, GREATER, INFINITY, NAN);
    }

    /// What is to be known of the binade of the argument, by vector 0.
    private void binade(int target) {
        apply(Evex.VPANDD, SPARE, ARGUMENT, MAGNITUDE);
        shift(RIGHT, SPARE, SPARE, 23);
        apply(Evex.VPADDD, SPARE, SPARE, -TANH_LEAST);
        apply(Evex.VPMAXSD, SPARE, SPARE, 0);
        apply(Evex.VPMINSD, SPARE, SPARE, MufuRows.TANH_BINADES.length - 1);
        shift(LEFT, SPARE, SPARE, 2);
        gather(target, MufuRows.TANH_BINADES, SPARE);
    }
}
