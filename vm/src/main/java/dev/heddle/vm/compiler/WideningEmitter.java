package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.S16;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U16;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import static java.util.Map.entry;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;

import java.util.List;
import java.util.Map;

/// Operations between words and longs, and products of which the upper half is wanted.
record WideningEmitter(WarpValues values, Assembler code) {
    static final Map<Operation, Making<WideningEmitter>> KNOWN =
            Map.ofEntries(
                    entry(Operation.from(B32, OperationKind.ZEXT, B64), extension(Evex.VPMOVZXDQ)),
                    entry(Operation.from(B32, OperationKind.SEXT, B64), extension(Evex.VPMOVSXDQ)),
                    entry(Operation.from(B32, OperationKind.PACK, B64), WideningEmitter::pack),
                    entry(Operation.from(B64, OperationKind.TRUNC, B32), half(false)),
                    entry(Operation.from(B64, OperationKind.HIGH, B32), half(true)),
                    entry(
                            Operation.of(OperationKind.MUL, S32, Modifier.WIDE),
                            wide(Evex.VPMOVSXDQ, Evex.VPMULDQ)),
                    entry(
                            Operation.of(OperationKind.MUL, U32, Modifier.WIDE),
                            wide(Evex.VPMOVZXDQ, Evex.VPMULUDQ)),
                    entry(Operation.of(OperationKind.MUL, S32, Modifier.HI), high(Evex.VPMULDQ, 0)),
                    entry(
                            Operation.of(OperationKind.MUL, U32, Modifier.HI),
                            high(Evex.VPMULUDQ, 0)),
                    entry(
                            Operation.of(OperationKind.MUL24, S32, Modifier.HI),
                            high(Evex.VPMULDQ, 8)),
                    entry(
                            Operation.of(OperationKind.MUL24, U32, Modifier.HI),
                            high(Evex.VPMULUDQ, 8)),
                    entry(
                            Operation.of(OperationKind.MUL24, S32, Modifier.LO),
                            low(8, RIGHT_WITH_SIGN, 0)),
                    entry(Operation.of(OperationKind.MUL24, U32, Modifier.LO), low(8, RIGHT, 0)),
                    entry(
                            Operation.of(OperationKind.MUL, S16, Modifier.HI),
                            low(16, RIGHT_WITH_SIGN, 16)),
                    entry(Operation.of(OperationKind.MUL, U16, Modifier.HI), low(16, RIGHT, 16)),
                    entry(
                            Operation.of(OperationKind.MUL, U64, Modifier.HI),
                            WideningEmitter::highProduct64),
                    entry(
                            Operation.of(OperationKind.MUL, S64, Modifier.HI),
                            WideningEmitter::signedHighProduct64));

    WideningEmitter(WarpValues values) {
        this(values, values.code);
    }

    private static Making<WideningEmitter> extension(Evex operation) {
        return (in, sources, chunk, made) -> in.widen(operation, made, sources.getFirst(), chunk);
    }

    private static Making<WideningEmitter> half(boolean upper) {
        return (in, sources, chunk, made) -> in.narrow(sources.getFirst(), chunk, made, upper);
    }

    private static Making<WideningEmitter> wide(Evex widening, Evex product) {
        return (in, sources, chunk, made) ->
                in.wideProduct(widening, product, sources, chunk, made);
    }

    private void pack(List<Source> sources, int chunk, int made) {
        int first = WarpValues.FIRST;
        int second = WarpValues.SECOND;
        widen(Evex.VPMOVZXDQ, second, sources.get(1), chunk);
        shift(Evex.VPSLLQ_I, LEFT, second, Operand.register(second), 32);
        widen(Evex.VPMOVZXDQ, first, sources.getFirst(), chunk);
        code.vector(Evex.VPORQ, made, first, Operand.register(second));
    }

    /// The upper half of a product of words.
    ///
    /// @param shift to the left, of both before
    private static Making<WideningEmitter> high(Evex product, int shift) {
        return (in, sources, chunk, made) -> {
            in.values.copy(WarpValues.FIRST, sources.get(0), chunk);
            in.values.copy(WarpValues.SECOND, sources.get(1), chunk);
            in.shiftBoth(LEFT, shift);
            in.highProduct(product, made);
        };
    }

    private void shiftBoth(int digit, int amount) {
        for (int i = WarpValues.FIRST; amount > 0 && i <= WarpValues.SECOND; i++) {
            Evex operation = digit == RIGHT_WITH_SIGN ? Evex.VPSRAD_I : Evex.VPSLLD_I;
            shift(operation, digit, i, Operand.register(i), amount);
        }
    }

    /// The lower half of a product of narrow numbers, or what is above its 16 bits.
    ///
    /// @param lost bits of the words
    /// @param right with sign or without
    private static Making<WideningEmitter> low(int lost, int right, int result) {
        return (in, sources, chunk, made) -> {
            in.values.copy(WarpValues.FIRST, sources.get(0), chunk);
            in.values.copy(WarpValues.SECOND, sources.get(1), chunk);
            in.shiftBoth(LEFT, lost);
            in.shiftBoth(right, lost);
            Operand second = Operand.register(WarpValues.SECOND);
            in.code.vector(Evex.VPMULLD, WarpValues.FIRST, WarpValues.FIRST, second);
            in.shift(Evex.VPSLLD_I, RIGHT, made, Operand.register(WarpValues.FIRST), result);
        };
    }

    private void shift(Evex operation, int digit, int made, Operand value, int amount) {
        code.vector(operation, digit, made, value, amount);
    }

    private void widen(Evex operation, int made, Source a, int chunk) {
        if (a instanceof Register register) {
            code.vector(operation, made, 0, values.half(register, chunk, WarpValues.THIRD));
        } else {
            code.vector(Evex.VPBROADCASTQ, made, 0, widened(operation, a));
        }
    }

    private Operand widened(Evex operation, Source a) {
        int bits = a instanceof Source.Constant(_, long value) ? (int) value : 0;
        return code.longword(operation == Evex.VPMOVSXDQ ? bits : bits & 0xffff_ffffL);
    }

    private void wideProduct(
            Evex widening, Evex product, List<Source> sources, int chunk, int made) {
        widen(widening, WarpValues.FIRST, sources.get(0), chunk);
        Operand second;
        if (sources.get(1) instanceof Register) {
            widen(widening, WarpValues.SECOND, sources.get(1), chunk);
            second = Operand.register(WarpValues.SECOND);
        } else {
            second = widened(widening, sources.get(1));
        }
        code.vector(product, made, WarpValues.FIRST, second);
    }

    /// Products of even lanes and of odd ones, whose upper halves meet.
    private void highProduct(Evex product, int made) {
        Operand second = Operand.register(WarpValues.SECOND);
        code.vector(product, WarpValues.THIRD, WarpValues.FIRST, second);
        shift(Evex.VPSLLQ_I, RIGHT, WarpValues.THIRD, Operand.register(WarpValues.THIRD), 32);
        shift(Evex.VPSLLQ_I, RIGHT, WarpValues.FIRST, Operand.register(WarpValues.FIRST), 32);
        shift(Evex.VPSLLQ_I, RIGHT, WarpValues.SECOND, second, 32);
        code.vector(product, WarpValues.FIRST, WarpValues.FIRST, second);
        code.moveConstant(Assembler.RAX, 0xaaaa);
        code.maskFrom(5, Assembler.RAX);
        code.vectorWhere(
                Evex.VPBLENDMD, 5, made, WarpValues.THIRD, Operand.register(WarpValues.FIRST));
    }

    /// The upper halves of products of longs, of the four products of their halves.
    private void highProduct64(List<Source> sources, int chunk, int made) {
        int a = WarpValues.FIRST;
        int b = WarpValues.SECOND;
        int sum = WarpValues.RESULT;
        int other = WarpValues.THIRD;
        int highB = WarpValues.FOURTH;
        values.copy(a, sources.get(0), chunk);
        values.copy(b, sources.get(1), chunk);
        code.vector(Evex.VPMULUDQ, other, a, Operand.register(b));
        upper(other, other);
        upper(highB, b);
        code.vector(Evex.VPMULUDQ, sum, a, Operand.register(highB));
        code.vector(Evex.VPADDQ, sum, sum, Operand.register(other));
        upper(a, a);
        code.vector(Evex.VPMULUDQ, other, a, Operand.register(b));
        code.vector(Evex.VPMULUDQ, a, a, Operand.register(highB));
        code.vector(Evex.VPANDQ, b, sum, code.longword(0xffff_ffffL));
        code.vector(Evex.VPADDQ, b, b, Operand.register(other));
        upper(sum, sum);
        upper(b, b);
        code.vector(Evex.VPADDQ, a, a, Operand.register(sum));
        code.vector(Evex.VPADDQ, made, a, Operand.register(b));
    }

    /// Less each operand where the other one is negative.
    private void signedHighProduct64(List<Source> sources, int chunk, int made) {
        int product = WarpValues.FIRST;
        int sign = WarpValues.SECOND;
        highProduct64(sources, chunk, product);
        for (int i = 0; i < 2; i++) {
            int from = values.load(sources.get(i), chunk, sign);
            shift(Evex.VPSRAQ_I, RIGHT_WITH_SIGN, sign, Operand.register(from), 63);
            int other = values.load(sources.get(1 - i), chunk, WarpValues.THIRD);
            code.vector(Evex.VPANDQ, sign, sign, Operand.register(other));
            code.vector(Evex.VPSUBQ, product, product, Operand.register(sign));
        }
        code.vector(Evex.VMOVDQU64, made, 0, Operand.register(product));
    }

    private void upper(int target, int source) {
        shift(Evex.VPSLLQ_I, RIGHT, target, Operand.register(source), 32);
    }

    /// Sixteen words from two chunks of longs: their lower or upper halves.
    private void narrow(Source a, int chunk, int made, boolean upper) {
        for (int i = 0; i < 2; i++) {
            int part = i == 0 ? WarpValues.FIRST : WarpValues.SECOND;
            int from = values.load(a, 2 * chunk + i, part);
            if (upper) {
                shift(Evex.VPSLLQ_I, RIGHT, part, Operand.register(from), 32);
                from = part;
            }
            code.vector(Evex.VPMOVQD, from, 0, Operand.register(part));
        }
        code.vector(
                Evex.VINSERTI64X4, made, WarpValues.FIRST, Operand.register(WarpValues.SECOND), 1);
    }
}
