package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// Fields and bytes at constant places of words, and words turned round, as machine code.
final class ByteEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;

    /// What `VPSHUFB` makes zero.
    private static final int NO_BYTE = 0x80;

    private final WarpValues values;
    private final Assembler code;

    ByteEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether an operation is known here: fields that do not end beyond the word.
    static boolean knows(Step.Compute step) {
        Operation operation = step.operation();
        List<Source> sources = step.arguments();
        if (operation.type().bits() != 32 || !operation.modifiers().isEmpty()) {
            return false;
        }
        return switch (operation.kind()) {
            case BREV, PRMT -> true;
            case BYTE -> sources.get(1) instanceof Source.Constant;
            case BFE ->
                    sources.get(1) instanceof Source.Constant(_, long at)
                            && sources.get(2) instanceof Source.Constant(_, long length)
                            && (length & 0xff) > 0
                            && (at & 0xff) + (length & 0xff) <= 32;
            default -> false;
        };
    }

    /// Makes a chunk of a result.
    void emit(Operation operation, List<Source> sources, int chunk, int made) {
        int first = values.load(sources.getFirst(), chunk, FIRST);
        switch (operation.kind()) {
            case BREV -> reverse(first, made);
            case PRMT -> permute(sources, chunk, made);
            case BYTE -> field(first, 8 * ShiftEmitter.constant(sources.get(1)), 8, RIGHT, made);
            default -> {
                int at = ShiftEmitter.constant(sources.get(1)) & 0xff;
                int length = ShiftEmitter.constant(sources.get(2)) & 0xff;
                boolean signed = operation.type() == ScalarType.S32;
                field(first, at, length, signed ? RIGHT_WITH_SIGN : RIGHT, made);
            }
        }
    }

    /// Bytes of two words by the four bits of a selector: which one, and whether its sign fills it.
    private void permute(List<Source> sources, int chunk, int made) {
        int third = WarpValues.THIRD;
        int fourth = WarpValues.FOURTH;
        int selector = values.load(sources.get(2), chunk, third);
        // The fours of bits each in a byte of its own.
        code.vector(Evex.VPANDD, third, selector, code.word(0xffff));
        shift(LEFT, fourth, third, 8);
        code.vector(Evex.VPORD, third, third, Operand.register(fourth));
        code.vector(Evex.VPANDD, third, third, code.word(0x00ff_00ff));
        shift(LEFT, fourth, third, 4);
        code.vector(Evex.VPORD, third, third, Operand.register(fourth));
        code.vector(Evex.VPANDD, third, third, code.word(0x0f0f_0f0f));
        // Where a byte of the first word is in its quarter of the vector; those of the second word
        // have the bit that makes them zero.
        code.vector(Evex.VPANDD, fourth, third, code.word(0x0404_0404));
        shift(LEFT, fourth, fourth, 5);
        code.vector(Evex.VPANDD, SECOND, third, code.word(0x0303_0303));
        code.vector(Evex.VPORD, fourth, fourth, Operand.register(SECOND));
        int[] bases = IntStream.range(0, 16).map(lane -> 0x0404_0404 * (lane % 4)).toArray();
        code.vector(Evex.VPORD, fourth, fourth, code.steps(bases));
        int a = values.load(sources.get(0), chunk, FIRST);
        code.vector(Evex.VPSHUFB, FIRST, a, Operand.register(fourth));
        code.vector(Evex.VPXORD, fourth, fourth, code.word(0x8080_8080));
        int b = values.load(sources.get(1), chunk, SECOND);
        code.vector(Evex.VPSHUFB, SECOND, b, Operand.register(fourth));
        code.vector(Evex.VPORD, FIRST, FIRST, Operand.register(SECOND));
        spread(SECOND, FIRST, 7);
        spread(third, third, 3);
        int firstChooses = 0xca;
        code.vector(Evex.VPTERNLOGD, third, SECOND, Operand.register(FIRST), firstChooses);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(third));
    }

    /// One bit of each byte, in all of its bits.
    private void spread(int target, int a, int bit) {
        shift(RIGHT, target, a, bit);
        code.vector(Evex.VPANDD, target, target, code.word(0x0101_0101));
        shift(LEFT, WarpValues.FOURTH, target, 8);
        code.vector(Evex.VPSUBD, target, WarpValues.FOURTH, Operand.register(target));
    }

    private void field(int a, int at, int length, int right, int made) {
        shift(LEFT, FIRST, a, 32 - at - length);
        shift(right, made, FIRST, 32 - length);
    }

    private void shift(int digit, int target, int a, int amount) {
        Evex operation = digit == RIGHT_WITH_SIGN ? Evex.VPSRAD_I : Evex.VPSLLD_I;
        code.vector(operation, digit, target, Operand.register(a), amount);
    }

    /// The bytes of each word that stand at the places of another one; out of it, zero.
    private void shuffle(int target, int a, IntUnaryOperator byteOf) {
        int[] words = IntStream.range(0, 16).map(lane -> pattern(4 * (lane % 4), byteOf)).toArray();
        code.vector(Evex.VPSHUFB, target, a, code.steps(words));
    }

    private static int pattern(int base, IntUnaryOperator byteOf) {
        int word = 0;
        for (int place = 0; place < 4; place++) {
            int from = byteOf.applyAsInt(place);
            word |= (from < 0 || from > 3 ? NO_BYTE : base + from) << 8 * place;
        }
        return word;
    }

    /// Each half of a byte by a table, to the place of the other half; then the bytes.
    private void reverse(int a, int made) {
        Operand halves = code.word(0x0f0f_0f0f);
        shift(RIGHT, SECOND, a, 4);
        code.vector(Evex.VPANDD, SECOND, SECOND, halves);
        code.vector(Evex.VPANDD, FIRST, a, halves);
        look(FIRST, half -> Integer.reverse(half) >>> 24);
        look(SECOND, half -> Integer.reverse(half) >>> 28);
        code.vector(Evex.VPORD, FIRST, FIRST, Operand.register(SECOND));
        shuffle(made, FIRST, place -> 3 - place);
    }

    /// A function of numbers below 16, for each byte.
    private void look(int vector, IntUnaryOperator function) {
        int[] words = new int[16];
        for (int at = 0; at < 64; at++) {
            words[at / 4] |= function.applyAsInt(at % 16) << 8 * (at % 4);
        }
        code.vector(Evex.VMOVDQU32, WarpValues.THIRD, 0, code.steps(words));
        code.vector(Evex.VPSHUFB, vector, WarpValues.THIRD, Operand.register(vector));
    }
}
