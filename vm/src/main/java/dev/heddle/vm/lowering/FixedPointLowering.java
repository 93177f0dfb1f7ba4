package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B16;
import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B8;
import static dev.heddle.ptx.ScalarType.BF16;
import static dev.heddle.ptx.ScalarType.BF16X2;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.S2F6X2;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S8;
import static dev.heddle.ptx.ScalarType.UE8M0;
import static dev.heddle.vm.ir.OperationKind.BYTE;
import static dev.heddle.vm.ir.OperationKind.DIV;
import static dev.heddle.vm.ir.OperationKind.MAX;
import static dev.heddle.vm.ir.OperationKind.MIN;
import static dev.heddle.vm.ir.OperationKind.MUL;
import static dev.heddle.vm.ir.OperationKind.PACK;
import static dev.heddle.vm.ir.OperationKind.RELU;
import static dev.heddle.vm.ir.OperationKind.ROUND;
import static dev.heddle.vm.ir.OperationKind.SATFINITE;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

/// `cvt` to and from `.s2f6x2`, PTX ISA 9.7.9.21: two numbers of eight bits, six of them behind the
/// point (5.2.4), each with a scale of its own.
///
/// The steps are those of f32, which hold every quotient and product exactly or so small or large
/// that the result is 0 or the largest number anyway.
record FixedPointLowering(CodeBuilder builder) {
    private static final Source ONES = number(0x1p6f);
    private static final Source UNIT = number(0x1p-6f);
    private static final Source LARGEST = number(127f);

    void convert(BoundInstruction form) {
        Source high = element(form, 1);
        Source low = element(form, 0);
        if (form.type(0) == S2F6X2) {
            Source pair = builder.compute(Operation.from(B8, PACK, B16), low, high);
            builder.write(form.operand(0), pair, B16);
        } else {
            builder.write(form.operand(0), builder.pairHalves(low, high), BF16X2);
        }
    }

    private Source element(BoundInstruction form, int index) {
        return form.type(0) == S2F6X2 ? toFixed(form, index) : toBrain(form, index);
    }

    private Source toFixed(BoundInstruction form, int index) {
        Source value = given(form, index);
        if (scaled(form)) {
            Operation divide = Operation.of(DIV, F32, Rounding.NEAREST_EVEN);
            value = builder.compute(divide, value, scale(form, index));
        }
        if (form.has("relu")) {
            value = builder.compute(Operation.of(MAX, F32, Modifier.NAN), value, Source.word(0));
        }
        value = builder.compute(Operation.of(MUL, F32, Rounding.NEAREST_EVEN), value, ONES);
        value = builder.compute(Operation.of(ROUND, F32, Rounding.NEAREST_EVEN), value);
        // The lesser of NaN and a number is the number: NaN becomes the largest.
        value = builder.compute(MIN, F32, value, LARGEST);
        return builder.compute(Operation.convert(S8, F32), value);
    }

    /// a above, b below, or the halves of a.
    private Source given(BoundInstruction form, int index) {
        if (form.type(1) == F32) {
            return builder.read(form.operand(index == 1 ? 1 : 2), F32);
        }
        Source pair = builder.read(form.operand(1), BF16X2);
        Source half = index == 1 ? builder.highHalf(pair) : builder.lowHalf(pair);
        return builder.compute(Operation.convert(F32, BF16), half);
    }

    private Source toBrain(BoundInstruction form, int index) {
        Source pair = builder.read(form.operand(1), B16);
        Source code = builder.narrow(builder.compute(BYTE, B32, pair, Source.word(index)), 8, true);
        Operation multiply = Operation.of(MUL, F32, Rounding.NEAREST_EVEN);
        Source value = builder.compute(Operation.convert(F32, S32), code);
        value = builder.compute(multiply, value, UNIT);
        if (scaled(form)) {
            value = builder.compute(multiply, value, scale(form, index));
        }
        Source result = builder.compute(Operation.convert(BF16, F32, Rounding.NEAREST_EVEN), value);
        if (form.has("satfinite")) {
            result = builder.compute(SATFINITE, BF16, result);
        }
        return form.has("relu") ? builder.compute(RELU, BF16, result) : result;
    }

    private static boolean scaled(BoundInstruction form) {
        return form.has("scaled::n2::ue8m0");
    }

    /// A power of two; bf16 has all of them.
    private Source scale(BoundInstruction form, int index) {
        Source pair = builder.read(form.operands().getLast(), B16);
        Source code = builder.compute(BYTE, B32, pair, Source.word(index));
        Source brain = builder.compute(Operation.convert(BF16, UE8M0), code);
        return builder.compute(Operation.convert(F32, BF16), brain);
    }

    private static Source number(float value) {
        return Source.word(Float.floatToRawIntBits(value));
    }
}
