package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// Bytes of words, and words and longs turned round, as machine code.
final class ByteEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;

    static final Map<Operation, Making<ByteEmitter>> KNOWN =
            Map.of(
                    Operation.of(OperationKind.BREV, B32), reversal(4),
                    Operation.of(OperationKind.BREV, B64), reversal(8),
                    Operation.of(OperationKind.BYTE, B32), ByteEmitter::cut,
                    Operation.of(OperationKind.PRMT, B32), ByteEmitter::permute,
                    Operation.of(OperationKind.PRMT, B32, Modifier.F4E),
                            mode(0x3210, 0x4321, 0x5432, 0x6543),
                    Operation.of(OperationKind.PRMT, B32, Modifier.B4E),
                            mode(0x5670, 0x6701, 0x7012, 0x0123),
                    Operation.of(OperationKind.PRMT, B32, Modifier.RC8),
                            mode(0x0000, 0x1111, 0x2222, 0x3333),
                    Operation.of(OperationKind.PRMT, B32, Modifier.ECL),
                            mode(0x3210, 0x3211, 0x3222, 0x3333),
                    Operation.of(OperationKind.PRMT, B32, Modifier.ECR),
                            mode(0x0000, 0x1110, 0x2210, 0x3210),
                    Operation.of(OperationKind.PRMT, B32, Modifier.RC16),
                            mode(0x1010, 0x3232, 0x1010, 0x3232));

    private final WarpValues values;
    private final Assembler code;

    ByteEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    private void cut(List<Source> sources, int chunk, int made) {
        int first = values.load(sources.getFirst(), chunk, FIRST);
        shift(LEFT, FIRST, first, 24 - 8 * ShiftEmitter.constant(sources.get(1)));
        shift(RIGHT, made, FIRST, 24);
    }

    /// The selector that a mode makes of the low two bits of the operand.
    private static Making<ByteEmitter> mode(int... selectors) {
        int[] table = IntStream.range(0, 16).map(i -> selectors[i % 4]).toArray();
        return (in, sources, chunk, made) -> {
            int third = WarpValues.THIRD;
            int low = in.values.load(sources.get(2), chunk, third);
            in.code.vector(Evex.VPERMD, third, low, in.code.steps(table));
            in.permute(third, sources, chunk, made);
        };
    }

    private void permute(List<Source> sources, int chunk, int made) {
        int selector = values.load(sources.get(2), chunk, WarpValues.THIRD);
        permute(selector, sources, chunk, made);
    }

    /// Bytes of two words by the four bits of a selector: which one, and whether its sign fills it.
    private void permute(int selector, List<Source> sources, int chunk, int made) {
        int third = WarpValues.THIRD;
        int fourth = WarpValues.FOURTH;
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

    private void shift(int digit, int target, int a, int amount) {
        code.vector(Evex.VPSLLD_I, digit, target, Operand.register(a), amount);
    }

    /// Each half of a byte by a table, to the place of the other half; then the bytes.
    ///
    /// @param bytes of an element
    private static Making<ByteEmitter> reversal(int bytes) {
        int[] places = new int[16];
        for (int at = 0; at < 64; at++) {
            int from = at % 16 ^ bytes - 1;
            places[at / 4] |= from << 8 * (at % 4);
        }
        return (in, sources, chunk, made) -> {
            Assembler code = in.code;
            int first = in.values.load(sources.getFirst(), chunk, FIRST);
            Operand halves = code.word(0x0f0f_0f0f);
            in.shift(RIGHT, SECOND, first, 4);
            code.vector(Evex.VPANDD, SECOND, SECOND, halves);
            code.vector(Evex.VPANDD, FIRST, first, halves);
            in.look(FIRST, half -> Integer.reverse(half) >>> 24);
            in.look(SECOND, half -> Integer.reverse(half) >>> 28);
            code.vector(Evex.VPORD, FIRST, FIRST, Operand.register(SECOND));
            code.vector(Evex.VPSHUFB, made, FIRST, code.steps(places));
        };
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
