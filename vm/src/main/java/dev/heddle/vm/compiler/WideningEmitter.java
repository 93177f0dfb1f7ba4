package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;

import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;

import java.util.Arrays;
import java.util.List;

/// Operations between words and longs, and products of which the upper half is wanted.
record WideningEmitter(WarpValues values, Assembler code) {
    WideningEmitter(WarpValues values) {
        this(values, values.code);
    }

    /// Whether an operation is known here.
    static boolean knows(Operation operation) {
        boolean fromWords = operation.from() == ScalarType.B32;
        return switch (operation.kind()) {
            case ZEXT, SEXT, PACK -> fromWords && operation.type() == ScalarType.B64;
            case TRUNC, HIGH -> operation.from() == ScalarType.B64;
            case MUL ->
                    switch (operation.type()) {
                        case U32, S32 -> isOne(operation, Modifier.WIDE, Modifier.HI);
                        case U64 -> isOne(operation, Modifier.HI);
                        default -> false;
                    };
            default -> false;
        };
    }

    private static boolean isOne(Operation operation, Modifier... modifiers) {
        return operation.modifiers().size() == 1
                && Arrays.stream(modifiers).anyMatch(operation::has);
    }

    /// Makes a chunk of a result.
    void emit(Operation operation, List<Source> sources, int chunk, int made) {
        Source a = sources.getFirst();
        switch (operation.kind()) {
            case ZEXT -> widen(Evex.VPMOVZXDQ, made, a, chunk);
            case SEXT -> widen(Evex.VPMOVSXDQ, made, a, chunk);
            case PACK -> {
                widen(Evex.VPMOVZXDQ, WarpValues.SECOND, sources.get(1), chunk);
                shift(
                        Evex.VPSLLQ_I,
                        LEFT,
                        WarpValues.SECOND,
                        Operand.register(WarpValues.SECOND),
                        32);
                widen(Evex.VPMOVZXDQ, WarpValues.FIRST, a, chunk);
                code.vector(
                        Evex.VPORQ, made, WarpValues.FIRST, Operand.register(WarpValues.SECOND));
            }
            case TRUNC -> narrow(a, chunk, made, false);
            case HIGH -> narrow(a, chunk, made, true);
            default -> product(operation, sources, chunk, made);
        }
    }

    private void product(Operation operation, List<Source> sources, int chunk, int made) {
        boolean signed = operation.type() == ScalarType.S32;
        Evex product = signed ? Evex.VPMULDQ : Evex.VPMULUDQ;
        if (operation.has(Modifier.WIDE)) {
            wideProduct(signed ? Evex.VPMOVSXDQ : Evex.VPMOVZXDQ, product, sources, chunk, made);
        } else if (operation.type() == ScalarType.U64) {
            highProduct64(sources, chunk, made);
        } else {
            highProduct(product, sources, chunk, made);
        }
    }

    /// A shift of longs by 32: the digit is 6 to the left, 2 to the right.
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
    private void highProduct(Evex product, List<Source> sources, int chunk, int made) {
        values.copy(WarpValues.FIRST, sources.get(0), chunk);
        values.copy(WarpValues.SECOND, sources.get(1), chunk);
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
