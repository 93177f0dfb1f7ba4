package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.PRED;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.FTZ;
import static dev.heddle.vm.ir.OperationKind.GE;
import static dev.heddle.vm.ir.OperationKind.GT;
import static dev.heddle.vm.ir.OperationKind.LE;
import static dev.heddle.vm.ir.OperationKind.LT;
import static dev.heddle.vm.ir.OperationKind.NOT;
import static dev.heddle.vm.ir.OperationKind.ONE;
import static dev.heddle.vm.ir.OperationKind.ONES;
import static dev.heddle.vm.ir.OperationKind.OR;
import static dev.heddle.vm.ir.OperationKind.SELP;
import static dev.heddle.vm.ir.OperationKind.XOR;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.Locale;

/// `set setp selp slct`, PTX ISA 9.7.6 and 9.7.7.
record ComparisonLowering(CodeBuilder builder) {
    private static final String[] WORDS = {
        "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu",
        "gtu", "geu", "num", "nan"
    };

    void setPredicate(BoundInstruction form) {
        ScalarType type = form.type();
        if (type == ScalarType.F16X2 || type == ScalarType.BF16X2) {
            setPackedPredicates(form, type);
            return;
        }
        Source condition = compare(form, type, read(form, 1, type), read(form, 2, type));
        if (form.operand(0) instanceof Operand.Pair(Operand first, Operand second, _)) {
            Source p = combined(form, condition);
            Source q = combined(form, builder.compute(NOT, PRED, condition));
            builder.write(first, p, PRED);
            builder.write(second, q, PRED);
        } else {
            builder.write(form.operand(0), combined(form, condition), PRED);
        }
    }

    private void setPackedPredicates(BoundInstruction form, ScalarType type) {
        ScalarType half = WorkingTypes.half(type);
        Source a = builder.read(form.operand(1), type);
        Source b = builder.read(form.operand(2), type);
        Source low = combined(form, compare(form, half, builder.lowHalf(a), builder.lowHalf(b)));
        Source high = combined(form, compare(form, half, builder.highHalf(a), builder.highHalf(b)));
        if (form.operand(0) instanceof Operand.Pair(Operand first, Operand second, _)) {
            builder.write(first, low, PRED);
            builder.write(second, high, PRED);
        } else {
            // The assembler takes one destination, too: the first of the two.
            builder.write(form.operand(0), low, PRED);
        }
    }

    void set(BoundInstruction form) {
        ScalarType result = form.type(0);
        ScalarType type = form.type(1);
        if (type == ScalarType.F16X2 || type == ScalarType.BF16X2) {
            ScalarType half = WorkingTypes.half(type);
            Source a = builder.read(form.operand(1), type);
            Source b = builder.read(form.operand(2), type);
            Source low = value(form, half, builder.lowHalf(a), builder.lowHalf(b), result);
            Source high = value(form, half, builder.highHalf(a), builder.highHalf(b), result);
            builder.write(form.operand(0), builder.pairHalves(low, high), B32);
            return;
        }
        Source condition =
                combined(form, compare(form, type, read(form, 1, type), read(form, 2, type)));
        builder.write(form.operand(0), value(condition, result, result), result);
    }

    private Source value(
            BoundInstruction form, ScalarType half, Source a, Source b, ScalarType result) {
        return value(combined(form, compare(form, half, a, b)), half, result);
    }

    private Source value(Source condition, ScalarType element, ScalarType result) {
        ScalarType type = WorkingTypes.half(result);
        if (FloatLowering.isFloat(type)) {
            return builder.compute(ONE, type, condition);
        }
        Source ones = builder.compute(ONES, B32, condition);
        return element.bits() == 16 ? builder.lowHalf(ones) : ones;
    }

    private Source read(BoundInstruction form, int index, ScalarType type) {
        Source value = builder.read(form.operand(index), type);
        return type == ScalarType.S16 ? builder.narrow(value, 16, true) : value;
    }

    /// The Boolean operator with operand c, where the instruction has one.
    private Source combined(BoundInstruction form, Source condition) {
        if (form.operands().size() < 4) {
            return condition;
        }
        OperationKind kind =
                switch (form.oneOf("and", "or", "xor")) {
                    case "and" -> AND;
                    case "or" -> OR;
                    default -> XOR;
                };
        return builder.compute(kind, PRED, condition, builder.read(form.operand(3), PRED));
    }

    private Source compare(BoundInstruction form, ScalarType type, Source a, Source b) {
        String word = form.oneOf(WORDS);
        Source x = form.has("ftz") ? builder.compute(FTZ, type, a) : a;
        Source y = form.has("ftz") ? builder.compute(FTZ, type, b) : b;
        return switch (type) {
            case F16, BF16 -> {
                Operation widen = Operation.convert(F32, type);
                yield builder.compute(
                        kind(word), F32, builder.compute(widen, x), builder.compute(widen, y));
            }
            case F32, F64 -> builder.compute(kind(word), type, x, y);
            default -> builder.compute(kind(word), working(word, type), x, y);
        };
    }

    /// `lo ls hi hs` compare without signs, whatever the type; for equality there are none.
    static ScalarType working(String word, ScalarType type) {
        return switch (word) {
            case "eq", "ne" -> WorkingTypes.bits(type);
            case "lo", "ls", "hi", "hs" -> type.bits() == 64 ? U64 : U32;
            default -> WorkingTypes.integer(type);
        };
    }

    static OperationKind kind(String word) {
        return switch (word) {
            case "lo" -> LT;
            case "ls" -> LE;
            case "hi" -> GT;
            case "hs" -> GE;
            default -> OperationKind.valueOf(word.toUpperCase(Locale.ROOT));
        };
    }

    void select(BoundInstruction form) {
        ScalarType type = form.type();
        select(form, builder.read(form.operand(3), PRED), type);
    }

    private void select(BoundInstruction form, Source condition, ScalarType type) {
        Source a = builder.read(form.operand(1), type);
        Source b = builder.read(form.operand(2), type);
        Source selected = builder.compute(SELP, WorkingTypes.bits(type), condition, a, b);
        builder.write(form.operand(0), selected, type);
    }

    /// `slct`: by the sign of the third operand; NaN selects the second, -0 the first.
    void selectBySign(BoundInstruction form) {
        ScalarType type = form.type(0);
        Source c = builder.read(form.operand(3), form.type(1));
        Source condition;
        if (form.type(1) == ScalarType.F32) {
            Source flushed = form.has("ftz") ? builder.compute(FTZ, F32, c) : c;
            condition = builder.compute(GE, F32, flushed, Source.word(0));
        } else {
            condition = builder.compute(GE, S32, c, Source.word(0));
        }
        select(form, condition, type);
    }
}
