package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.semantics.FloatArithmetic;

/// Minima and maxima of floats: zeros have signs.
final class ExtremeEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;

    private final Assembler code;

    ExtremeEmitter(WarpValues values) {
        code = values.code;
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
}
