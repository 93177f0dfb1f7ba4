package dev.heddle.vm.compiler;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Comparisons, logic of predicates and what predicates choose, as machine code.
record PredicateEmitter(WarpValues values, Assembler code) {
    PredicateEmitter(WarpValues values) {
        this(values, values.code);
    }

    /// Whether an operation with predicates is known here.
    static boolean knows(Operation operation) {
        return operation.type() == ScalarType.PRED
                ? isLogic(operation.kind())
                : isChoice(operation) || comparison(operation) >= 0 || classOf(operation) != null;
    }

    private static boolean isLogic(OperationKind kind) {
        return switch (kind) {
            case AND, OR, XOR, NOT, MOV -> true;
            default -> false;
        };
    }

    private static boolean isChoice(Operation operation) {
        return switch (operation.kind()) {
            case SELP -> operation.type() == ScalarType.B32 || operation.type() == ScalarType.B64;
            case ONES -> operation.type() == ScalarType.B32;
            case ONE -> true;
            default -> false;
        };
    }

    /// The constant by which compare instructions know what is asked, or -1.
    private static int comparison(Operation operation) {
        if (!operation.modifiers().isEmpty()) {
            return -1;
        }
        return switch (operation.type()) {
            case F32, F64 -> ofFloats(operation.kind());
            case B32, S32, U32, B64, S64, U64 -> ofIntegers(operation.kind());
            default -> -1;
        };
    }

    private static int ofIntegers(OperationKind kind) {
        return switch (kind) {
            case EQ -> 0;
            case LT -> 1;
            case LE -> 2;
            case NE -> 4;
            case GE -> 5;
            case GT -> 6;
            default -> -1;
        };
    }

    /// Those that say nothing of NaNs without a signal.
    private static int ofFloats(OperationKind kind) {
        return switch (kind) {
            case EQ -> 0;
            case LT -> 0x11;
            case LE -> 0x12;
            case NAN -> 3;
            case NEU -> 4;
            case NUM -> 7;
            case EQU -> 8;
            case NE -> 0x0c;
            case GE -> 0x1d;
            case GT -> 0x1e;
            case GEU -> 0x15;
            case GTU -> 0x16;
            case LTU -> 0x19;
            case LEU -> 0x1a;
            default -> -1;
        };
    }

    /// Emits a step.
    void emit(Step.Compute step) {
        Operation operation = step.operation();
        if (operation.type() == ScalarType.PRED) {
            logic(step);
        } else if (isChoice(operation)) {
            select(step);
        } else {
            compare(step);
        }
    }

    /// What `testp` asks for of a number without its sign, as an integer.
    ///
    /// @param from the least
    /// @param to behind the greatest
    private record Range(long from, long to) {}

    /// Zeros are normal, and are looked at as the least normal number.
    private static @Nullable Range classOf(Operation operation) {
        if (operation.kind() != OperationKind.INSTRUCTION
                || operation.result() != Carrier.BOOLEAN) {
            return null;
        }
        FloatFormat format = FloatFormat.valueOf(operation.type().name());
        long infinity = format.infinity();
        return switch (operation.toString().split("\\.")[1]) {
            case "finite" -> new Range(0, infinity);
            case "infinite" -> new Range(infinity, infinity + 1);
            case "number" -> new Range(0, infinity + 1);
            case "notanumber" -> new Range(infinity + 1, 1L << format.bits() - 1);
            case "subnormal" -> new Range(1, format.minNormal());
            case "normal" -> new Range(format.minNormal(), infinity);
            default -> null;
        };
    }

    private void test(Range range, Step.Compute step, int chunk, int mask) {
        int first = WarpValues.FIRST;
        int second = WarpValues.SECOND;
        boolean isLong = step.operation().parameters().getFirst() == Carrier.DOUBLE;
        Evex and = isLong ? Evex.VPANDQ : Evex.VPANDD;
        Evex subtract = isLong ? Evex.VPSUBQ : Evex.VPSUBD;
        values.copy(first, step.arguments().getFirst(), chunk);
        code.vector(
                and, first, first, constant(isLong, isLong ? Long.MAX_VALUE : Integer.MAX_VALUE));
        Evex broadcast = isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD;
        if (step.operation().toString().startsWith("testp.normal")) {
            code.vector(
                    isLong ? Evex.VPTESTNMQ : Evex.VPTESTNMD, mask, first, Operand.register(first));
            code.vectorWhere(broadcast, mask, first, 0, constant(isLong, range.from));
        }
        code.vector(broadcast, second, 0, constant(isLong, range.from));
        code.vector(subtract, first, first, Operand.register(second));
        Operand size = constant(isLong, range.to - range.from);
        code.vector(isLong ? Evex.VPCMPUQ : Evex.VPCMPUD, mask, first, size, Assembler.LESS);
    }

    private Operand constant(boolean isLong, long bits) {
        return isLong ? code.longword(bits) : code.word((int) bits);
    }

    private void logic(Step.Compute step) {
        List<Source> sources = step.arguments();
        if (sources.size() > 1) {
            values.lanes(sources.get(1));
            code.move(Assembler.R13, Operand.register(Assembler.RAX));
        }
        values.lanes(sources.getFirst());
        Operand other = Operand.register(Assembler.R13);
        switch (step.operation().kind()) {
            case AND -> code.arithmetic(Arithmetic.AND, Assembler.RAX, other);
            case OR -> code.arithmetic(Arithmetic.OR, Assembler.RAX, other);
            case XOR -> code.arithmetic(Arithmetic.XOR, Assembler.RAX, other);
            case NOT -> code.not(Assembler.RAX);
            default -> {}
        }
        values.mergePredicate(step.target(), step.guard());
    }

    private void compare(Step.Compute step) {
        Operation operation = step.operation();
        Range range = classOf(operation);
        if (range != null) {
            ask(step, (chunk, mask) -> test(range, step, chunk, mask));
            return;
        }
        int constant = comparison(operation);
        Carrier carrier = operation.parameters().getFirst();
        boolean unsigned = operation.type().kind() == ScalarType.Kind.UNSIGNED;
        Evex instruction =
                switch (carrier) {
                    case FLOAT -> Evex.VCMPPS;
                    case DOUBLE -> Evex.VCMPPD;
                    case INT -> unsigned ? Evex.VPCMPUD : Evex.VPCMPD;
                    default -> unsigned ? Evex.VPCMPUQ : Evex.VPCMPQ;
                };
        ask(step, (chunk, mask) -> compare(instruction, step, chunk, mask, constant));
    }

    private void ask(Step.Compute step, WarpValues.Question question) {
        values.ask(step.operation().parameters().getFirst().width(), question);
        values.keepPredicate(step.target(), step.guard(), 5);
    }

    private void compare(Evex instruction, Step.Compute step, int chunk, int mask, int constant) {
        int first = values.load(step.arguments().getFirst(), chunk, WarpValues.FIRST);
        code.vector(
                instruction, mask, first, values.operand(step.arguments().get(1), chunk), constant);
    }

    /// 1.0 in the type of an operation.
    private static long one(Operation operation) {
        FloatFormat format = FloatFormat.valueOf(operation.type().name());
        return format.encode(1.0, Rounding.NEAREST_EVEN, Overflow.IEEE);
    }

    /// Emits a step that chooses by a predicate.
    private void select(Step.Compute step) {
        values.guard(step.guard());
        boolean ones = step.operation().kind() == OperationKind.ONES;
        Register target = step.target();
        boolean isLong = target.width() == Width.LONG;
        for (int chunk = 0; chunk < WarpValues.chunks(target.width()); chunk++) {
            int made = values.result(target, chunk, step.guard());
            values.lanes(step.arguments().getFirst());
            code.maskFrom(5, Assembler.RAX);
            if (chunk > 0) {
                code.maskShiftRight(5, 5, (isLong ? 8 : 16) * chunk);
            }
            if (ones) {
                code.vector(Evex.VPMOVM2D, made, 0, Operand.register(5));
            } else if (step.operation().kind() == OperationKind.ONE) {
                Operand one = code.word((int) one(step.operation()));
                code.vector(Evex.VPBROADCASTD, made, 0, one, 5, true, -1);
            } else {
                int otherwise = values.load(step.arguments().get(2), chunk, WarpValues.FIRST);
                code.vectorWhere(
                        isLong ? Evex.VPBLENDMQ : Evex.VPBLENDMD,
                        5,
                        made,
                        otherwise,
                        values.operand(step.arguments().get(1), chunk));
            }
            values.keep(target, chunk, step.guard(), made);
        }
    }
}
