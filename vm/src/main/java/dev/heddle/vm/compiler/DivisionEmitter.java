package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U64;

import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Quotients and remainders of longs: vectors have none, so that lanes go one by one, behind the
/// stack pointer.
record DivisionEmitter(WarpValues values, Assembler code) {
    private static final int DIVIDEND = Assembler.RAX;
    private static final int REMAINDER = Assembler.RDX;
    private static final int DIVISOR = Assembler.RBP;
    private static final int AT = Assembler.R13;
    private static final int KEPT = Assembler.R14;

    /// Longs of a vector.
    private static final int LANES = 8;

    /// What signal handlers leave alone below the stack pointer: two vectors.
    private static final int DIVIDENDS = -128;
    private static final int DIVISORS = -64;

    static final Map<Operation, Making<DivisionEmitter>> KNOWN = new HashMap<>();

    static {
        for (ScalarType type : List.of(S64, U64)) {
            for (OperationKind kind : List.of(OperationKind.DIV, OperationKind.REM)) {
                KNOWN.put(
                        Operation.of(kind, type),
                        (in, sources, chunk, made) ->
                                in.divide(type == S64, kind, sources, chunk, made));
            }
        }
    }

    DivisionEmitter(WarpValues values) {
        this(values, values.code);
    }

    private void divide(
            boolean signed, OperationKind kind, List<Source> sources, int chunk, int made) {
        store(sources.get(0), chunk, DIVIDENDS);
        store(sources.get(1), chunk, DIVISORS);
        code.moveLong(KEPT, Operand.register(REMAINDER));
        code.moveConstant(AT, LANES - 1);
        Label next = new Label();
        code.bind(next);
        code.loadAt(true, DIVIDEND, Assembler.RSP, AT, DIVIDENDS);
        code.loadAt(true, DIVISOR, Assembler.RSP, AT, DIVISORS);
        quotient(signed);
        int result = kind == OperationKind.DIV ? DIVIDEND : REMAINDER;
        code.storeAt(result, Assembler.RSP, AT, DIVIDENDS);
        code.arithmetic(Arithmetic.SUB, Operand.register(AT), 1);
        code.jump(Condition.ABOVE_OR_EQUAL, next);
        code.moveLong(REMAINDER, Operand.register(KEPT));
        code.vector(Evex.VMOVDQU64, made, 0, Operand.at(Assembler.RSP, DIVIDENDS));
    }

    private void store(Source source, int chunk, int place) {
        int from = values.load(source, chunk, WarpValues.FIRST);
        code.vector(Evex.VMOVDQU64_STORE, from, 0, Operand.at(Assembler.RSP, place));
    }

    /// What is divided by zero has all bits set; by -1, it is negated: the quotient of the least
    /// number would be beyond the range.
    private void quotient(boolean signed) {
        Label done = new Label();
        Label other = new Label();
        Label divide = new Label();
        code.testLong(DIVISOR, DIVISOR);
        code.jump(Condition.NOT_EQUAL, other);
        code.arithmeticLong(Arithmetic.OR, DIVIDEND, -1);
        code.arithmeticLong(Arithmetic.OR, REMAINDER, -1);
        code.jump(done);
        code.bind(other);
        if (signed) {
            code.arithmeticLong(Arithmetic.CMP, DIVISOR, -1);
            code.jump(Condition.NOT_EQUAL, divide);
            code.arithmeticLong(Arithmetic.XOR, DIVIDEND, -1);
            code.arithmeticLong(Arithmetic.SUB, DIVIDEND, -1);
            code.arithmetic(Arithmetic.XOR, REMAINDER, Operand.register(REMAINDER));
            code.jump(done);
        }
        code.bind(divide);
        code.divideLong(DIVISOR, signed);
        code.bind(done);
    }
}
