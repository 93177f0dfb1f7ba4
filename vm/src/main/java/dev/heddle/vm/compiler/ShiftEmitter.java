package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

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

/// Shifts, and what moves fields of bits, as machine code. Where elements are shifted by more than
/// their bits, zeros remain, or their signs.
record ShiftEmitter(WarpValues values, Assembler code) {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;
    private static final int FOURTH = WarpValues.FOURTH;

    /// Of places and lengths of fields, only the low byte counts.
    private static final int BYTE = 0xff;

    static final Map<Operation, Making<ShiftEmitter>> KNOWN = new HashMap<>();

    static {
        for (ScalarType type : List.of(B32, B64)) {
            KNOWN.put(Operation.of(OperationKind.SHL, type), shift(type, LEFT));
            KNOWN.put(
                    Operation.of(OperationKind.BFI, type),
                    (in, sources, chunk, made) -> in.insert(isLong(type), sources, chunk, made));
        }
        for (ScalarType type : List.of(S32, U32, S64, U64)) {
            KNOWN.put(Operation.of(OperationKind.SHR, type), shift(type, right(type)));
            KNOWN.put(Operation.of(OperationKind.BFE, type), extraction(type));
        }
        for (ScalarType type : List.of(S32, U32)) {
            String name = "." + type.keyword();
            KNOWN.put(Making.instruction("szext.clamp" + name, type, 2), extension(type, -1));
            KNOWN.put(Making.instruction("szext.wrap" + name, type, 2), extension(type, 31));
        }
        KNOWN.put(Making.instruction("bmsk.clamp.b32", B32, 2), fieldMask(-1));
        KNOWN.put(Making.instruction("bmsk.wrap.b32", B32, 2), fieldMask(31));
        if (Assembler.has(Evex.VPSHLDVD)) {
            for (Modifier modifier : List.of(Modifier.WRAP, Modifier.CLAMP)) {
                boolean clamps = modifier == Modifier.CLAMP;
                KNOWN.put(
                        Operation.of(OperationKind.SHF, B32, Modifier.LEFT, modifier),
                        funnel(Evex.VPSHLDVD, 1, clamps));
                KNOWN.put(
                        Operation.of(OperationKind.SHF, B32, Modifier.RIGHT, modifier),
                        funnel(Evex.VPSHRDVD, 0, clamps));
            }
        }
    }

    ShiftEmitter(WarpValues values) {
        this(values, values.code);
    }

    private static boolean isLong(ScalarType type) {
        return type.bits() == 64;
    }

    private static int right(ScalarType type) {
        return type.kind() == ScalarType.Kind.SIGNED ? RIGHT_WITH_SIGN : RIGHT;
    }

    // Whole elements.

    /// The instruction that shifts each element by one of a vector.
    private static Evex byVector(boolean isLong, int digit) {
        return switch (digit) {
            case LEFT -> isLong ? Evex.VPSLLVQ : Evex.VPSLLVD;
            case RIGHT -> isLong ? Evex.VPSRLVQ : Evex.VPSRLVD;
            default -> isLong ? Evex.VPSRAVQ : Evex.VPSRAVD;
        };
    }

    private void shift(boolean isLong, int digit, int target, int a, int amounts) {
        code.vector(byVector(isLong, digit), target, a, Operand.register(amounts));
    }

    private void shiftBy(boolean isLong, int digit, int target, int a, int amount) {
        Evex words = digit == RIGHT_WITH_SIGN ? Evex.VPSRAD_I : Evex.VPSLLD_I;
        Evex longs = digit == RIGHT_WITH_SIGN ? Evex.VPSRAQ_I : Evex.VPSLLQ_I;
        code.vector(isLong ? longs : words, digit, target, Operand.register(a), amount);
    }

    private static Making<ShiftEmitter> shift(ScalarType type, int digit) {
        return (in, sources, chunk, made) -> in.shift(type, digit, sources, chunk, made);
    }

    private void shift(ScalarType type, int digit, List<Source> sources, int chunk, int made) {
        if (sources.get(1) instanceof Source.Constant(_, long bits)) {
            int most = digit == RIGHT_WITH_SIGN ? type.bits() - 1 : type.bits();
            int amount = (int) Math.min(bits & 0xffff_ffffL, most);
            int first = values.load(sources.getFirst(), chunk, FIRST);
            shiftBy(isLong(type), digit, made, first, amount);
            return;
        }
        int amounts = widened(isLong(type), sources.get(1), chunk, SECOND);
        int first = values.load(sources.getFirst(), chunk, FIRST);
        shift(isLong(type), digit, made, first, amounts);
    }

    /// Words as elements of a chunk, in the vector that is returned.
    private int widened(boolean isLong, Source words, int chunk, int spare) {
        if (!isLong) {
            return values.load(words, chunk, spare);
        }
        code.vector(Evex.VPMOVZXDQ, spare, 0, values.half(words, chunk, spare));
        return spare;
    }

    /// Two words side by side, shifted by the third operand.
    ///
    /// @param kept which of the first two has the bits that stay
    /// @param clamps whether from 32 on nothing of it stays
    private static Making<ShiftEmitter> funnel(Evex operation, int kept, boolean clamps) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.get(kept), chunk);
            int second = in.values.load(sources.get(1 - kept), chunk, SECOND);
            int amount = in.values.load(sources.get(2), chunk, THIRD);
            in.code.vector(operation, FIRST, second, Operand.register(amount));
            if (clamps) {
                in.code.vector(Evex.VPCMPUD, 5, amount, in.code.word(32), NOT_LESS);
                in.code.vectorWhere(Evex.VMOVDQU32, 5, FIRST, 0, Operand.register(second));
            }
            in.code.vector(Evex.VMOVDQU32, made, 0, Operand.register(FIRST));
        };
    }

    // Fields.

    /// The low bits of words as elements of a chunk.
    private void field(boolean isLong, int target, Source words, int chunk, int bits) {
        int from = widened(isLong, words, chunk, target);
        Operand kept = isLong ? code.longword(bits) : code.word(bits);
        code.vector(isLong ? Evex.VPANDQ : Evex.VPANDD, target, from, kept);
    }

    /// As many ones as the second vector says, shifted to the left by the third, in the fourth.
    private void ones(boolean isLong) {
        Operand all = Operand.register(FOURTH);
        code.vector(Evex.VPTERNLOGD, FOURTH, FOURTH, all, 0xff);
        shift(isLong, LEFT, SECOND, FOURTH, SECOND);
        code.vector(Evex.VPXORD, SECOND, SECOND, all);
        shift(isLong, LEFT, FOURTH, SECOND, THIRD);
    }

    /// Bits of the first operand in the midst of the second.
    private void insert(boolean isLong, List<Source> sources, int chunk, int made) {
        field(isLong, THIRD, sources.get(2), chunk, BYTE);
        field(isLong, SECOND, sources.get(3), chunk, BYTE);
        ones(isLong);
        int first = values.load(sources.getFirst(), chunk, FIRST);
        shift(isLong, LEFT, FIRST, first, THIRD);
        int second = values.load(sources.get(1), chunk, SECOND);
        int whereThirdIsSet = 0xe4;
        Operand field = Operand.register(FOURTH);
        code.vector(Evex.VPTERNLOGD, FIRST, second, field, whereThirdIsSet);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(FIRST));
    }

    /// As many ones as the second operand says, from the place on that the first one says.
    ///
    /// @param bits of both that count
    private static Making<ShiftEmitter> fieldMask(int bits) {
        return (in, sources, chunk, made) -> {
            in.field(false, THIRD, sources.get(0), chunk, bits);
            in.field(false, SECOND, sources.get(1), chunk, bits);
            in.ones(false);
            in.code.vector(Evex.VMOVDQU32, made, 0, Operand.register(FOURTH));
        };
    }

    private static Making<ShiftEmitter> extraction(ScalarType type) {
        return (in, sources, chunk, made) -> {
            if (sources.get(1) instanceof Source.Constant(_, long at)
                    && sources.get(2) instanceof Source.Constant(_, long length)
                    && (length & BYTE) > 0
                    && (at & BYTE) + (length & BYTE) <= type.bits()) {
                int above = type.bits() - (int) (at & BYTE) - (int) (length & BYTE);
                int first = in.values.load(sources.getFirst(), chunk, FIRST);
                in.shiftBy(isLong(type), LEFT, FIRST, first, above);
                int rest = type.bits() - (int) (length & BYTE);
                in.shiftBy(isLong(type), right(type), made, FIRST, rest);
                return;
            }
            in.field(isLong(type), THIRD, sources.get(1), chunk, BYTE);
            in.field(isLong(type), SECOND, sources.get(2), chunk, BYTE);
            int first = in.values.load(sources.getFirst(), chunk, FIRST);
            in.shift(isLong(type), right(type), FIRST, first, THIRD);
            in.extend(type, made);
        };
    }

    /// @param bits of the second operand that count
    private static Making<ShiftEmitter> extension(ScalarType type, int bits) {
        return (in, sources, chunk, made) -> {
            in.field(false, SECOND, sources.get(1), chunk, bits);
            in.values.copy(FIRST, sources.getFirst(), chunk);
            in.extend(type, made);
        };
    }

    /// The low bits of the first vector, as many as the second says, with their sign or zeros.
    private void extend(ScalarType type, int made) {
        boolean isLong = isLong(type);
        Operand width = isLong ? code.longword(type.bits()) : code.word(type.bits());
        code.vector(isLong ? Evex.VPMINUQ : Evex.VPMINUD, SECOND, SECOND, width);
        code.vector(isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD, THIRD, 0, width);
        Evex subtract = isLong ? Evex.VPSUBQ : Evex.VPSUBD;
        code.vector(subtract, SECOND, THIRD, Operand.register(SECOND));
        shift(isLong, LEFT, FIRST, FIRST, SECOND);
        shift(isLong, right(type), made, FIRST, SECOND);
    }

    /// The lower half of a constant.
    static int constant(Source source) {
        return source instanceof Source.Constant(_, long bits) ? (int) bits : 0;
    }
}
