package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.GREATER_OR_EQUAL_ORDERED;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.semantics.FloatArithmetic;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Conversions between kinds of numbers, and quotients of integers, which are made of them.
record ConversionEmitter(WarpValues values, Assembler code) {

    ConversionEmitter(WarpValues values) {
        this(values, values.code);
    }

    /// Whether an operation that may round is known here.
    static boolean knows(Step.Compute step) {
        Operation operation = step.operation();
        for (Source argument : step.arguments()) {
            if (!(argument instanceof Register)) {
                return false;
            }
        }
        return operation.modifiers().isEmpty()
                && switch (operation.kind()) {
                    case CVT -> converts(operation);
                    case ROUND ->
                            operation.type() == ScalarType.F32
                                    && direction(operation.rounding()) >= 0;
                    case CANONICAL -> operation.type() == ScalarType.F32;
                    case DIV, REM ->
                            operation.type() == ScalarType.U32
                                    || operation.type() == ScalarType.S32;
                    default -> false;
                };
    }

    private static boolean converts(Operation operation) {
        return switch (operation.type()) {
            case F64 ->
                    switch (operation.from()) {
                        case F32, S32, U32 -> direction(operation.rounding()) == 0;
                        default -> false;
                    };
            case S8, U8, S16, U16, S32, U32 -> operation.from() == ScalarType.F32;
            default -> false;
        };
    }

    /// Whether a NaN of a result is as the operation leaves it.
    static boolean keepsNan(Operation operation) {
        return operation.kind() == OperationKind.ROUND
                || operation.kind() == OperationKind.CVT && operation.type() == ScalarType.F64;
    }

    /// How instructions are told to round, or -1.
    static int direction(@Nullable Rounding rounding) {
        return switch (rounding) {
            case null -> 0;
            case NEAREST_EVEN -> 0;
            case DOWN -> 1;
            case UP -> 2;
            case TOWARD_ZERO -> 3;
            case NEAREST_AWAY -> -1;
        };
    }

    /// Makes a chunk of a result.
    void emit(Step.Compute step, int chunk, int made) {
        Operation operation = step.operation();
        Source a = step.arguments().getFirst();
        switch (operation.kind()) {
            case CVT -> convert(operation, a, chunk, made);
            case CANONICAL -> {
                int first = WarpValues.FIRST;
                values.copy(first, a, chunk);
                code.replaceNans(false, first, first, code.word(FloatArithmetic.CANONICAL_NAN));
                code.vector(Evex.VMOVDQU32, made, 0, Operand.register(first));
            }
            case ROUND -> {
                int first = values.load(a, chunk, WarpValues.FIRST);
                int exactly = 8 | direction(operation.rounding());
                code.vector(Evex.VCMPPS, 5, first, Operand.register(first), Assembler.UNORDERED);
                code.vector(
                        Evex.VRNDSCALEPS, WarpValues.SECOND, 0, Operand.register(first), exactly);
                code.vectorWhere(Evex.VMOVDQU32, 5, WarpValues.SECOND, 0, Operand.register(first));
                code.vector(Evex.VMOVDQU32, made, 0, Operand.register(WarpValues.SECOND));
            }
            case DIV, REM -> quotient(operation, step.arguments(), chunk, made);
            default -> throw new IllegalArgumentException(operation.toString());
        }
    }

    private void convert(Operation operation, Source a, int chunk, int made) {
        switch (operation.type()) {
            case S8 -> toNarrow(-0x80, 0x7f, a, chunk, made);
            case U8 -> toNarrow(0, 0xff, a, chunk, made);
            case S16 -> toNarrow(-0x8000, 0x7fff, a, chunk, made);
            case U16 -> toNarrow(0, 0xffff, a, chunk, made);
            case S32 -> toInteger(true, a, chunk, made);
            case U32 -> toInteger(false, a, chunk, made);
            default -> toDouble(operation, a, chunk, made);
        }
    }

    private void toDouble(Operation operation, Source a, int chunk, int made) {
        Evex conversion =
                switch (operation.from()) {
                    case S32 -> Evex.VCVTDQ2PD;
                    case U32 -> Evex.VCVTUDQ2PD;
                    default -> Evex.VCVTPS2PD;
                };
        widen(conversion, a, chunk, made);
    }

    private void widen(Evex conversion, Source a, int chunk, int made) {
        code.vector(conversion, made, 0, values.half((Register) a, chunk, WarpValues.THIRD));
    }

    /// Out of range becomes the nearest, NaN zero.
    private void toInteger(boolean signed, Source a, int chunk, int made) {
        int first = values.load(a, chunk, WarpValues.FIRST);
        float limit = signed ? 0x1p31f : 0x1p32f;
        code.vector(Evex.VCMPPS, 5, first, number(limit), GREATER_OR_EQUAL_ORDERED);
        code.vector(Evex.VCMPPS, 6, first, Operand.register(first), Assembler.UNORDERED);
        Operand last = Operand.register(first);
        if (!signed) {
            code.vector(Evex.VMAXPS, WarpValues.SECOND, first, code.word(0));
            last = Operand.register(WarpValues.SECOND);
        }
        code.vector(signed ? Evex.VCVTTPS2DQ : Evex.VCVTTPS2UDQ, WarpValues.RESULT, 0, last);
        int greatest = signed ? Integer.MAX_VALUE : -1;
        code.vectorWhere(Evex.VPBROADCASTD, 5, WarpValues.RESULT, 0, code.word(greatest));
        code.vectorWhere(Evex.VPBROADCASTD, 6, WarpValues.RESULT, 0, code.word(0));
        if (made != WarpValues.RESULT) {
            code.vector(Evex.VMOVDQU32, made, 0, Operand.register(WarpValues.RESULT));
        }
    }

    /// The same where the bounds are floats.
    private void toNarrow(int least, int most, Source a, int chunk, int made) {
        int first = values.load(a, chunk, WarpValues.FIRST);
        int second = WarpValues.SECOND;
        code.vector(Evex.VCMPPS, 5, first, Operand.register(first), Assembler.UNORDERED);
        code.vector(Evex.VMAXPS, second, first, number(least));
        code.vector(Evex.VMINPS, second, second, number(most));
        code.vector(Evex.VCVTTPS2DQ, second, 0, Operand.register(second));
        code.vectorWhere(Evex.VPBROADCASTD, 5, second, 0, code.word(0));
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(second));
    }

    private Operand number(float value) {
        return code.word(Float.floatToRawIntBits(value));
    }

    /// A quotient of words is that of doubles, cut off: these have more than twice the bits. What
    /// is divided by zero has all bits set.
    private void quotient(Operation operation, List<Source> sources, int chunk, int made) {
        boolean signed = operation.type() == ScalarType.S32;
        Evex conversion = signed ? Evex.VCVTDQ2PD : Evex.VCVTUDQ2PD;
        Evex back = signed ? Evex.VCVTTPD2DQ : Evex.VCVTTPD2UDQ;
        for (int i = 0; i < 2; i++) {
            widen(conversion, sources.get(0), 2 * chunk + i, WarpValues.FIRST);
            widen(conversion, sources.get(1), 2 * chunk + i, WarpValues.SECOND);
            Operand second = Operand.register(WarpValues.SECOND);
            code.vector(Evex.VDIVPD, WarpValues.FIRST, WarpValues.FIRST, second);
            int part = i == 0 ? WarpValues.RESULT : WarpValues.FOURTH;
            code.vector(back, part, 0, Operand.register(WarpValues.FIRST));
        }
        int result = WarpValues.RESULT;
        code.vector(Evex.VINSERTI64X4, result, result, Operand.register(WarpValues.FOURTH), 1);
        int second = values.load(sources.get(1), chunk, WarpValues.SECOND);
        code.vector(Evex.VPTESTNMD, 5, second, Operand.register(second));
        if (operation.kind() == OperationKind.REM) {
            code.vector(Evex.VPMULLD, result, result, Operand.register(second));
            int first = values.load(sources.get(0), chunk, WarpValues.FIRST);
            code.vector(Evex.VPSUBD, result, first, Operand.register(result));
        }
        code.vectorWhere(Evex.VPBROADCASTD, 5, result, 0, code.word(-1));
        if (made != result) {
            code.vector(Evex.VMOVDQU32, made, 0, Operand.register(result));
        }
    }
}
