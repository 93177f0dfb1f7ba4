package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.F32;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.semantics.FloatArithmetic;

import java.util.List;
import java.util.Map;

/// Minima and maxima of floats: zeros have signs. And what else goes by signs and bounds.
final class ExtremeEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;

    private static final int SIGN = Integer.MIN_VALUE;

    static final Map<Operation, Making<ExtremeEmitter>> KNOWN =
            Map.of(
                    Operation.of(OperationKind.MIN, F32),
                    extreme(OperationKind.MIN, false),
                    Operation.of(OperationKind.MAX, F32),
                    extreme(OperationKind.MAX, false),
                    Operation.of(OperationKind.MIN, F32, Modifier.NAN),
                    extreme(OperationKind.MIN, true),
                    Operation.of(OperationKind.MAX, F32, Modifier.NAN),
                    extreme(OperationKind.MAX, true),
                    Making.instruction("copysign.f32", F32, 2),
                    ExtremeEmitter::copySign,
                    Operation.of(OperationKind.XORSIGN, F32),
                    ExtremeEmitter::xorSign,
                    Operation.of(OperationKind.FTZ, F32),
                    ExtremeEmitter::flush,
                    Operation.of(OperationKind.SAT, F32),
                    ExtremeEmitter::saturate);

    private final WarpValues values;
    private final Assembler code;

    ExtremeEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    private static Making<ExtremeEmitter> extreme(OperationKind kind, boolean keepsNan) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.get(0), chunk);
            in.values.copy(SECOND, sources.get(1), chunk);
            in.emit(kind, keepsNan, made);
        };
    }

    /// Of what is in the first two vectors for values in between, which are changed.
    ///
    /// @param keepsNan whether a NaN makes one, or gives way to the other operand
    void emit(OperationKind kind, boolean keepsNan, int made) {
        Operand first = Operand.register(FIRST);
        Operand second = Operand.register(SECOND);
        if (keepsNan) {
            code.vector(Evex.VCMPPS, 5, FIRST, second, Assembler.UNORDERED);
        } else {
            code.vector(Evex.VCMPPS, 5, FIRST, first, Assembler.UNORDERED);
            code.vectorWhere(Evex.VMOVDQU32, 5, FIRST, 0, second);
            code.vector(Evex.VCMPPS, 5, SECOND, second, Assembler.UNORDERED);
            code.vectorWhere(Evex.VMOVDQU32, 5, SECOND, 0, first);
        }
        code.vector(Evex.VRANGEPS, made, FIRST, second, kind == OperationKind.MIN ? 4 : 5);
        if (keepsNan) {
            Operand nan = code.word(FloatArithmetic.CANONICAL_NAN);
            code.vectorWhere(Evex.VPBROADCASTD, 5, made, 0, nan);
        }
    }

    // Signs, and what is too small or too large.

    private void flush(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        code.vector(Evex.VPANDD, SECOND, FIRST, code.word(0x7f80_0000));
        code.vector(Evex.VPTESTNMD, 5, SECOND, Operand.register(SECOND));
        code.vectorWhere(Evex.VPANDD, 5, FIRST, FIRST, code.word(SIGN));
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(FIRST));
    }

    /// The sign of vector 1 on the magnitude of vector 2.
    private void sign(int made) {
        code.vector(Evex.VPANDD, FIRST, FIRST, code.word(SIGN));
        code.vector(Evex.VPANDD, SECOND, SECOND, code.word(~SIGN));
        Operand second = Operand.register(SECOND);
        code.vector(Evex.VPORD, made, FIRST, second);
    }

    private void copySign(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.get(0), chunk);
        values.copy(SECOND, sources.get(1), chunk);
        sign(made);
    }

    /// A NaN has no sign: all become the one of GPUs.
    private void xorSign(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.get(1), chunk);
        int other = values.load(sources.get(2), chunk, SECOND);
        code.vector(Evex.VPXORD, FIRST, FIRST, Operand.register(other));
        values.copy(SECOND, sources.get(0), chunk);
        sign(made);
    }

    /// The second operand of these instructions wins where one is a NaN or both are zeros.
    private void saturate(List<Source> sources, int chunk, int made) {
        int first = values.load(sources.getFirst(), chunk, FIRST);
        code.vector(Evex.VMAXPS, made, first, code.word(0));
        code.vector(Evex.VMINPS, made, made, code.word(Float.floatToRawIntBits(1f)));
    }
}
