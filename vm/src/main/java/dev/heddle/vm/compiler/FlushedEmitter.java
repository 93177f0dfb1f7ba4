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

import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    static final int LEAST_SCALED = Float.floatToRawIntBits(0x1p-62f);

    static final Map<Operation, Making<FlushedEmitter>> KNOWN = new HashMap<>();

    static {
        for (Rounding rounding : Rounding.values()) {
            int direction = ConversionEmitter.direction(rounding);
            if (direction >= 0) {
                KNOWN.put(flushed(OperationKind.MUL, rounding), binary(Evex.VMULPS, direction));
                KNOWN.put(flushed(OperationKind.DIV, rounding), binary(Evex.VDIVPS, direction));
                KNOWN.put(
                        flushed(OperationKind.FMA, rounding),
                        (in, sources, chunk, made) -> in.fused(direction, sources, chunk, made));
            }
        }
    }

    private static Operation flushed(OperationKind kind, Rounding rounding) {
        return Operation.of(kind, ScalarType.F32, rounding, Modifier.FTZ);
    }

    private final WarpValues values;
    private final Assembler code;

    FlushedEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Floats whose magnitude is below a limit become zeros of their signs.
    ///
    /// @param spare a vector that may be changed
    /// @param limit the bits of a float
    void flush(int value, int spare, int limit) {
        flushBy(value, value, spare, limit);
    }

    /// The same where the magnitude of another vector is below the limit.
    void flushBy(int other, int value, int spare, int limit) {
        code.vector(Evex.VPANDD, spare, other, code.word(Integer.MAX_VALUE));
        code.vector(Evex.VPCMPD, 5, spare, code.word(limit), LESS);
        code.vectorWhere(Evex.VPANDD, 5, value, value, code.word(Integer.MIN_VALUE));
    }

    private static Making<FlushedEmitter> binary(Evex operation, int direction) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.get(0), chunk);
            in.values.copy(SECOND, sources.get(1), chunk);
            in.combine(operation, direction, made);
        };
    }

    /// What is in vectors 1 and 2, which are changed, as vector 3 is.
    void combine(Evex operation, int direction, int made) {
        flush(FIRST, THIRD, LEAST_NORMAL);
        flush(SECOND, THIRD, LEAST_NORMAL);
        code.vector(Evex.VMULPS, THIRD, FIRST, code.word(SCALE));
        apply(operation, direction, THIRD, THIRD, SECOND);
        apply(operation, direction, FIRST, FIRST, SECOND);
        flushBy(THIRD, FIRST, THIRD, LEAST_SCALED);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(FIRST));
    }

    private void apply(Evex operation, int direction, int target, int second, int last) {
        if (direction == 0) {
            code.vector(operation, target, second, Operand.register(last));
        } else {
            code.rounded(operation, direction, target, second, last);
        }
    }

    private void fused(int direction, List<Source> sources, int chunk, int made) {
        int scaled = WarpValues.RESULT;
        int[] operands = {FIRST, SECOND, THIRD};
        for (int i = 0; i < operands.length; i++) {
            values.copy(operands[i], sources.get(i), chunk);
            flush(operands[i], FOURTH, LEAST_NORMAL);
        }
        code.vector(Evex.VMULPS, scaled, THIRD, code.word(SCALE));
        code.vector(Evex.VMULPS, FOURTH, FIRST, code.word(SCALE));
        apply(Evex.VFMADD231PS, direction, scaled, FOURTH, SECOND);
        apply(Evex.VFMADD231PS, direction, THIRD, FIRST, SECOND);
        flushBy(scaled, THIRD, FOURTH, LEAST_SCALED);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(THIRD));
    }
}
