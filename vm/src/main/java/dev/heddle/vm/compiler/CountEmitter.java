package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/// Bits that are counted, above all in longs; and sums of differences and of products of bytes.
final class CountEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;
    private static final int FOURTH = WarpValues.FOURTH;

    /// By what an operation is called: most are instructions without a kind of their own.
    private static final Map<String, Making<CountEmitter>> KNOWN = new HashMap<>();

    static {
        if (Assembler.has(Evex.VPOPCNTD)) {
            KNOWN.put("popc.b64", ofLongs(CountEmitter::population));
        }
        KNOWN.put("clz.b64", ofLongs(CountEmitter::leadingZeros));
        for (String type : new String[] {"s64", "u64"}) {
            boolean signed = type.startsWith("s");
            KNOWN.put("bfind." + type, ofLongs(in -> in.findLong(signed, false)));
            KNOWN.put("bfind.shiftamt." + type, ofLongs(in -> in.findLong(signed, true)));
        }
        KNOWN.put("bfind.s32", find(true, false));
        KNOWN.put("bfind.u32", find(false, false));
        KNOWN.put("bfind.shiftamt.s32", find(true, true));
        KNOWN.put("sad.s32", difference(Evex.VPMINSD, Evex.VPMAXSD, Evex.VPSUBD, Evex.VPADDD));
        KNOWN.put("sad.u32", difference(Evex.VPMINUD, Evex.VPMAXUD, Evex.VPSUBD, Evex.VPADDD));
        KNOWN.put("sad.s64", difference(Evex.VPMINSQ, Evex.VPMAXSQ, Evex.VPSUBQ, Evex.VPADDQ));
        KNOWN.put("sad.u64", difference(Evex.VPMINUQ, Evex.VPMAXUQ, Evex.VPSUBQ, Evex.VPADDQ));
        for (String a : new String[] {"s32", "u32"}) {
            for (String b : new String[] {"s32", "u32"}) {
                KNOWN.put("dp4a." + a + "." + b, products(a.equals("s32"), b.equals("s32")));
            }
        }
    }

    private final WarpValues values;
    private final Assembler code;

    CountEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether an operation is known here.
    static boolean knows(Operation operation) {
        return switch (operation.kind()) {
            case INSTRUCTION, POPC, CLZ -> KNOWN.containsKey(operation.toString());
            default -> false;
        };
    }

    /// Makes a chunk of a result.
    void emit(Operation operation, List<Source> sources, int chunk, int made) {
        Objects.requireNonNull(KNOWN.get(operation.toString())).emit(this, sources, chunk, made);
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

    /// Four products of bytes, added to the third operand.
    private static Making<CountEmitter> products(boolean firstSigned, boolean secondSigned) {
        return (in, sources, chunk, made) -> {
            in.values.copy(THIRD, sources.get(2), chunk);
            for (int above = 24; above >= 0; above -= 8) {
                in.bytes(FIRST, sources.get(0), chunk, above, firstSigned);
                in.bytes(SECOND, sources.get(1), chunk, above, secondSigned);
                in.join(Evex.VPMULLD, FIRST, SECOND);
                in.join(Evex.VPADDD, THIRD, FIRST);
            }
            in.code.vector(Evex.VMOVDQU32, made, 0, Operand.register(THIRD));
        };
    }

    /// The byte of each word that has so many bits above it.
    private void bytes(int target, Source a, int chunk, int above, boolean signed) {
        int from = values.load(a, chunk, target);
        shift(false, LEFT, target, from, above);
        shift(false, signed ? RIGHT_WITH_SIGN : RIGHT, target, target, 24);
    }
}
