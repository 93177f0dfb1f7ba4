package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.F64;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.U32;

import dev.heddle.formats.Rounding;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Arithmetic of `f32` and `f64` that does not round to the nearest, and such conversions of words.
record DirectedEmitter(WarpValues values, Assembler code) {
    static final Map<Operation, Making<DirectedEmitter>> KNOWN = new HashMap<>();

    static {
        for (Rounding rounding : List.of(Rounding.DOWN, Rounding.UP, Rounding.TOWARD_ZERO)) {
            binary(OperationKind.ADD, rounding, Evex.VADDPS, Evex.VADDPD);
            binary(OperationKind.SUB, rounding, Evex.VSUBPS, Evex.VSUBPD);
            binary(OperationKind.MUL, rounding, Evex.VMULPS, Evex.VMULPD);
            binary(OperationKind.DIV, rounding, Evex.VDIVPS, Evex.VDIVPD);
            int direction = ConversionEmitter.direction(rounding);
            Operation root = Operation.of(OperationKind.SQRT, F32, rounding);
            Operation sum = Operation.of(OperationKind.FMA, F32, rounding);
            KNOWN.put(root, unary(Evex.VSQRTPS, direction));
            KNOWN.put(sum, fused(Evex.VFMADD231PS, direction));
            root = Operation.of(OperationKind.SQRT, F64, rounding);
            sum = Operation.of(OperationKind.FMA, F64, rounding);
            KNOWN.put(root, unary(Evex.VSQRTPD, direction));
            KNOWN.put(sum, fused(Evex.VFMADD231PD, direction));
            KNOWN.put(Operation.convert(F32, S32, rounding), unary(Evex.VCVTDQ2PS, direction));
            KNOWN.put(Operation.convert(F32, U32, rounding), unary(Evex.VCVTUDQ2PS, direction));
        }
    }

    DirectedEmitter(WarpValues values) {
        this(values, values.code);
    }

    private static void binary(
            OperationKind kind, Rounding rounding, Evex ofFloats, Evex ofDoubles) {
        int direction = ConversionEmitter.direction(rounding);
        KNOWN.put(Operation.of(kind, F32, rounding), binary(ofFloats, direction));
        KNOWN.put(Operation.of(kind, F64, rounding), binary(ofDoubles, direction));
    }

    private static Making<DirectedEmitter> binary(Evex operation, int direction) {
        return (in, sources, chunk, made) -> {
            int first = in.values.load(sources.get(0), chunk, WarpValues.FIRST);
            int second = in.values.load(sources.get(1), chunk, WarpValues.SECOND);
            in.code.rounded(operation, direction, made, first, second);
        };
    }

    private static Making<DirectedEmitter> unary(Evex operation, int direction) {
        return (in, sources, chunk, made) -> {
            int first = in.values.load(sources.getFirst(), chunk, WarpValues.FIRST);
            in.code.rounded(operation, direction, made, 0, first);
        };
    }

    private static Making<DirectedEmitter> fused(Evex operation, int direction) {
        return (in, sources, chunk, made) -> {
            int sum = WarpValues.THIRD;
            in.values.copy(sum, sources.get(2), chunk);
            int first = in.values.load(sources.get(0), chunk, WarpValues.FIRST);
            int second = in.values.load(sources.get(1), chunk, WarpValues.SECOND);
            in.code.rounded(operation, direction, sum, first, second);
            in.code.vector(Evex.VMOVDQU32, made, 0, Operand.register(sum));
        };
    }
}
