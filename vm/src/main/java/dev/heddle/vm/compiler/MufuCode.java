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
/// The argument is made in vector 1, a second time where it is asked for again; the result is in
/// vector 2. Vectors 0 to 4 hold anything else then.
final class MufuCode extends MufuSteps {
    private static final int TANH_LEAST = 119;

    private static final MufuRows RCP = MufuRows.of("rcp", 13);
    private static final MufuRows RSQ = MufuRows.of("rsq", 14);
    private static final MufuRows SQRT = MufuRows.of("sqrt", 15);
    private static final MufuRows EX2 = MufuRows.of("ex2", 13);
    private static final MufuRows LG2 = MufuRows.of("lg2", 12);
    private static final MufuRows SIN = MufuRows.of("sin", 12);
    private static final MufuRows TANH = MufuRows.of("tanh", 15);

    MufuCode(Assembler code) {
        super(code);
    }

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
        root(RSQ, 4, 7, 2 * HIDDEN, argument);
        exponent(189, 24);
        endRoot(0, INFINITY);
    }

    void sqrt(Runnable argument) {
        root(SQRT, -2, 8, HIDDEN, argument);
        shift(RIGHT, SPARE, LOW, 24);
        apply(Evex.VPADDD, SPARE, SPARE, 62);
        shift(LEFT, SPARE, SPARE, 23);
        join(Evex.VPADDD, RESULT, SPARE);
        endRoot(INFINITY, 0);
    }

    /// The significand, and in vector 3 the fields: half the exponent plus 64, parity, fraction.
    ///
    /// @param whole that of powers of four
    private void root(MufuRows rows, int quadratic, int shift, int whole, Runnable argument) {
        argument.run();
        apply(Evex.VPANDD, ROW, ARGUMENT, MAGNITUDE);
        apply(Evex.VPADDD, ROW, ROW, HIDDEN);
        shift(RIGHT, ROW, ROW, 17 - 2);
        apply(Evex.VPANDD, ROW, ROW, 0x7f << 2);
        interpolate(rows, quadratic, 0x7fff, 0);
        shift(RIGHT, RESULT, RESULT, shift);
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        apply(Evex.VPADDD, LOW, LOW, HIDDEN);
        apply(Evex.VPANDD, SPARE, LOW, 2 * HIDDEN - 1);
        replace(SPARE, EQUAL, 0, whole);
    }

    /// What becomes of infinity, and of zeros, whose signs stay.
    private void endRoot(int ofInfinity, int ofZero) {
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        replace(LOW, EQUAL, INFINITY, ofInfinity);
        replace(ARGUMENT, LESS, 0, NAN);
        replace(LOW, GREATER, INFINITY, NAN);
        replace(LOW, LESS, HIDDEN, ofZero);
        code.vector(Evex.VPCMPD, 5, LOW, code.word(HIDDEN), LESS);
        apply(Evex.VPANDD, SPARE, ARGUMENT, SIGN);
        code.vectorWhere(Evex.VPORD, 5, RESULT, RESULT, Operand.register(SPARE));
    }

    void lg2(Runnable argument) {
        argument.run();
        shift(RIGHT, ROW, ARGUMENT, 17 - 2);
        apply(Evex.VPANDD, ROW, ROW, 0x3f << 2);
        interpolate(LG2, -2, 0x3345, 0);
        shift(RIGHT, LOW, LOW, 2);
        apply(Evex.VPANDD, LOW, LOW, 0x7f);
        apply(Evex.VPANDD, SPARE, ARGUMENT, MAGNITUDE);
        shift(RIGHT, SPARE, SPARE, 23);
        apply(Evex.VPADDD, SPARE, SPARE, -127);
        // The integer part, 29 fraction bits and 7 more, complemented where negative.
        shift(RIGHT_WITH_SIGN, ROW, SPARE, 31);
        join(Evex.VPXORD, SPARE, ROW);
        apply(Evex.VPANDD, ARGUMENT, ROW, 0x1fff_ffff);
        join(Evex.VPXORD, RESULT, ARGUMENT);
        apply(Evex.VPANDD, ARGUMENT, ROW, 0x7f);
        join(Evex.VPXORD, LOW, ARGUMENT);
        logarithm();
        apply(Evex.VPANDD, ROW, ROW, SIGN);
        join(Evex.VPORD, RESULT, ROW);
        argument.run();
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        replace(ARGUMENT, EQUAL, ONE, 0);
        replace(LOW, EQUAL, INFINITY, INFINITY);
        replace(ARGUMENT, LESS, 0, NAN);
        replace(LOW, GREATER, INFINITY, NAN);
        replace(LOW, LESS, HIDDEN, SIGN | INFINITY);
    }

    /// Integer part (vector 0) and fraction (vectors 2 and 3), cut to 24 significant bits.
    private void logarithm() {
        code.vector(Evex.VPTESTMD, 5, SPARE, Operand.register(SPARE));
        shift(RIGHT, ARGUMENT, RESULT, 4);
        shift(LEFT, SPARE, SPARE, 25);
        join(Evex.VPORD, ARGUMENT, SPARE);
        shift(LEFT, RESULT, RESULT, 3);
        shift(RIGHT, SPARE, LOW, 4);
        join(Evex.VPORD, RESULT, SPARE);
        code.vectorWhere(Evex.VMOVDQU32, 5, RESULT, 0, Operand.register(ARGUMENT));
        apply(Evex.VPANDD, LOW, LOW, 0xf);
        code.vector(Evex.VPLZCNTD, SPARE, 0, Operand.register(RESULT));
        apply(Evex.VPADDD, ARGUMENT, SPARE, -4);
        apply(Evex.VPMAXSD, ARGUMENT, ARGUMENT, 0);
        join(Evex.VPSLLVD, LOW, ARGUMENT);
        code.vectorWhere(Evex.VPBROADCASTD, 5, LOW, 0, code.word(0));
        significand(SPARE);
        set(ARGUMENT, 125);
        code.vectorWhere(Evex.VPBROADCASTD, 5, ARGUMENT, 0, code.word(132));
        addExponent(ARGUMENT, SPARE);
    }

    /// The bits of vectors 2 and 3 behind so many zeros: 24 of them.
    private void significand(int zeros) {
        join(Evex.VPSLLVD, RESULT, zeros);
        join(Evex.VPORD, RESULT, LOW);
        shift(RIGHT, RESULT, RESULT, 8);
    }

    /// An exponent, less the zeros before the first bit.
    private void addExponent(int exponent, int zeros) {
        join(Evex.VPSUBD, exponent, zeros);
        shift(LEFT, exponent, exponent, 23);
        join(Evex.VPADDD, RESULT, exponent);
    }

    void sin(Runnable argument) {
        wave(argument, 0);
        apply(Evex.VPANDD, SPARE, ARGUMENT, SIGN);
        join(Evex.VPXORD, RESULT, SPARE);
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        replace(LOW, NOT_LESS, INFINITY, NAN);
    }

    void cos(Runnable argument) {
        wave(argument, 1);
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        replace(LOW, LESS, 0x3300_0000, ONE);
        replace(LOW, NOT_LESS, INFINITY, NAN);
    }

    /// The magnitude of the argument modulo 1, cut to 25 fraction bits.
    private void turn(int target) {
        apply(Evex.VPANDD, LOW, ARGUMENT, MAGNITUDE);
        shift(RIGHT, LOW, LOW, 23);
        apply(Evex.VPADDD, LOW, LOW, -125);
        apply(Evex.VPANDD, target, ARGUMENT, FRACTION);
        apply(Evex.VPORD, target, target, HIDDEN);
        apply(Evex.VPMAXSD, SPARE, LOW, 0);
        join(Evex.VPSLLVD, target, SPARE);
        set(SPARE, 0);
        join(Evex.VPSUBD, SPARE, LOW);
        apply(Evex.VPMAXSD, SPARE, SPARE, 0);
        join(Evex.VPSRLVD, target, SPARE);
        apply(Evex.VPANDD, target, target, 0x1ff_ffff);
    }

    /// @param ahead quadrants that the wave is ahead
    private void wave(Runnable argument, int ahead) {
        argument.run();
        turn(RESULT);
        shift(RIGHT, LOW, RESULT, 23);
        apply(Evex.VPADDD, LOW, LOW, ahead);
        shift(LEFT, LOW, LOW, 31);
        shift(RIGHT_WITH_SIGN, LOW, LOW, 31);
        join(Evex.VPXORD, RESULT, LOW);
        apply(Evex.VPANDD, ARGUMENT, RESULT, FRACTION);
        shift(RIGHT, ROW, ARGUMENT, 17 - 2);
        apply(Evex.VPANDD, ROW, ROW, 0x3f << 2);
        interpolate(SIN, -1, 0, 0);
        shift(LEFT, RESULT, RESULT, 3);
        shift(RIGHT, SPARE, LOW, 6);
        apply(Evex.VPANDD, SPARE, SPARE, 7);
        join(Evex.VPORD, RESULT, SPARE);
        code.vector(Evex.VPTESTNMD, 5, RESULT, Operand.register(RESULT));
        code.vector(Evex.VPLZCNTD, ROW, 0, Operand.register(RESULT));
        apply(Evex.VPADDD, SPARE, ROW, -6);
        apply(Evex.VPMAXSD, SPARE, SPARE, 0);
        apply(Evex.VPANDD, LOW, LOW, 0x3f);
        join(Evex.VPSLLVD, LOW, SPARE);
        significand(ROW);
        set(SPARE, 126);
        addExponent(SPARE, ROW);
        code.vectorWhere(Evex.VPBROADCASTD, 5, RESULT, 0, code.word(0));
        argument.run();
        turn(ROW);
        shift(RIGHT, ROW, ROW, 23);
        apply(Evex.VPADDD, ROW, ROW, ahead);
        shift(LEFT, ROW, ROW, 30);
        apply(Evex.VPANDD, ROW, ROW, SIGN);
        join(Evex.VPORD, RESULT, ROW);
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
