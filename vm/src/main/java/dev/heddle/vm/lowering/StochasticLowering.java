package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B16;
import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.BF16;
import static dev.heddle.ptx.ScalarType.E2M1X4;
import static dev.heddle.ptx.ScalarType.F16;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.vm.ir.OperationKind.BREV;
import static dev.heddle.vm.ir.OperationKind.CVT_RS;
import static dev.heddle.vm.ir.OperationKind.MAX;
import static dev.heddle.vm.ir.OperationKind.OR;
import static dev.heddle.vm.ir.OperationKind.PRMT;
import static dev.heddle.vm.ir.OperationKind.RELU;
import static dev.heddle.vm.ir.OperationKind.SATFINITE;
import static dev.heddle.vm.ir.OperationKind.SHL;
import static dev.heddle.vm.ir.OperationKind.SHR;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

import java.util.List;

/// `cvt.rs`, PTX ISA 9.7.9.21: which of the random bits round which element.
record StochasticLowering(CodeBuilder builder) {
    /// The upper bytes of both halves above the lower ones.
    private static final Source BYTES_3_1_2_0 = Source.word(0x3120);

    void convert(BoundInstruction form) {
        ScalarType to = form.type(0);
        switch (to) {
            case F16X2 -> pair(form, to, F16);
            case BF16X2 -> pair(form, to, BF16);
            case E4M3X4 -> four(form, ScalarType.E4M3, Byte.SIZE, B32);
            case E5M2X4 -> four(form, ScalarType.E5M2, Byte.SIZE, B32);
            case E2M3X4 -> four(form, ScalarType.E2M3, Byte.SIZE, B32);
            case E3M2X4 -> four(form, ScalarType.E3M2, Byte.SIZE, B32);
            case E2M1X4 -> four(form, ScalarType.E2M1, 4, B16);
            default -> throw new UnsupportedInstruction(form);
        }
    }

    /// `d, a, b, rbits`: a above, rounded by the upper half of the random bits.
    private void pair(BoundInstruction form, ScalarType to, ScalarType half) {
        Source random = builder.read(form.operand(3), B32);
        Source high = half(form, half, form.operand(1), upper(random));
        Source low = half(form, half, form.operand(2), random);
        builder.write(form.operand(0), builder.pairHalves(low, high), to);
    }

    private Source half(BoundInstruction form, ScalarType half, Operand number, Source random) {
        Source value = builder.read(number, F32);
        Source result = builder.compute(Operation.from(F32, CVT_RS, half), value, random);
        if (form.has("satfinite")) {
            result = builder.compute(SATFINITE, half, result);
        }
        return form.has("relu") ? builder.compute(RELU, half, result) : result;
    }

    /// `d, {a, b, e, f}, rbits`, a uppermost. The upper half of the random bits rounds a and b, the
    /// lower one e and f; of e2m1 the upper bytes of both halves do a and b. That b and f take the
    /// sixteen bits as they are and a and e the same in reverse is PUBLISHED for e4m3
    /// (FlashInfer's `conversion.cuh`) and ASSUMED for the others.
    private void four(BoundInstruction form, ScalarType element, int bits, ScalarType result) {
        Source given = builder.read(form.operand(2), B32);
        Source random =
                form.type(0) == E2M1X4
                        ? builder.compute(PRMT, B32, given, given, BYTES_3_1_2_0)
                        : given;
        Source reversed = builder.compute(BREV, B32, random);
        List<Source> noise = List.of(reversed, upper(random), upper(reversed), random);
        List<Operand> numbers = MemoryOperands.elements(form.operand(1));
        Operation round = Operation.from(F32, CVT_RS, element);
        Source packed = Source.word(0);
        for (int i = 0; i < numbers.size(); i++) {
            Source value = ranged(form, builder.read(numbers.get(i), F32));
            Source code = builder.compute(round, value, noise.get(i));
            Source above = builder.compute(SHL, B32, packed, Source.word(bits));
            packed = builder.compute(OR, B32, above, code);
        }
        builder.write(form.operand(0), packed, result);
    }

    /// What `.relu` leaves of a number.
    private Source ranged(BoundInstruction form, Source value) {
        Operation positive = Operation.of(MAX, F32, Modifier.NAN);
        return form.has("relu") ? builder.compute(positive, value, Source.word(0)) : value;
    }

    private Source upper(Source word) {
        return builder.compute(SHR, U32, word, Source.word(16));
    }
}
