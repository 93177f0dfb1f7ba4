package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.semantics.SemanticMethod;

import java.util.List;

/// Shifts, and what moves fields of bits, as machine code.
final class ShiftEmitter {
    private final WarpValues values;
    private final Assembler code;

    ShiftEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether an operation is known here.
    static boolean knows(Step.Compute step) {
        List<Source> sources = step.arguments();
        return switch (SemanticMethod.of(step.operation()).name()) {
            case "shiftLeft32",
                    "shiftRightU32",
                    "shiftRightS32",
                    "shiftLeft64",
                    "shiftRightU64",
                    "shiftRightS64",
                    "bfindShiftamtU32" ->
                    true;
            case "insert32" ->
                    sources.get(2) instanceof Source.Constant
                            && sources.get(3) instanceof Source.Constant;
            case "funnelLeftWrap32", "funnelRightWrap32" -> Processor.has("avx512_vbmi2");
            default -> false;
        };
    }

    /// Makes a chunk of a result.
    void emit(String name, List<Source> sources, int chunk, int made) {
        switch (name) {
            case "insert32" -> insert(sources, chunk, made);
            case "funnelLeftWrap32" -> funnel(Evex.VPSHLDVD, 1, sources, chunk, made);
            case "funnelRightWrap32" -> funnel(Evex.VPSHRDVD, 0, sources, chunk, made);
            case "bfindShiftamtU32" -> {
                int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
                code.vector(Evex.VPTESTNMD, 5, first, Operand.register(first));
                code.vector(Evex.VPLZCNTD, made, 0, Operand.register(first));
                code.vectorWhere(Evex.VPBROADCASTD, 5, made, 0, code.word(-1));
            }
            default -> shift(name, sources, chunk, made);
        }
    }

    private void shift(String name, List<Source> sources, int chunk, int made) {
        boolean isLong = name.endsWith("64");
        int digit = name.startsWith("shiftLeft") ? 6 : name.startsWith("shiftRightU") ? 2 : 4;
        if (sources.get(1) instanceof Source.Constant(_, long bits)) {
            int width = isLong ? 64 : 32;
            int amount = (int) Math.min(bits & 0xffff_ffffL, digit == 4 ? width - 1 : width);
            Evex operation =
                    isLong
                            ? digit == 4 ? Evex.VPSRAQ_I : Evex.VPSLLQ_I
                            : digit == 4 ? Evex.VPSRAD_I : Evex.VPSLLD_I;
            int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
            code.vector(operation, digit, made, Operand.register(first), amount);
            return;
        }
        if (isLong) {
            shiftByWords(digit, sources, chunk, made);
            return;
        }
        Evex operation = digit == 6 ? Evex.VPSLLVD : digit == 2 ? Evex.VPSRLVD : Evex.VPSRAVD;
        int first = values.load(sources.getFirst(), chunk, WarpValues.FIRST);
        code.vector(operation, made, first, values.operand(sources.get(1), chunk));
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
        code.vector(Evex.VPSLLD_I, 6, WarpValues.FIRST, Operand.register(first), at & 31);
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
