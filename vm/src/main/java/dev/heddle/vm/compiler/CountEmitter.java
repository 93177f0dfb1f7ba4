package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
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
import java.util.function.Consumer;

/// Bits that are counted, above all in longs; sums that saturate, and those of differences and of
/// products of narrow numbers; and what is one where there is nothing.
final class CountEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;
    private static final int FOURTH = WarpValues.FOURTH;

    static final Map<Operation, Making<CountEmitter>> KNOWN = new HashMap<>();

    static {
        if (Assembler.has(Evex.VPOPCNTD)) {
            KNOWN.put(Operation.of(OperationKind.POPC, B64), ofLongs(CountEmitter::population));
        }
        KNOWN.put(Operation.of(OperationKind.CLZ, B64), ofLongs(CountEmitter::leadingZeros));
        KNOWN.put(Making.instruction("cnot.b16", ScalarType.B16, 1), oneIfZero(false));
        KNOWN.put(Making.instruction("cnot.b32", ScalarType.B32, 1), oneIfZero(false));
        KNOWN.put(Making.instruction("cnot.b64", B64, 1), oneIfZero(true));
        KNOWN.put(
                Operation.of(OperationKind.ADD, S32, Modifier.SAT), saturating(Evex.VPADDD, THIRD));
        KNOWN.put(
                Operation.of(OperationKind.SUB, S32, Modifier.SAT), saturating(Evex.VPSUBD, FIRST));
        find(S64, ofLongs(in -> in.findLong(true, false)), ofLongs(in -> in.findLong(true, true)));
        find(
                U64,
                ofLongs(in -> in.findLong(false, false)),
                ofLongs(in -> in.findLong(false, true)));
        find(S32, find(true, false), find(true, true));
        find(U32, find(false, false), find(false, true));
        for (ScalarType narrow : List.of(ScalarType.S16, ScalarType.U16)) {
            sad(narrow, difference(Evex.VPMINSD, Evex.VPMAXSD, Evex.VPSUBD, Evex.VPADDD));
        }
        sad(S32, difference(Evex.VPMINSD, Evex.VPMAXSD, Evex.VPSUBD, Evex.VPADDD));
        sad(U32, difference(Evex.VPMINUD, Evex.VPMAXUD, Evex.VPSUBD, Evex.VPADDD));
        sad(S64, difference(Evex.VPMINSQ, Evex.VPMAXSQ, Evex.VPSUBQ, Evex.VPADDQ));
        sad(U64, difference(Evex.VPMINUQ, Evex.VPMAXUQ, Evex.VPSUBQ, Evex.VPADDQ));
        for (ScalarType a : List.of(S32, U32)) {
            for (ScalarType b : List.of(S32, U32)) {
                String types = "." + a.keyword() + "." + b.keyword();
                products("dp4a" + types, a, b, 8, 0);
                products("dp2a.lo" + types, a, b, 16, 16);
                products("dp2a.hi" + types, a, b, 16, 0);
            }
        }
    }

    private static void find(
            ScalarType type, Making<CountEmitter> place, Making<CountEmitter> amount) {
        List<ScalarType> operands = List.of(type);
        String name = type.keyword();
        KNOWN.put(Operation.instruction("bfind." + name, type, operands, U32), place);
        KNOWN.put(Operation.instruction("bfind.shiftamt." + name, type, operands, U32), amount);
    }

    private static void sad(ScalarType type, Making<CountEmitter> making) {
        KNOWN.put(Making.instruction("sad." + type.keyword(), type, 3), making);
    }

    private final WarpValues values;
    private final Assembler code;

    CountEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    private void shift(boolean isLong, int digit, int target, int a, int amount) {
        Evex words = digit == RIGHT_WITH_SIGN ? Evex.VPSRAD_I : Evex.VPSLLD_I;
        Evex longs = digit == RIGHT_WITH_SIGN ? Evex.VPSRAQ_I : Evex.VPSLLQ_I;
        code.vector(isLong ? longs : words, digit, target, Operand.register(a), amount);
    }

    private void join(Evex operation, int target, int other) {
        code.vector(operation, target, target, Operand.register(other));
    }

    /// `target = 0 - target` of longs.
    private void negate(int target, int spare) {
        code.vector(Evex.VPXORD, spare, spare, Operand.register(spare));
        code.vector(Evex.VPSUBQ, target, spare, Operand.register(target));
    }

    /// A function of longs in vector 1, whose words it leaves in vector 2.
    private static Making<CountEmitter> ofLongs(Consumer<CountEmitter> function) {
        return (in, sources, chunk, made) -> {
            int result = WarpValues.RESULT;
            for (int i = 0; i < 2; i++) {
                in.values.copy(FIRST, sources.getFirst(), 2 * chunk + i);
                function.accept(in);
                Operand part = Operand.register(i == 0 ? result : FOURTH);
                in.code.vector(Evex.VPMOVQD, SECOND, 0, part);
            }
            in.code.vector(Evex.VINSERTI64X4, made, result, Operand.register(FOURTH), 1);
        };
    }

    private void population() {
        code.vector(Evex.VPOPCNTD, SECOND, 0, Operand.register(FIRST));
        shift(true, RIGHT, THIRD, SECOND, 32);
        join(Evex.VPADDQ, SECOND, THIRD);
    }

    /// Those of the upper word, and where it has 32, those of the lower one.
    private void leadingZeros() {
        code.vector(Evex.VPLZCNTD, FIRST, 0, Operand.register(FIRST));
        shift(true, RIGHT, SECOND, FIRST, 32);
        shift(true, RIGHT, THIRD, SECOND, 5);
        negate(THIRD, FOURTH);
        join(Evex.VPANDQ, FIRST, THIRD);
        code.vector(Evex.VPANDQ, FIRST, FIRST, code.longword(0xffff_ffffL));
        join(Evex.VPADDQ, SECOND, FIRST);
    }

    /// @param amount whether the shift is wanted that brings the bit to the top
    private void findLong(boolean signed, boolean amount) {
        if (signed) {
            shift(true, RIGHT_WITH_SIGN, THIRD, FIRST, 63);
            join(Evex.VPXORQ, FIRST, THIRD);
        }
        leadingZeros();
        if (amount) {
            shift(true, RIGHT, THIRD, SECOND, 6);
            negate(THIRD, FOURTH);
            join(Evex.VPORQ, SECOND, THIRD);
        } else {
            code.vector(Evex.VPBROADCASTQ, THIRD, 0, code.longword(63));
            code.vector(Evex.VPSUBQ, SECOND, THIRD, Operand.register(SECOND));
        }
    }

    private static Making<CountEmitter> find(boolean signed, boolean amount) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.getFirst(), chunk);
            if (signed) {
                in.shift(false, RIGHT_WITH_SIGN, SECOND, FIRST, 31);
                in.join(Evex.VPXORD, FIRST, SECOND);
            }
            in.code.vector(Evex.VPLZCNTD, FIRST, 0, Operand.register(FIRST));
            int other = amount ? 0 : 31;
            in.code.vector(Evex.VPBROADCASTD, SECOND, 0, in.code.word(other));
            if (amount) {
                in.shift(false, RIGHT, THIRD, FIRST, 5);
                in.join(Evex.VPSUBD, SECOND, THIRD);
                in.code.vector(Evex.VPORD, made, FIRST, Operand.register(SECOND));
            } else {
                in.code.vector(Evex.VPSUBD, made, SECOND, Operand.register(FIRST));
            }
        };
    }

    private static Making<CountEmitter> difference(Evex less, Evex more, Evex subtract, Evex add) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.get(0), chunk);
            in.values.copy(SECOND, sources.get(1), chunk);
            in.code.vector(more, THIRD, FIRST, Operand.register(SECOND));
            in.join(less, FIRST, SECOND);
            in.join(subtract, THIRD, FIRST);
            in.code.vector(add, made, THIRD, in.values.operand(sources.get(2), chunk));
        };
    }

    /// Products of numbers of the first operand and bytes of the second, added to the third.
    ///
    /// @param width of a number, in bits
    /// @param above bits above the byte that belongs to the uppermost number
    private static void products(String name, ScalarType a, ScalarType b, int width, int above) {
        KNOWN.put(
                Making.instruction(name, b, 3),
                (in, sources, chunk, made) -> {
                    in.values.copy(THIRD, sources.get(2), chunk);
                    for (int i = 0; i < Integer.SIZE / width; i++) {
                        in.part(FIRST, sources.get(0), chunk, width * i, width, a == S32);
                        in.part(SECOND, sources.get(1), chunk, above + 8 * i, 8, b == S32);
                        in.join(Evex.VPMULLD, FIRST, SECOND);
                        in.join(Evex.VPADDD, THIRD, FIRST);
                    }
                    in.code.vector(Evex.VMOVDQU32, made, 0, Operand.register(THIRD));
                });
    }

    /// The number of each word that has so many bits above it.
    private void part(int target, Source a, int chunk, int above, int width, boolean signed) {
        int from = values.load(a, chunk, target);
        shift(false, LEFT, target, from, above);
        int right = signed ? RIGHT_WITH_SIGN : RIGHT;
        shift(false, right, target, target, Integer.SIZE - width);
    }

    private static Making<CountEmitter> oneIfZero(boolean isLong) {
        return (in, sources, chunk, made) -> {
            Assembler code = in.code;
            int first = in.values.load(sources.getFirst(), chunk, FIRST);
            Evex test = isLong ? Evex.VPTESTNMQ : Evex.VPTESTNMD;
            code.vector(test, 5, first, Operand.register(first));
            Operand one = isLong ? code.longword(1) : code.word(1);
            Evex broadcast = isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD;
            code.vector(broadcast, made, 0, one, 5, true, -1);
        };
    }

    /// A sum or difference of words. Where it is beyond the range, both it and an operand differ in
    /// sign from the first one: it is the nearest to what that is.
    ///
    /// @param agrees which of the sum and the first operand the second must agree with in sign
    private static Making<CountEmitter> saturating(Evex operation, int agrees) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.get(0), chunk);
            in.values.copy(SECOND, sources.get(1), chunk);
            in.code.vector(operation, THIRD, FIRST, Operand.register(SECOND));
            in.code.vector(Evex.VPXORD, FOURTH, FIRST, Operand.register(THIRD));
            in.join(Evex.VPXORD, SECOND, agrees);
            in.join(Evex.VPANDD, SECOND, FOURTH);
            in.code.vector(Evex.VPCMPD, 5, SECOND, in.code.word(0), LESS);
            in.shift(false, RIGHT_WITH_SIGN, FIRST, FIRST, 31);
            in.code.vector(Evex.VPXORD, FIRST, FIRST, in.code.word(Integer.MAX_VALUE));
            in.code.vectorWhere(Evex.VMOVDQU32, 5, THIRD, 0, Operand.register(FIRST));
            in.code.vector(Evex.VMOVDQU32, made, 0, Operand.register(THIRD));
        };
    }
}
