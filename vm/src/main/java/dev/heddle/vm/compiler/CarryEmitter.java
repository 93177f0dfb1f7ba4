package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LESS;

import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;

import java.util.List;

/// Sums with a carry, which is a word, and the carry that they leave: numbers of many words are
/// made of these.
record CarryEmitter(WarpValues values, Assembler code) {

    CarryEmitter(WarpValues values) {
        this(values, values.code);
    }

    /// Whether an operation is known here.
    static boolean knows(Operation operation) {
        return switch (operation.kind()) {
            case ADDC, CARRY ->
                    operation.type() == ScalarType.B32 || operation.type() == ScalarType.B64;
            default -> false;
        };
    }

    /// Makes a chunk of a result.
    void emit(Operation operation, List<Source> sources, int chunk, int made) {
        boolean isLong = operation.type() == ScalarType.B64;
        if (operation.kind() == OperationKind.ADDC) {
            int sum = WarpValues.SECOND;
            addends(sources, chunk, isLong, sum);
            withCarry(sources.get(2), chunk, isLong, sum, made);
        } else if (isLong) {
            for (int i = 0; i < 2; i++) {
                carry(sources, 2 * chunk + i, true);
                int ones = WarpValues.SECOND;
                code.vector(Evex.VPBROADCASTQ, ones, 0, code.longword(1), 5, true, -1);
                int part = i == 0 ? WarpValues.RESULT : WarpValues.FOURTH;
                code.vector(Evex.VPMOVQD, ones, 0, Operand.register(part));
            }
            Operand upper = Operand.register(WarpValues.FOURTH);
            code.vector(Evex.VINSERTI64X4, made, WarpValues.RESULT, upper, 1);
        } else {
            carry(sources, chunk, false);
            code.vector(Evex.VPBROADCASTD, made, 0, code.word(1), 5, true, -1);
        }
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
        Operand last;
        if (!isLong) {
            last = values.operand(carry, chunk);
        } else if (carry instanceof Register register) {
            Operand words = values.half(register, chunk, WarpValues.THIRD);
            code.vector(Evex.VPMOVZXDQ, WarpValues.THIRD, 0, words);
            last = Operand.register(WarpValues.THIRD);
        } else {
            last = code.longword(ShiftEmitter.constant(carry));
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
