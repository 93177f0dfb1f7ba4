package dev.heddle.tensorcore.x86;

import static dev.heddle.tensorcore.x86.Assembler.EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.LESS_OR_EQUAL;

import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Mask registers of AVX-512 as words in memory, for processors without them.
record Avx2Masks(Avx2Assembler code) {
    private static final int RESULT = Avx2Assembler.RESULT;
    private static final int SECOND = Avx2Assembler.SECOND;
    private static final int LAST = Avx2Assembler.LAST;
    private static final int SPARE = Avx2Assembler.SPARE;

    // Comparisons by the low bits of their constants; the third turns an answer round.
    private static final int NEVER = 3;
    private static final int NOT = 4;

    // Masks among themselves.

    void combine(MaskOperation operation, int target, int first, int second) {
        switch (operation) {
            case KANDW -> bitwise(Evex.VPANDD, target, first, second, 0xffff);
            case KORW -> bitwise(Evex.VPORD, target, first, second, 0xffff);
            case KANDNW -> bitwise(Vex.VPANDN, target, first, second, 0xffff);
            case KANDND -> bitwise(Vex.VPANDN, target, first, second, -1);
            case KUNPCKBW -> unpackBytes(target, first, second);
            case KUNPCKWD -> unpackWords(target, first, second);
        }
    }

    private void bitwise(VectorInstruction operation, int target, int first, int second, int bits) {
        load(RESULT, first);
        load(SECOND, second);
        code.emit128(operation, RESULT, RESULT, Operand.register(SECOND));
        code.emit128(Evex.VPANDD, RESULT, RESULT, code.word(bits));
        store(target, RESULT);
    }

    private void unpackBytes(int target, int high, int low) {
        load(RESULT, low);
        code.emit128(Vex.VPINSRB, RESULT, RESULT, Avx2Assembler.maskWord(high), 1);
        code.emit128(Evex.VPANDD, RESULT, RESULT, code.word(0xffff));
        store(target, RESULT);
    }

    private void unpackWords(int target, int high, int low) {
        load(RESULT, low);
        code.emit128(Vex.VPINSRW, RESULT, RESULT, Avx2Assembler.maskWord(high), 1);
        store(target, RESULT);
    }

    void shiftRight(int target, int source, int amount) {
        load(RESULT, source);
        code.shift(false, 2, RESULT, RESULT, amount);
        store(target, RESULT);
    }

    private void load(int register, int mask) {
        code.emit128(Vex.VMOVD, register, 0, Avx2Assembler.maskWord(mask));
    }

    private void store(int mask, int register) {
        code.emit128(Vex.VMOVD_STORE, register, 0, Avx2Assembler.maskWord(mask));
    }

    /// Compares the low 16 bits with all set, or with none.
    void compare(int mask, boolean all) {
        code.put(0x66);
        code.put(0x83);
        code.modrm(7, Avx2Assembler.maskWord(mask), 1, 1);
        code.put(all ? 0xff : 0);
    }

    // From masks to vectors.

    /// The bits of a mask as signs of the elements of half a vector.
    void signs(int target, int mask, int half, boolean isLong) {
        Operand amounts =
                isLong
                        ? code.steps(LongStream.range(0, 8).map(lane -> 63 - lane).toArray())
                        : code.steps(IntStream.range(0, 16).map(lane -> 31 - lane).toArray());
        code.emit(Evex.VPBROADCASTD, target, 0, Avx2Assembler.maskWord(mask));
        Evex shift = isLong ? Evex.VPSLLVQ : Evex.VPSLLVD;
        code.emit(shift, target, target, code.half(amounts, half, target, isLong));
    }

    /// Half a vector of one where a mask is set, of another where it is not.
    void choose(int mask, int half, boolean isLong, int target, int clear, Operand set) {
        signs(SPARE, mask, half, isLong);
        code.emit(isLong ? Vex.VBLENDVPD : Vex.VBLENDVPS, target, clear, set, SPARE << 4);
    }

    /// All bits of an element set where the mask is.
    void toVector(int target, int mask) {
        for (int half = 0; half < 2; half++) {
            int made = code.target(target, half);
            signs(made, mask, half, false);
            code.shift(false, 4, made, made, 31);
            code.keep(target, half, made);
        }
    }

    // From vectors to masks.

    void compare(Evex operation, int target, int second, Operand last, int mask, int constant) {
        boolean isFloat = operation == Evex.VCMPPS || operation == Evex.VCMPPD;
        boolean unsigned = operation == Evex.VPCMPUD || operation == Evex.VPCMPUQ;
        boolean isLong = operation.isLong();
        for (int half = 0; half < 2; half++) {
            Operand with = code.half(last, half, LAST, isLong);
            if (mask != 0 && last instanceof Operand.Memory memory && !memory.broadcast()) {
                signs(SPARE, mask, half, isLong);
                code.emit(isLong ? Vex.VPMASKMOVQ : Vex.VPMASKMOVD, LAST, SPARE, with);
                with = Operand.register(LAST);
            }
            int first = code.load(second, half);
            int made = half == 0 ? RESULT : SPARE;
            if (isFloat) {
                code.emit(operation, made, first, with, constant);
            } else {
                integers(constant & 3, made, first, with, unsigned, isLong);
            }
        }
        collect(target, mask, isLong, !isFloat && isNot(constant));
    }

    /// Less-or-equal is what greater is not.
    private static boolean isNot(int constant) {
        return (constant & NOT) != 0 != ((constant & 3) == LESS_OR_EQUAL);
    }

    private void integers(
            int relation, int made, int first, Operand with, boolean unsigned, boolean isLong) {
        if (relation == NEVER) {
            code.emit(Evex.VPXORD, made, made, Operand.register(made));
            return;
        }
        if (relation == EQUAL) {
            code.emit(isLong ? Vex.VPCMPEQQ : Vex.VPCMPEQD, made, first, with);
            return;
        }
        int left = first;
        Operand right = with;
        if (unsigned) {
            Operand sign = isLong ? code.longword(Long.MIN_VALUE) : code.word(Integer.MIN_VALUE);
            int other = code.load(with, LAST);
            code.emit(Evex.VPXORD, SECOND, first, sign);
            code.emit(Evex.VPXORD, LAST, other, sign);
            left = SECOND;
            right = Operand.register(LAST);
        }
        Vex greater = isLong ? Vex.VPCMPGTQ : Vex.VPCMPGTD;
        if (relation == LESS) {
            int from = code.load(right, LAST);
            code.emit(greater, made, from, Operand.register(left));
        } else {
            code.emit(greater, made, left, right);
        }
    }

    /// Which lanes have bits in common, or none.
    void test(Evex operation, int target, int second, Operand last, int mask) {
        boolean isLong = operation.isLong();
        boolean any = operation == Evex.VPTESTMD || operation == Evex.VPTESTMQ;
        for (int half = 0; half < 2; half++) {
            Operand with = code.half(last, half, LAST, isLong);
            int first = code.load(second, half);
            int made = half == 0 ? RESULT : SPARE;
            code.emit(Evex.VPANDD, made, first, with);
            code.emit(Evex.VPXORD, SECOND, SECOND, Operand.register(SECOND));
            Vex equal = isLong ? Vex.VPCMPEQQ : Vex.VPCMPEQD;
            code.emit(equal, made, made, Operand.register(SECOND));
        }
        collect(target, mask, isLong, any);
    }

    // Elements of 16 bits.

    void equalShorts(int target, int second, Operand last) {
        for (int half = 0; half < 2; half++) {
            Operand with = code.half(last, half, LAST, false);
            int first = code.load(second, half);
            int made = half == 0 ? RESULT : SPARE;
            code.emit(Evex.VPCMPEQW, made, first, with);
            code.emit(Vex.VEXTRACTI128, made, 0, Operand.register(LAST), 1);
            code.emit128(Vex.VPACKSSWB, made, made, Operand.register(LAST));
        }
        code.storeLong(Avx2Assembler.saved(1), Assembler.RAX);
        code.storeLong(Avx2Assembler.saved(2), Assembler.RCX);
        code.emit128(Vex.VPMOVMSKB, Assembler.RAX, 0, Operand.register(RESULT));
        code.emit128(Vex.VPMOVMSKB, Assembler.RCX, 0, Operand.register(SPARE));
        join(16);
        code.store(Avx2Assembler.maskWord(target), Assembler.RAX);
        restore();
    }

    void chooseShorts(int mask, int target, int second, Operand last) {
        for (int half = 0; half < 2; half++) {
            Operand set = code.half(last, half, LAST, false);
            int clear = code.load(second, half);
            int first = 2 * half;
            code.emit(Evex.VPBROADCASTD, SPARE, 0, Avx2Assembler.maskWord(mask));
            code.emit(
                    Evex.VPSHUFB,
                    SPARE,
                    SPARE,
                    half(IntStream.range(0, 8).map(i -> 0x0101_0101 * (first + i / 4)), half));
            Operand bits = half(IntStream.range(0, 8).map(i -> 0x0002_0001 << 2 * (i % 4)), half);
            code.emit(Evex.VPANDD, SPARE, SPARE, bits);
            code.emit(Evex.VPCMPEQW, SPARE, SPARE, bits);
            int made = code.target(target, half);
            code.emit(Vex.VPBLENDVB, made, clear, set, SPARE << 4);
            code.keep(target, half, made);
        }
    }

    /// A constant of half a vector.
    private Operand half(IntStream words, int half) {
        int[] all = new int[16];
        System.arraycopy(words.toArray(), 0, all, 8 * half, 8);
        return code.half(code.steps(all), half, SPARE, false);
    }

    /// Puts the signs of both halves together, in RAX and RCX, which are kept meanwhile. They may
    /// have addressed the operands, so this comes last.
    private void collect(int target, int mask, boolean isLong, boolean inverted) {
        int lanes = isLong ? 4 : 8;
        Vex signs = isLong ? Vex.VMOVMSKPD : Vex.VMOVMSKPS;
        code.storeLong(Avx2Assembler.saved(1), Assembler.RAX);
        code.storeLong(Avx2Assembler.saved(2), Assembler.RCX);
        code.emit(signs, Assembler.RAX, 0, Operand.register(RESULT));
        code.emit(signs, Assembler.RCX, 0, Operand.register(SPARE));
        join(lanes);
        if (inverted) {
            Operand bits = Operand.register(Assembler.RAX);
            code.arithmetic(Arithmetic.XOR, bits, (1 << 2 * lanes) - 1);
        }
        if (mask != 0) {
            code.arithmetic(Arithmetic.AND, Assembler.RAX, Avx2Assembler.maskWord(mask));
        }
        code.store(Avx2Assembler.maskWord(target), Assembler.RAX);
        restore();
    }

    /// The bits in RCX above those in RAX.
    private void join(int bits) {
        code.shiftLeft(Assembler.RCX, bits);
        code.arithmetic(Arithmetic.OR, Assembler.RAX, Operand.register(Assembler.RCX));
    }

    private void restore() {
        code.moveLong(Assembler.RAX, Avx2Assembler.saved(1));
        code.moveLong(Assembler.RCX, Avx2Assembler.saved(2));
    }
}
