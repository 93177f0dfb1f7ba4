package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Source;

import org.jspecify.annotations.Nullable;

/// `set setp selp slct`, PTX ISA 9.7.6 and 9.7.7.
final class ComparisonLowering {
    private static final String[] OPERATORS = {
        "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu",
        "gtu", "geu", "num", "nan"
    };

    private final CodeBuilder builder;

    ComparisonLowering(CodeBuilder builder) {
        this.builder = builder;
    }

    void setPredicate(BoundInstruction form) {
        ScalarType type = form.type();
        if (type == ScalarType.F16X2 || type == ScalarType.BF16X2) {
            setPackedPredicates(form, type);
            return;
        }
        Source condition = compare(form, type, read(form, 1, type), read(form, 2, type));
        if (form.operand(0) instanceof Operand.Pair(Operand first, Operand second, _)) {
            Source p = combined(form, condition);
            Source q = combined(form, builder.compute("notPredicate", condition));
            builder.write(first, p, ScalarType.PRED);
            builder.write(second, q, ScalarType.PRED);
        } else {
            builder.write(form.operand(0), combined(form, condition), ScalarType.PRED);
        }
    }

    private void setPackedPredicates(BoundInstruction form, ScalarType type) {
        ScalarType half = type == ScalarType.F16X2 ? ScalarType.F16 : ScalarType.BF16;
        Source a = builder.read(form.operand(1), type);
        Source b = builder.read(form.operand(2), type);
        Source low = combined(form, compareHalves(form, half, a, b, "zeroExtend16"));
        Source high = combined(form, compareHalves(form, half, a, b, "highHalf"));
        if (form.operand(0) instanceof Operand.Pair(Operand first, Operand second, _)) {
            builder.write(first, low, ScalarType.PRED);
            builder.write(second, high, ScalarType.PRED);
        } else {
            // The assembler takes one destination, too: the first of the two.
            builder.write(form.operand(0), low, ScalarType.PRED);
        }
    }

    private Source compareHalves(
            BoundInstruction form, ScalarType half, Source a, Source b, String part) {
        return compare(form, half, builder.compute(part, a), builder.compute(part, b));
    }

    void set(BoundInstruction form) {
        ScalarType result = form.type(0);
        ScalarType type = form.type(1);
        if (type == ScalarType.F16X2 || type == ScalarType.BF16X2) {
            ScalarType half = type == ScalarType.F16X2 ? ScalarType.F16 : ScalarType.BF16;
            Source a = builder.read(form.operand(1), type);
            Source b = builder.read(form.operand(2), type);
            Source low =
                    value(
                            combined(form, compareHalves(form, half, a, b, "zeroExtend16")),
                            half,
                            result);
            Source high =
                    value(
                            combined(form, compareHalves(form, half, a, b, "highHalf")),
                            half,
                            result);
            builder.write(
                    form.operand(0), builder.compute("pairHalves", low, high), ScalarType.B32);
            return;
        }
        Source condition =
                combined(form, compare(form, type, read(form, 1, type), read(form, 2, type)));
        builder.write(form.operand(0), value(condition, result, result), result);
    }

    private Source value(Source condition, ScalarType element, ScalarType result) {
        String method =
                switch (result) {
                    case F32 -> "oneWhere";
                    case F16, F16X2 -> "oneWhereF16";
                    case BF16, BF16X2 -> "oneWhereBf16";
                    default -> "onesWhere";
                };
        Source value = builder.compute(method, condition);
        return element.bits() == 16 && method.equals("onesWhere")
                ? builder.compute("zeroExtend16", value)
                : value;
    }

    private Source read(BoundInstruction form, int index, ScalarType type) {
        Source value = builder.read(form.operand(index), type);
        return type == ScalarType.S16 ? builder.compute("signExtend16", value) : value;
    }

    /// The Boolean operator with operand c, where the instruction has one.
    private Source combined(BoundInstruction form, Source condition) {
        String operator = booleanOperator(form);
        return operator == null
                ? condition
                : builder.compute(
                        operator + "Predicate",
                        condition,
                        builder.read(form.operand(3), ScalarType.PRED));
    }

    private static @Nullable String booleanOperator(BoundInstruction form) {
        if (form.operands().size() < 4) {
            return null;
        }
        return form.oneOf("and", "or", "xor");
    }

    private Source compare(BoundInstruction form, ScalarType type, Source a, Source b) {
        String operator = form.oneOf(OPERATORS);
        return switch (type) {
            case F16, BF16 -> {
                String widen = type == ScalarType.F16 ? "f32FromF16" : "f32FromBf16";
                String flush = type == ScalarType.F16 ? "flushF16" : "flushBf16";
                Source x = form.has("ftz") ? builder.compute(flush, a) : a;
                Source y = form.has("ftz") ? builder.compute(flush, b) : b;
                yield builder.compute(
                        floating(operator) + "F32",
                        builder.compute(widen, x),
                        builder.compute(widen, y));
            }
            case F32 -> {
                Source x = form.has("ftz") ? builder.compute("flushF32", a) : a;
                Source y = form.has("ftz") ? builder.compute("flushF32", b) : b;
                yield builder.compute(floating(operator) + "F32", x, y);
            }
            case F64 -> builder.compute(floating(operator) + "F64", a, b);
            default -> builder.compute(integral(operator, type), a, b);
        };
    }

    private static String floating(String operator) {
        return switch (operator) {
            case "eq" -> "equal";
            case "ne" -> "notEqual";
            case "lt" -> "less";
            case "le" -> "lessOrEqual";
            case "gt" -> "greater";
            case "ge" -> "greaterOrEqual";
            case "equ" -> "equalOrUnordered";
            case "neu" -> "notEqualOrUnordered";
            case "ltu" -> "lessOrUnordered";
            case "leu" -> "lessOrEqualOrUnordered";
            case "gtu" -> "greaterOrUnordered";
            case "geu" -> "greaterOrEqualOrUnordered";
            case "num" -> "ordered";
            case "nan" -> "unordered";
            default -> throw new UnsupportedInstruction("the comparison " + operator);
        };
    }

    static String integral(String operator, ScalarType type) {
        String bits = type.bits() == 64 ? "64" : "32";
        String suffix = MethodNames.suffix(type);
        return switch (operator) {
            case "eq" -> "equal" + bits;
            case "ne" -> "notEqual" + bits;
            case "lt" -> "less" + suffix;
            case "le" -> "lessOrEqual" + suffix;
            case "gt" -> "greater" + suffix;
            case "ge" -> "greaterOrEqual" + suffix;
            case "lo" -> "lessU" + bits;
            case "ls" -> "lessOrEqualU" + bits;
            case "hi" -> "greaterU" + bits;
            case "hs" -> "greaterOrEqualU" + bits;
            default -> throw new UnsupportedInstruction("the comparison " + operator);
        };
    }

    void select(BoundInstruction form) {
        ScalarType type = form.type();
        builder.write(
                form.operand(0),
                select(
                        builder.read(form.operand(3), ScalarType.PRED),
                        builder.read(form.operand(1), type),
                        builder.read(form.operand(2), type),
                        type),
                type);
    }

    private Source select(Source condition, Source a, Source b, ScalarType type) {
        return builder.compute(type.bits() == 64 ? "select64" : "select32", condition, a, b);
    }

    /// `slct`: by the sign of the third operand; NaN selects the second, -0 the first.
    void selectBySign(BoundInstruction form) {
        ScalarType type = form.type(0);
        Source c = builder.read(form.operand(3), form.type(1));
        Source condition;
        if (form.type(1) == ScalarType.F32) {
            Source flushed = form.has("ftz") ? builder.compute("flushF32", c) : c;
            condition = builder.compute("greaterOrEqualF32", flushed, Source.word(0));
        } else {
            condition = builder.compute("greaterOrEqualS32", c, Source.word(0));
        }
        builder.write(
                form.operand(0),
                select(
                        condition,
                        builder.read(form.operand(1), type),
                        builder.read(form.operand(2), type),
                        type),
                type);
    }
}
