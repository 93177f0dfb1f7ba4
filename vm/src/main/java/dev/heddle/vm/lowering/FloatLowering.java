package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Source;

import java.util.ArrayList;
import java.util.List;

/// Floating-point instructions, PTX ISA 9.7.3 to 9.7.5: flushes and saturations around one
/// arithmetic method.
final class FloatLowering {
    private final CodeBuilder builder;

    FloatLowering(CodeBuilder builder) {
        this.builder = builder;
    }

    static boolean isFloat(ScalarType type) {
        return switch (type) {
            case F16, F16X2, BF16, BF16X2, F32, F64, F32X2 -> true;
            default -> false;
        };
    }

    private static String method(BoundInstruction form) {
        return switch (form.kind()) {
            case FLOAT_ADD, MIXED_ADD -> "add";
            case FLOAT_SUBTRACT, MIXED_SUBTRACT -> "subtract";
            case FLOAT_MULTIPLY -> "multiply";
            default -> "fused";
        };
    }

    /// `add sub mul fma mad`.
    void arithmetic(BoundInstruction form) {
        String method = method(form);
        int arity = method.equals("fused") ? 3 : 2;
        boolean multiplies = method.equals("multiply") || method.equals("fused");
        if (multiplies && form.has("ftz")) {
            apply(form, method + "Ftz%" + MethodNames.rounding(form), arity, Flush.WITHIN);
        } else {
            apply(form, method + "%" + MethodNames.rounding(form), arity, Flush.AROUND);
        }
    }

    /// `add.f32.f16 d, a, c`: the 16-bit operands are widened first.
    void mixed(BoundInstruction form) {
        String method = method(form);
        int narrow = method.equals("fused") ? 2 : 1;
        String widen = form.type() == ScalarType.F16 ? "f32FromF16" : "f32FromBf16";
        List<Source> arguments = new ArrayList<>();
        for (int i = 1; i < form.operands().size(); i++) {
            arguments.add(
                    i <= narrow
                            ? builder.compute(widen, builder.read(form.operand(i), form.type()))
                            : builder.read(form.operand(i), ScalarType.F32));
        }
        Source result =
                builder.compute(
                        method + "F32" + MethodNames.rounding(form),
                        arguments.toArray(Source[]::new));
        if (form.has("sat")) {
            result = builder.compute("saturateF32", result);
        }
        builder.write(form.operand(0), result, ScalarType.F32);
    }

    void divide(BoundInstruction form) {
        ScalarType type = form.type();
        if (form.has("approx") || form.has("full")) {
            approximation(form);
        } else if (type == ScalarType.F32 || type == ScalarType.F64) {
            boolean flushed = form.has("ftz");
            apply(
                    form,
                    (flushed ? "divideFtz%" : "divide%") + MethodNames.rounding(form),
                    2,
                    flushed ? Flush.WITHIN : Flush.AROUND);
        } else {
            throw new UnsupportedInstruction(form);
        }
    }

    void reciprocal(BoundInstruction form) {
        if (form.has("approx")) {
            approximation(form);
            return;
        }
        ScalarType type = form.type();
        Source one =
                type == ScalarType.F64
                        ? Source.longword(Double.doubleToRawLongBits(1.0))
                        : Source.word(Float.floatToRawIntBits(1f));
        String divide = form.has("ftz") ? "divideFtz" : "divide";
        finish(
                form,
                type,
                builder.compute(
                        divide + suffix(type) + MethodNames.rounding(form),
                        one,
                        builder.read(form.operand(1), type)),
                Flush.WITHIN);
    }

    void squareRoot(BoundInstruction form) {
        if (form.has("approx")) {
            approximation(form);
        } else {
            apply(form, "squareRoot%" + MethodNames.rounding(form), 1, Flush.AROUND);
        }
    }

    /// `ex2 lg2 sin cos tanh rsqrt`, and what else is `.approx` or `.full`.
    void approximation(BoundInstruction form) {
        String opcode = form.opcode();
        String method =
                (form.has("full") ? "full" : "approximate")
                        + Character.toUpperCase(opcode.charAt(0))
                        + opcode.substring(1)
                        + (form.has("ftz") ? "Ftz%" : "%");
        apply(form, method, form.operands().size() - 1, Flush.WITHIN);
    }

    void absolute(BoundInstruction form) {
        apply(form, "absolute%", 1, Flush.AROUND);
    }

    void negate(BoundInstruction form) {
        apply(form, "negate%", 1, Flush.AROUND);
    }

    /// `min max`, with `.NaN` and `.xorsign.abs`; three operands are two comparisons.
    void extremum(BoundInstruction form) {
        String method =
                (form.kind() == InstructionKind.FLOAT_MINIMUM ? "minimum" : "maximum")
                        + (form.has("NaN") ? "Nan" : "")
                        + "%";
        if (form.operands().size() == 4) {
            throw new UnsupportedInstruction(form);
        }
        apply(form, method, 2, Flush.AROUND);
    }

    /// Where `.ftz` is done.
    private enum Flush {
        /// Operands and result are flushed.
        AROUND,
        /// The method does it.
        WITHIN
    }

    private void apply(BoundInstruction form, String pattern, int arity, Flush flush) {
        ScalarType type = form.type();
        Source[] inputs = new Source[arity];
        for (int i = 0; i < arity; i++) {
            inputs[i] = builder.read(form.operand(i + 1), type);
        }
        switch (type) {
            case F32, F64, F16, BF16 ->
                    finish(form, type, one(form, type, pattern, inputs, flush), flush);
            case F16X2, BF16X2 -> {
                ScalarType half = type == ScalarType.F16X2 ? ScalarType.F16 : ScalarType.BF16;
                Source[] low = new Source[arity];
                Source[] high = new Source[arity];
                for (int i = 0; i < arity; i++) {
                    low[i] = builder.compute("zeroExtend16", inputs[i]);
                    high[i] = builder.compute("highHalf", inputs[i]);
                }
                Source lowResult =
                        modified(form, half, one(form, half, pattern, low, flush), flush);
                Source highResult =
                        modified(form, half, one(form, half, pattern, high, flush), flush);
                builder.write(
                        form.operand(0),
                        builder.compute("pairHalves", lowResult, highResult),
                        type);
            }
            default -> throw new UnsupportedInstruction(form);
        }
    }

    private Source one(
            BoundInstruction form, ScalarType type, String pattern, Source[] inputs, Flush flush) {
        Source[] arguments = new Source[inputs.length];
        boolean magnitudes = form.has("abs") && form.has("xorsign");
        for (int i = 0; i < inputs.length; i++) {
            arguments[i] = flush == Flush.AROUND ? flushed(form, type, inputs[i]) : inputs[i];
            if (magnitudes) {
                arguments[i] =
                        builder.compute(
                                type == ScalarType.F32 ? "magnitudeF32" : "magnitude16",
                                arguments[i]);
            }
        }
        Source result = builder.compute(pattern.replace("%", suffix(type)), arguments);
        if (form.has("oob")) {
            return builder.compute("withinBounds16", result, inputs[0], inputs[1]);
        }
        return magnitudes
                ? builder.compute(
                        type == ScalarType.F32 ? "xorSignF32" : "xorSign16",
                        result,
                        inputs[0],
                        inputs[1])
                : result;
    }

    private void finish(BoundInstruction form, ScalarType type, Source result, Flush flush) {
        builder.write(form.operand(0), modified(form, type, result, flush), type);
    }

    private Source modified(BoundInstruction form, ScalarType type, Source value, Flush flush) {
        Source result = flush == Flush.AROUND ? flushed(form, type, value) : value;
        if (form.has("sat")) {
            result = builder.compute("saturate" + suffix(type), result);
        }
        if (form.has("relu")) {
            result = builder.compute("relu" + suffix(type), result);
        }
        return result;
    }

    private Source flushed(BoundInstruction form, ScalarType type, Source value) {
        return form.has("ftz") && type != ScalarType.F64
                ? builder.compute("flush" + suffix(type), value)
                : value;
    }

    /// The suffix of methods for a float type.
    static String suffix(ScalarType type) {
        return switch (type) {
            case F16, F16X2 -> "F16";
            case BF16, BF16X2 -> "Bf16";
            case F32 -> "F32";
            case F64 -> "F64";
            default -> throw new UnsupportedInstruction("arithmetic on ." + type.keyword());
        };
    }

    void testProperty(BoundInstruction form) {
        String property =
                switch (form.oneOf(
                        "finite", "infinite", "number", "notanumber", "normal", "subnormal")) {
                    case "finite" -> "isFinite";
                    case "infinite" -> "isInfinite";
                    case "number" -> "isNumber";
                    case "notanumber" -> "isNan";
                    case "normal" -> "isNormal";
                    default -> "isSubnormal";
                };
        Operand target = form.operand(0);
        builder.write(
                target,
                builder.compute(
                        property + suffix(form.type()), builder.read(form.operand(1), form.type())),
                ScalarType.PRED);
    }

    void copySign(BoundInstruction form) {
        builder.write(
                form.operand(0),
                builder.compute(
                        "copySign" + suffix(form.type()),
                        builder.read(form.operand(1), form.type()),
                        builder.read(form.operand(2), form.type())),
                form.type());
    }
}
