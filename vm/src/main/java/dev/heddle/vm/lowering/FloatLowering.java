package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B16;
import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.vm.ir.OperationKind.ABS;
import static dev.heddle.vm.ir.OperationKind.ADD;
import static dev.heddle.vm.ir.OperationKind.COS;
import static dev.heddle.vm.ir.OperationKind.DIV;
import static dev.heddle.vm.ir.OperationKind.EX2;
import static dev.heddle.vm.ir.OperationKind.FMA;
import static dev.heddle.vm.ir.OperationKind.FTZ;
import static dev.heddle.vm.ir.OperationKind.HIGH;
import static dev.heddle.vm.ir.OperationKind.LG2;
import static dev.heddle.vm.ir.OperationKind.MAGNITUDE;
import static dev.heddle.vm.ir.OperationKind.MAX;
import static dev.heddle.vm.ir.OperationKind.MIN;
import static dev.heddle.vm.ir.OperationKind.MUL;
import static dev.heddle.vm.ir.OperationKind.NEG;
import static dev.heddle.vm.ir.OperationKind.OOB;
import static dev.heddle.vm.ir.OperationKind.PACK;
import static dev.heddle.vm.ir.OperationKind.RCP;
import static dev.heddle.vm.ir.OperationKind.RELU;
import static dev.heddle.vm.ir.OperationKind.RSQRT;
import static dev.heddle.vm.ir.OperationKind.SAT;
import static dev.heddle.vm.ir.OperationKind.SIN;
import static dev.heddle.vm.ir.OperationKind.SQRT;
import static dev.heddle.vm.ir.OperationKind.SUB;
import static dev.heddle.vm.ir.OperationKind.TANH;
import static dev.heddle.vm.ir.OperationKind.TRUNC;
import static dev.heddle.vm.ir.OperationKind.XORSIGN;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Floating-point instructions, PTX ISA 9.7.3 to 9.7.5: flushes and saturations around one
/// arithmetic method.
record FloatLowering(CodeBuilder builder) {
    static boolean isFloat(ScalarType type) {
        return switch (type) {
            case F16, F16X2, BF16, BF16X2, F32, F64, F32X2 -> true;
            default -> false;
        };
    }

    private static OperationKind kind(BoundInstruction form) {
        return switch (form.kind()) {
            case FLOAT_ADD, MIXED_ADD -> ADD;
            case FLOAT_SUBTRACT, MIXED_SUBTRACT -> SUB;
            case FLOAT_MULTIPLY -> MUL;
            default -> FMA;
        };
    }

    /// `add sub mul fma mad`.
    void arithmetic(BoundInstruction form) {
        OperationKind kind = kind(form);
        int arity = kind == FMA ? 3 : 2;
        Rounding rounding = WorkingTypes.rounding(form);
        boolean multiplies = kind == MUL || kind == FMA;
        if (multiplies && form.has("ftz")) {
            apply(
                    form,
                    type -> Operation.of(kind, type, rounding, Modifier.FTZ),
                    arity,
                    Flush.WITHIN);
        } else {
            apply(form, type -> Operation.of(kind, type, rounding), arity, Flush.AROUND);
        }
    }

    /// `add.f32.f16 d, a, c`: the 16-bit operands are widened first.
    void mixed(BoundInstruction form) {
        OperationKind kind = kind(form);
        int narrow = kind == FMA ? 2 : 1;
        Operation widen = Operation.convert(F32, form.type());
        List<Source> arguments = new ArrayList<>();
        for (int i = 1; i < form.operands().size(); i++) {
            arguments.add(
                    i <= narrow
                            ? builder.compute(widen, builder.read(form.operand(i), form.type()))
                            : builder.read(form.operand(i), ScalarType.F32));
        }
        Source result =
                builder.compute(
                        Operation.of(kind, F32, WorkingTypes.rounding(form)),
                        arguments.toArray(Source[]::new));
        if (form.has("sat")) {
            result = builder.compute(SAT, F32, result);
        }
        builder.write(form.operand(0), result, ScalarType.F32);
    }

    void divide(BoundInstruction form) {
        ScalarType type = form.type();
        if (form.has("approx") || form.has("full")) {
            approximation(form);
        } else if (type == ScalarType.F32 || type == ScalarType.F64) {
            Operation operation = quotient(form);
            apply(form, _ -> operation, 2, form.has("ftz") ? Flush.WITHIN : Flush.AROUND);
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
        Source quotient = builder.compute(quotient(form), one, builder.read(form.operand(1), type));
        finish(form, type, quotient, Flush.WITHIN);
    }

    private static Operation quotient(BoundInstruction form) {
        Rounding rounding = WorkingTypes.rounding(form);
        return form.has("ftz")
                ? Operation.of(DIV, form.type(), rounding, Modifier.FTZ)
                : Operation.of(DIV, form.type(), rounding);
    }

    void squareRoot(BoundInstruction form) {
        if (form.has("approx")) {
            approximation(form);
        } else {
            rounded(form, SQRT, 1);
        }
    }

    /// `ex2 lg2 sin cos tanh rsqrt`, and what else is `.approx` or `.full`.
    void approximation(BoundInstruction form) {
        OperationKind kind =
                switch (form.kind()) {
                    case FLOAT_DIVIDE -> DIV;
                    case RECIPROCAL -> RCP;
                    case SQUARE_ROOT -> SQRT;
                    case RECIPROCAL_SQUARE_ROOT -> RSQRT;
                    case SINE -> SIN;
                    case COSINE -> COS;
                    case LOGARITHM -> LG2;
                    case EXPONENTIAL -> EX2;
                    case HYPERBOLIC_TANGENT -> TANH;
                    default -> throw new UnsupportedInstruction(form);
                };
        Modifier precision = form.has("full") ? Modifier.FULL : Modifier.APPROX;
        apply(
                form,
                type ->
                        form.has("ftz")
                                ? Operation.of(kind, type, precision, Modifier.FTZ)
                                : Operation.of(kind, type, precision),
                form.operands().size() - 1,
                Flush.WITHIN);
    }

    private void rounded(BoundInstruction form, OperationKind kind, int arity) {
        Rounding rounding = WorkingTypes.rounding(form);
        apply(form, type -> Operation.of(kind, type, rounding), arity, Flush.AROUND);
    }

    void absolute(BoundInstruction form) {
        apply(form, type -> Operation.of(ABS, type), 1, Flush.AROUND);
    }

    void negate(BoundInstruction form) {
        apply(form, type -> Operation.of(NEG, type), 1, Flush.AROUND);
    }

    /// `min max`, with `.NaN` and `.xorsign.abs`; three operands are two comparisons.
    void extremum(BoundInstruction form) {
        OperationKind kind = form.kind() == InstructionKind.FLOAT_MINIMUM ? MIN : MAX;
        int arity = form.operands().size() - 1;
        Modifier[] modifiers = form.has("NaN") ? new Modifier[] {Modifier.NAN} : new Modifier[0];
        apply(form, type -> Operation.of(kind, type, modifiers), arity, Flush.AROUND);
    }

    /// Where `.ftz` is done.
    private enum Flush {
        /// Operands and result are flushed.
        AROUND,
        /// The method does it.
        WITHIN
    }

    private void apply(
            BoundInstruction form,
            Function<ScalarType, Operation> operation,
            int arity,
            Flush flush) {
        ScalarType type = form.type();
        Source[] inputs = new Source[arity];
        for (int i = 0; i < arity; i++) {
            inputs[i] = builder.read(form.operand(i + 1), type);
        }
        switch (type) {
            case F32, F64, F16, BF16 ->
                    finish(form, type, one(form, operation.apply(type), inputs, flush), flush);
            case F16X2, BF16X2, F32X2 -> {
                ScalarType half = WorkingTypes.half(type);
                Source[] low = new Source[arity];
                Source[] high = new Source[arity];
                for (int i = 0; i < arity; i++) {
                    low[i] = lowOf(type, inputs[i]);
                    high[i] = highOf(type, inputs[i]);
                }
                Source lowResult =
                        modified(form, half, one(form, operation.apply(half), low, flush), flush);
                Source highResult =
                        modified(form, half, one(form, operation.apply(half), high, flush), flush);
                Source pair =
                        type == ScalarType.F32X2
                                ? builder.compute(
                                        Operation.from(B32, PACK, B64), lowResult, highResult)
                                : builder.pairHalves(lowResult, highResult);
                builder.write(form.operand(0), pair, type);
            }
            default -> throw new UnsupportedInstruction(form);
        }
    }

    private Source lowOf(ScalarType packed, Source value) {
        return packed == ScalarType.F32X2
                ? builder.compute(Operation.from(B64, TRUNC, B32), value)
                : builder.lowHalf(value);
    }

    private Source highOf(ScalarType packed, Source value) {
        return packed == ScalarType.F32X2
                ? builder.compute(Operation.from(B64, HIGH, B32), value)
                : builder.highHalf(value);
    }

    private Source one(BoundInstruction form, Operation operation, Source[] inputs, Flush flush) {
        ScalarType type = operation.type();
        ScalarType bits = type == F32 ? F32 : B16;
        Source[] arguments = new Source[inputs.length];
        boolean magnitudes = form.has("abs");
        for (int i = 0; i < inputs.length; i++) {
            arguments[i] = flush == Flush.AROUND ? flushed(form, type, inputs[i]) : inputs[i];
            if (magnitudes) {
                arguments[i] = builder.compute(MAGNITUDE, bits, arguments[i]);
            }
        }
        Source result =
                arguments.length > operation.parameters().size()
                        ? builder.compute(
                                operation,
                                builder.compute(operation, arguments[0], arguments[1]),
                                arguments[2])
                        : builder.compute(operation, arguments);
        if (form.has("oob")) {
            return builder.compute(OOB, bits, result, inputs[0], inputs[1]);
        }
        return form.has("xorsign")
                ? builder.compute(XORSIGN, bits, result, inputs[0], inputs[1])
                : result;
    }

    private void finish(BoundInstruction form, ScalarType type, Source result, Flush flush) {
        builder.write(form.operand(0), modified(form, type, result, flush), type);
    }

    private Source modified(BoundInstruction form, ScalarType type, Source value, Flush flush) {
        Source result = flush == Flush.AROUND ? flushed(form, type, value) : value;
        if (form.has("sat")) {
            result = builder.compute(SAT, type, result);
        }
        if (form.has("relu")) {
            result = builder.compute(RELU, type, result);
        }
        return result;
    }

    private Source flushed(BoundInstruction form, ScalarType type, Source value) {
        return form.has("ftz") && type != ScalarType.F64
                ? builder.compute(FTZ, type, value)
                : value;
    }
}
