package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.F64;
import static dev.heddle.ptx.ScalarType.S16;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S8;
import static dev.heddle.ptx.ScalarType.U16;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U8;
import static dev.heddle.tensorcore.x86.Assembler.GREATER_OR_EQUAL_ORDERED;

import dev.heddle.formats.Rounding;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.semantics.FloatArithmetic;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Conversions between kinds of numbers, and quotients of integers, which are made of them.
record ConversionEmitter(WarpValues values, Assembler code) {
    static final Map<Operation, Making<ConversionEmitter>> KNOWN = new HashMap<>();

    static {
        KNOWN.put(Operation.convert(F64, F32), widening(Evex.VCVTPS2PD));
        KNOWN.put(Operation.convert(F64, S32), widening(Evex.VCVTDQ2PD));
        KNOWN.put(Operation.convert(F64, U32), widening(Evex.VCVTUDQ2PD));
        KNOWN.put(Operation.convert(S8, F32), narrow(-0x80, 0x7f));
        KNOWN.put(Operation.convert(U8, F32), narrow(0, 0xff));
        KNOWN.put(Operation.convert(S16, F32), narrow(-0x8000, 0x7fff));
        KNOWN.put(Operation.convert(U16, F32), narrow(0, 0xffff));
        KNOWN.put(Operation.convert(S32, F32), integer(true));
        KNOWN.put(Operation.convert(U32, F32), integer(false));
        KNOWN.put(Operation.of(OperationKind.CANONICAL, F32), ConversionEmitter::canonical);
        for (Rounding rounding : Rounding.values()) {
            int direction = direction(rounding);
            if (direction >= 0) {
                KNOWN.put(Operation.of(OperationKind.ROUND, F32, rounding), integral(direction));
            }
        }
        for (OperationKind kind : List.of(OperationKind.DIV, OperationKind.REM)) {
            KNOWN.put(Operation.of(kind, S32), quotient(kind, true));
            KNOWN.put(Operation.of(kind, U32), quotient(kind, false));
        }
    }

    ConversionEmitter(WarpValues values) {
        this(values, values.code);
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

    private static Making<ConversionEmitter> widening(Evex conversion) {
        return (in, sources, chunk, made) -> in.widen(conversion, sources.getFirst(), chunk, made);
    }

    private void canonical(List<Source> sources, int chunk, int made) {
        int first = WarpValues.FIRST;
        values.copy(first, sources.getFirst(), chunk);
        code.replaceNans(false, first, first, code.word(FloatArithmetic.CANONICAL_NAN));
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(first));
    }

    private static Making<ConversionEmitter> integral(int direction) {
        return (in, sources, chunk, made) -> {
            Assembler code = in.code;
            int second = WarpValues.SECOND;
            int from = in.values.load(sources.getFirst(), chunk, WarpValues.FIRST);
            Operand first = Operand.register(from);
            code.vector(Evex.VCMPPS, 5, from, first, Assembler.UNORDERED);
            code.vector(Evex.VRNDSCALEPS, second, 0, first, 8 | direction);
            code.vectorWhere(Evex.VMOVDQU32, 5, second, 0, first);
            code.vector(Evex.VMOVDQU32, made, 0, Operand.register(second));
        };
    }

    private void widen(Evex conversion, Source a, int chunk, int made) {
        code.vector(conversion, made, 0, values.half(a, chunk, WarpValues.THIRD));
    }

    /// Out of range becomes the nearest, NaN zero.
    private static Making<ConversionEmitter> integer(boolean signed) {
        return (in, sources, chunk, made) -> in.toInteger(signed, sources.getFirst(), chunk, made);
    }

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
    private static Making<ConversionEmitter> narrow(int least, int most) {
        return (in, sources, chunk, made) ->
                in.toNarrow(least, most, sources.getFirst(), chunk, made);
    }

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
    private static Making<ConversionEmitter> quotient(OperationKind kind, boolean signed) {
        return (in, sources, chunk, made) -> in.quotient(kind, signed, sources, chunk, made);
    }

    private void quotient(
            OperationKind kind, boolean signed, List<Source> sources, int chunk, int made) {
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
        if (kind == OperationKind.REM) {
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
