package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;

import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;

import java.util.List;

/// Shifts, and what moves fields of bits, as machine code.
record ShiftEmitter(WarpValues values, Assembler code) {
    /// The count of zeros before the first one, which has no kind of its own.
    private static final Operation LEADING =
            Operation.instruction(
                    "bfind.shiftamt.u32", ScalarType.U32, List.of(ScalarType.U32), ScalarType.U32);

    ShiftEmitter(WarpValues values) {
        this(values, values.code);
    }

    /// Whether an operation is known here.
    static boolean knows(Step.Compute step) {
        Operation operation = step.operation();
        List<Source> sources = step.arguments();
        int bits = operation.type().bits();
        return switch (operation.kind()) {
            case SHL, SHR -> bits == 32 || bits == 64;
            case BFI ->
                    bits == 32
                            && sources.get(2) instanceof Source.Constant
                            && sources.get(3) instanceof Source.Constant;
            case SHF -> operation.has(Modifier.WRAP) && Assembler.has(Evex.VPSHLDVD);
            case INSTRUCTION -> operation == LEADING;
            default -> false;
        };
    }

    /// Makes a chunk of a result.
    void emit(Operation operation, List<Source> sources, int chunk, int made) {
        switch (operation.kind()) {
            case BFI -> insert(sources, chunk, made);
            case SHF -> {
                boolean left = operation.has(Modifier.LEFT);
                funnel(left ? Evex.VPSHLDVD : Evex.VPSHRDVD, left ? 1 : 0, sources, chunk, made);
            }
            case INSTRUCTION -> {
                int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
                code.vector(Evex.VPTESTNMD, 5, first, Operand.register(first));
                code.vector(Evex.VPLZCNTD, made, 0, Operand.register(first));
                code.vectorWhere(Evex.VPBROADCASTD, 5, made, 0, code.word(-1));
            }
            default -> shift(operation, sources, chunk, made);
        }
    }

    private void shift(Operation operation, List<Source> sources, int chunk, int made) {
        boolean isLong = operation.type().bits() == 64;
        boolean signed = operation.type().kind() == ScalarType.Kind.SIGNED;
        int digit = operation.kind() == OperationKind.SHL ? 6 : signed ? 4 : 2;
        if (sources.get(1) instanceof Source.Constant(_, long bits)) {
            int width = isLong ? 64 : 32;
            int amount = (int) Math.min(bits & 0xffff_ffffL, digit == 4 ? width - 1 : width);
            Evex shift =
                    isLong
                            ? digit == 4 ? Evex.VPSRAQ_I : Evex.VPSLLQ_I
                            : digit == 4 ? Evex.VPSRAD_I : Evex.VPSLLD_I;
            int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
            code.vector(shift, digit, made, Operand.register(first), amount);
            return;
        }
        if (isLong) {
            shiftByWords(digit, sources, chunk, made);
            return;
        }
        Evex shift = digit == 6 ? Evex.VPSLLVD : digit == 2 ? Evex.VPSRLVD : Evex.VPSRAVD;
        int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
        code.vector(shift, made, first, values.operand(sources.get(1), chunk));
    }

    /// Longs shifted by words, of which 64 and more shift all out.
    private void shiftByWords(int digit, List<Source> sources, int chunk, int made) {
        Evex operation = digit == 6 ? Evex.VPSLLVQ : digit == 2 ? Evex.VPSRLVQ : Evex.VPSRAVQ;
        Operand amounts = values.half((Register) sources.get(1), chunk, WarpValues.THIRD);
        code.vector(Evex.VPMOVZXDQ, WarpValues.SECOND, 0, amounts);
        int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
        code.vector(operation, made, first, Operand.register(WarpValues.SECOND));
    }

    /// Two words side by side, shifted by the third operand.
    ///
    /// @param kept which of the first two has the bits that stay
    private void funnel(Evex operation, int kept, List<Source> sources, int chunk, int made) {
        values.copy(WarpValues.FIRST, sources.get(kept), chunk);
        int second = values.load(sources.get(1 - kept), chunk, WarpValues.SECOND);
        code.vector(operation, WarpValues.FIRST, second, values.operand(sources.get(2), chunk));
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(WarpValues.FIRST));
    }

    /// Bits of the first operand in the midst of the second, at constant places.
    private void insert(List<Source> sources, int chunk, int made) {
        int at = constant(sources.get(2)) & 0xff;
        int count = constant(sources.get(3)) & 0xff;
        int field = at > 31 || count == 0 ? 0 : (count > 31 ? -1 : (1 << count) - 1) << at;
        int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
        code.vector(Evex.VPSLLD_I, LEFT, WarpValues.FIRST, Operand.register(first), at & 31);
        int second = values.load(sources.get(1), chunk, WarpValues.SECOND);
        int whereThirdIsSet = 0xe4;
        code.vector(Evex.VPTERNLOGD, WarpValues.FIRST, second, code.word(field), whereThirdIsSet);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(WarpValues.FIRST));
    }

    /// The lower half of a constant.
    static int constant(Source source) {
        return source instanceof Source.Constant(_, long bits) ? (int) bits : 0;
    }
}
