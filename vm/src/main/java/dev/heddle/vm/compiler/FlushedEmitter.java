package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LESS;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Products, fused sums and quotients of `f32` with `.ftz`.
///
/// A result is zero where it is below 2^-126 once it has 24 bits, whatever its exponent (see
/// `FlushedArithmetic`): so is what the same operation makes of the first operand times 2^64, and
/// of the addend times that, below 2^-62. Where these are beyond the range the result is none to be
/// flushed: it is no sum of less than 2^-108 then, and no product or quotient of less than 2^-64.
final class FlushedEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;
    private static final int FOURTH = WarpValues.FOURTH;

    private static final int LEAST_NORMAL = Float.floatToRawIntBits(0x1p-126f);
    private static final int SCALE = Float.floatToRawIntBits(0x1p64f);
    private static final int LEAST_SCALED = Float.floatToRawIntBits(0x1p-62f);

    private static final Map<Operation, Making<FlushedEmitter>> KNOWN =
            Map.of(
                    flushed(OperationKind.MUL), binary(Evex.VMULPS),
                    flushed(OperationKind.DIV), binary(Evex.VDIVPS),
                    flushed(OperationKind.FMA), FlushedEmitter::fused);

    private static Operation flushed(OperationKind kind) {
        return Operation.of(kind, ScalarType.F32, Rounding.NEAREST_EVEN, Modifier.FTZ);
    }

    private final WarpValues values;
    private final Assembler code;

    FlushedEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether an operation is known here.
    static boolean knows(Operation operation) {
        return KNOWN.containsKey(operation);
    }

    /// Makes a chunk of a result.
    void emit(Operation operation, List<Source> sources, int chunk, int made) {
        Objects.requireNonNull(KNOWN.get(operation)).emit(this, sources, chunk, made);
    }

    /// Floats whose magnitude is below a limit become zeros of their signs.
    ///
    /// @param spare a vector that may be changed
    /// @param limit the bits of a float
    void flush(int value, int spare, int limit) {
        flushBy(value, value, spare, limit);
    }

    /// The same where the magnitude of another vector is below the limit.
    private void flushBy(int other, int value, int spare, int limit) {
        code.vector(Evex.VPANDD, spare, other, code.word(Integer.MAX_VALUE));
        code.vector(Evex.VPCMPD, 5, spare, code.word(limit), LESS);
        code.vectorWhere(Evex.VPANDD, 5, value, value, code.word(Integer.MIN_VALUE));
    }

    private static Making<FlushedEmitter> binary(Evex operation) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.get(0), chunk);
            in.values.copy(SECOND, sources.get(1), chunk);
            in.combine(operation, made);
        };
    }

    /// What is in vectors 1 and 2, which are changed, as vector 3 is.
    void combine(Evex operation, int made) {
        flush(FIRST, THIRD, LEAST_NORMAL);
        flush(SECOND, THIRD, LEAST_NORMAL);
        Operand second = Operand.register(SECOND);
        code.vector(Evex.VMULPS, THIRD, FIRST, code.word(SCALE));
        code.vector(operation, THIRD, THIRD, second);
        code.vector(operation, FIRST, FIRST, second);
        flushBy(THIRD, FIRST, THIRD, LEAST_SCALED);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(FIRST));
    }

    private void fused(List<Source> sources, int chunk, int made) {
        int scaled = WarpValues.RESULT;
        int[] operands = {FIRST, SECOND, THIRD};
        for (int i = 0; i < operands.length; i++) {
            values.copy(operands[i], sources.get(i), chunk);
            flush(operands[i], FOURTH, LEAST_NORMAL);
        }
        Operand second = Operand.register(SECOND);
        code.vector(Evex.VMULPS, scaled, THIRD, code.word(SCALE));
        code.vector(Evex.VMULPS, FOURTH, FIRST, code.word(SCALE));
        code.vector(Evex.VFMADD231PS, scaled, FOURTH, second);
        code.vector(Evex.VFMADD231PS, THIRD, FIRST, second);
        flushBy(scaled, THIRD, FOURTH, LEAST_SCALED);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(THIRD));
    }
}
