package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.tensorcore.x86.Assembler.LESS;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.List;
import java.util.Map;

/// Sums with a carry, which is a word, and the carry that they leave: numbers of many words are
/// made of these.
record CarryEmitter(WarpValues values, Assembler code) {
    static final Map<Operation, Making<CarryEmitter>> KNOWN =
            Map.of(
                    Operation.of(OperationKind.ADDC, B32),
                    sum(false),
                    Operation.of(OperationKind.ADDC, B64),
                    sum(true),
                    Operation.of(OperationKind.CARRY, B32),
                    CarryEmitter::carryOfWords,
                    Operation.of(OperationKind.CARRY, B64),
                    CarryEmitter::carryOfLongs);

    CarryEmitter(WarpValues values) {
        this(values, values.code);
    }

    private static Making<CarryEmitter> sum(boolean isLong) {
        return (in, sources, chunk, made) -> {
            int sum = WarpValues.SECOND;
            in.addends(sources, chunk, isLong, sum);
            in.withCarry(sources.get(2), chunk, isLong, sum, made);
        };
    }

    private void carryOfWords(List<Source> sources, int chunk, int made) {
        carry(sources, chunk, false);
        code.vector(Evex.VPBROADCASTD, made, 0, code.word(1), 5, true, -1);
    }

    private void carryOfLongs(List<Source> sources, int chunk, int made) {
        for (int i = 0; i < 2; i++) {
            carry(sources, 2 * chunk + i, true);
            int ones = WarpValues.SECOND;
            code.vector(Evex.VPBROADCASTQ, ones, 0, code.longword(1), 5, true, -1);
            int part = i == 0 ? WarpValues.RESULT : WarpValues.FOURTH;
            code.vector(Evex.VPMOVQD, ones, 0, Operand.register(part));
        }
        Operand upper = Operand.register(WarpValues.FOURTH);
        code.vector(Evex.VINSERTI64X4, made, WarpValues.RESULT, upper, 1);
    }

    /// The first addend is in a vector, which is returned; the sum of both goes to another.
    private int addends(List<Source> sources, int chunk, boolean isLong, int sum) {
        int first = values.load(sources.get(0), chunk, WarpValues.FIRST);
        Operand second = values.operand(sources.get(1), chunk);
        code.vector(isLong ? Evex.VPADDQ : Evex.VPADDD, sum, first, second);
        return first;
    }

    private void withCarry(Source carry, int chunk, boolean isLong, int sum, int target) {
        Evex add = isLong ? Evex.VPADDQ : Evex.VPADDD;
        Operand last = Operand.register(WarpValues.THIRD);
        if (isLong) {
            Operand words = values.half(carry, chunk, WarpValues.THIRD);
            code.vector(Evex.VPMOVZXDQ, WarpValues.THIRD, 0, words);
        } else {
            last = values.operand(carry, chunk);
        }
        code.vector(add, target, sum, last);
    }

    /// Leaves in mask register 5 where a sum has wrapped: it is less than an addend then, with the
    /// carry or before.
    private void carry(List<Source> sources, int chunk, boolean isLong) {
        int sum = WarpValues.SECOND;
        int whole = WarpValues.THIRD;
        Evex compare = isLong ? Evex.VPCMPUQ : Evex.VPCMPUD;
        int first = addends(sources, chunk, isLong, sum);
        code.vector(compare, 5, sum, Operand.register(first), LESS);
        withCarry(sources.get(2), chunk, isLong, sum, whole);
        code.vector(compare, 6, whole, Operand.register(sum), LESS);
        code.mask(MaskOperation.KORW, 5, 5, 6);
    }
}
