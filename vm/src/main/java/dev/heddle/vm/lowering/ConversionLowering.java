package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B16;
import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.B8;
import static dev.heddle.ptx.ScalarType.BF16;
import static dev.heddle.ptx.ScalarType.E2M1;
import static dev.heddle.ptx.ScalarType.E2M1X2;
import static dev.heddle.ptx.ScalarType.E2M3;
import static dev.heddle.ptx.ScalarType.E2M3X2;
import static dev.heddle.ptx.ScalarType.E3M2;
import static dev.heddle.ptx.ScalarType.E3M2X2;
import static dev.heddle.ptx.ScalarType.E4M3;
import static dev.heddle.ptx.ScalarType.E4M3X2;
import static dev.heddle.ptx.ScalarType.E5M2;
import static dev.heddle.ptx.ScalarType.E5M2X2;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.F64;
import static dev.heddle.ptx.ScalarType.S2F6X2;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.TF32;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.UE8M0;
import static dev.heddle.ptx.ScalarType.UE8M0X2;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.BFI;
import static dev.heddle.vm.ir.OperationKind.BYTE;
import static dev.heddle.vm.ir.OperationKind.CANONICAL;
import static dev.heddle.vm.ir.OperationKind.FTZ;
import static dev.heddle.vm.ir.OperationKind.MAGNITUDE;
import static dev.heddle.vm.ir.OperationKind.MAX;
import static dev.heddle.vm.ir.OperationKind.MIN;
import static dev.heddle.vm.ir.OperationKind.OR;
import static dev.heddle.vm.ir.OperationKind.PACK;
import static dev.heddle.vm.ir.OperationKind.RELU;
import static dev.heddle.vm.ir.OperationKind.ROUND;
import static dev.heddle.vm.ir.OperationKind.SAT;
import static dev.heddle.vm.ir.OperationKind.SATFINITE;
import static dev.heddle.vm.ir.OperationKind.SEXT;
import static dev.heddle.vm.ir.OperationKind.SHL;
import static dev.heddle.vm.ir.OperationKind.SHR;
import static dev.heddle.vm.ir.OperationKind.TRUNC;
import static dev.heddle.vm.ir.OperationKind.ZEXT;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;

/// `cvt` and `cvt.pack`, PTX ISA 9.7.9.21 and 9.7.9.22.
record ConversionLowering(CodeBuilder builder) {
    private static final Source LARGEST_UE8M0 = Source.word(Float.floatToRawIntBits(0x1p127f));

    void convert(BoundInstruction form) {
        if (form.types().size() != 2) {
            throw new UnsupportedInstruction(form);
        }
        if (form.has("rs")) {
            new StochasticLowering(builder).convert(form);
            return;
        }
        ScalarType to = form.type(0);
        ScalarType from = form.type(1);
        if (to == S2F6X2 || from == S2F6X2) {
            new FixedPointLowering(builder).convert(form);
            return;
        }
        switch (to) {
            case F16X2, BF16X2 -> toPackedHalves(form, to, from);
            case E4M3X2, E5M2X2, E2M3X2, E3M2X2, E2M1X2, UE8M0X2 -> toPackedNarrow(form, to, from);
            case TF32 -> toTf32(form);
            default -> {
                if (from.bits() > 64 || from.kind() == ScalarType.Kind.ALTERNATE && from != BF16) {
                    throw new UnsupportedInstruction(form);
                }
                builder.write(form.operand(0), number(form, to, from), to);
            }
        }
    }

    /// `cvt.pack.sat`: b below, a above it, and what is left of the word from the low bits of c.
    void pack(BoundInstruction form) {
        String to = form.oneOf("u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2");
        boolean signed = to.charAt(0) == 's';
        int bits = Integer.parseInt(to.substring(1));
        int least = signed ? -(1 << bits - 1) : 0;
        int most = signed ? (1 << bits - 1) - 1 : (1 << bits) - 1;
        Source high = clamped(builder.read(form.operand(1), S32), least, most);
        Source low = clamped(builder.read(form.operand(2), S32), least, most);
        Source result;
        if (bits == 16) {
            result = builder.pairHalves(low, high);
        } else {
            Source size = Source.word(bits);
            Source rest =
                    builder.compute(
                            SHL, B32, builder.read(form.operand(3), B32), Source.word(2 * bits));
            Source above = builder.compute(BFI, B32, high, rest, size, size);
            result = builder.compute(BFI, B32, low, above, Source.word(0), size);
        }
        builder.write(form.operand(0), result, B32);
    }

    private Source clamped(Source value, int least, int most) {
        return builder.compute(
                MIN, S32, builder.compute(MAX, S32, value, Source.word(least)), Source.word(most));
    }

    /// `cvt.rn.f16x2.f32 d, a, b`: a above, b below.
    private void toPackedHalves(BoundInstruction form, ScalarType to, ScalarType from) {
        ScalarType half = WorkingTypes.half(to);
        Source high;
        Source low;
        if (from == F32) {
            high = narrowed(form, half, builder.read(form.operand(1), from));
            low = narrowed(form, half, builder.read(form.operand(2), from));
        } else {
            Source pair = builder.read(form.operand(1), from.bits() == 8 ? B8 : B16);
            high = relu(form, half, widened(half, from, pair, 1));
            low = relu(form, half, widened(half, from, pair, 0));
        }
        builder.write(form.operand(0), builder.pairHalves(low, high), to);
    }

    private Source widened(ScalarType half, ScalarType from, Source pair, int index) {
        Source element =
                from == E2M1X2
                        ? builder.compute(
                                AND,
                                B32,
                                builder.compute(SHR, U32, pair, Source.word(4 * index)),
                                Source.word(15))
                        : builder.compute(BYTE, B32, pair, Source.word(index));
        return builder.compute(Operation.convert(half, elementOf(from)), element);
    }

    private static ScalarType elementOf(ScalarType pair) {
        return switch (pair) {
            case E4M3X2 -> E4M3;
            case E5M2X2 -> E5M2;
            case E2M3X2 -> E2M3;
            case E3M2X2 -> E3M2;
            case E2M1X2 -> E2M1;
            case UE8M0X2 -> UE8M0;
            default -> throw new UnsupportedInstruction("pairs of " + pair.keyword());
        };
    }

    private Source narrowed(BoundInstruction form, ScalarType half, Source value) {
        Source result = builder.compute(rounded(form, half, F32), flushed(form, value));
        if (form.has("satfinite")) {
            // An infinity that rounding made and one that came in are clamped alike.
            result = builder.compute(SATFINITE, half, result);
        }
        return relu(form, half, result);
    }

    private static Operation rounded(BoundInstruction form, ScalarType to, ScalarType from) {
        return Operation.convert(to, from, WorkingTypes.rounding(form));
    }

    private Source relu(BoundInstruction form, ScalarType half, Source value) {
        return form.has("relu") ? builder.compute(RELU, half, value) : value;
    }

    private void toPackedNarrow(BoundInstruction form, ScalarType to, ScalarType from) {
        Source high;
        Source low;
        if (from == F32) {
            high = builder.read(form.operand(1), from);
            low = builder.read(form.operand(2), from);
        } else {
            Operation widen = Operation.convert(F32, WorkingTypes.half(from));
            Source pair = builder.read(form.operand(1), from);
            high = builder.compute(widen, builder.highHalf(pair));
            low = builder.compute(widen, builder.lowHalf(pair));
        }
        Operation narrow = rounded(form, elementOf(to), F32);
        high = builder.compute(narrow, ranged(form, to, high));
        low = builder.compute(narrow, ranged(form, to, low));
        if (to == E2M1X2) {
            Source above = builder.compute(SHL, B32, high, Source.word(4));
            builder.write(form.operand(0), builder.compute(OR, B32, above, low), B8);
        } else {
            builder.write(
                    form.operand(0),
                    builder.compute(Operation.from(B8, PACK, B16), low, high),
                    B16);
        }
    }

    /// What `.relu` leaves of a number, and `.satfinite` where the target has no sign.
    private Source ranged(BoundInstruction form, ScalarType to, Source value) {
        if (form.has("relu")) {
            return builder.compute(Operation.of(MAX, F32, Modifier.NAN), value, Source.word(0));
        }
        if (to != UE8M0X2) {
            return value;
        }
        Source magnitude = builder.compute(MAGNITUDE, F32, value);
        return form.has("satfinite")
                ? builder.compute(Operation.of(MIN, F32, Modifier.NAN), magnitude, LARGEST_UE8M0)
                : magnitude;
    }

    private void toTf32(BoundInstruction form) {
        Source value = builder.read(form.operand(1), F32);
        Source result = builder.compute(rounded(form, TF32, F32), value);
        if (form.has("satfinite")) {
            result = builder.compute(SATFINITE, TF32, result);
        }
        builder.write(form.operand(0), relu(form, TF32, result), B32);
    }

    private Source flushed(BoundInstruction form, Source value) {
        return form.has("ftz") ? builder.compute(FTZ, F32, value) : value;
    }

    private Source number(BoundInstruction form, ScalarType to, ScalarType from) {
        boolean fromFloat = FloatLowering.isFloat(from);
        boolean toFloat = FloatLowering.isFloat(to);
        Source value = builder.read(form.operand(1), from);
        if (!fromFloat && from.bits() < 32) {
            value = builder.narrow(value, from.bits(), WorkingTypes.isSigned(from));
        }
        if (fromFloat && toFloat) {
            return floatToFloat(form, to, from, value);
        }
        if (fromFloat) {
            return floatToInteger(form, to, from, value);
        }
        return toFloat
                ? integerToFloat(form, to, from, value)
                : integerToInteger(form, to, from, value);
    }

    private Source integerToInteger(
            BoundInstruction form, ScalarType to, ScalarType from, Source value) {
        Source result = form.has("sat") ? saturated(to, from, value) : value;
        if (to.bits() == 64 && result.width() == Width.WORD) {
            boolean signed = WorkingTypes.isSigned(from);
            return builder.compute(Operation.from(B32, signed ? SEXT : ZEXT, B64), result);
        }
        return to.bits() <= 32 && result.width() == Width.LONG
                ? builder.compute(Operation.from(B64, TRUNC, B32), result)
                : result;
    }

    /// Within the range of the target, in the type of the source: a bound that the source's own
    /// range keeps is not asked for.
    private Source saturated(ScalarType to, ScalarType from, Source value) {
        ScalarType type = WorkingTypes.integer(from);
        boolean signed = WorkingTypes.isSigned(from);
        int bits = to.bits() - (WorkingTypes.isSigned(to) ? 1 : 0);
        Source result = value;
        if (signed && (!WorkingTypes.isSigned(to) || to.bits() < from.bits())) {
            long least = WorkingTypes.isSigned(to) ? -1L << bits : 0;
            result = builder.compute(MAX, type, result, constant(type, least));
        }
        if (bits < from.bits() - (signed ? 1 : 0)) {
            result = builder.compute(MIN, type, result, constant(type, (1L << bits) - 1));
        }
        return result;
    }

    private static Source constant(ScalarType type, long value) {
        return type.bits() == 64 ? Source.longword(value) : Source.word((int) value);
    }

    private Source integerToFloat(
            BoundInstruction form, ScalarType to, ScalarType from, Source value) {
        ScalarType integer = WorkingTypes.integer(from);
        Operation operation =
                to == F64 && from.bits() < 64
                        ? Operation.convert(to, integer)
                        : rounded(form, to, integer);
        return saturate(form, to, builder.compute(operation, value));
    }

    private Source floatToInteger(
            BoundInstruction form, ScalarType to, ScalarType from, Source value) {
        Source wide =
                switch (from) {
                    case F64 -> value;
                    case F32 -> flushed(form, value);
                    default -> builder.compute(Operation.convert(F32, from), value);
                };
        ScalarType working = from == F64 ? F64 : F32;
        Source integral = builder.compute(integral(form, working), wide);
        return builder.compute(Operation.convert(to, working), integral);
    }

    private static Operation integral(BoundInstruction form, ScalarType type) {
        Rounding rounding =
                switch (form.oneOf("rni", "rzi", "rmi", "rpi")) {
                    case "rni" -> Rounding.NEAREST_EVEN;
                    case "rzi" -> Rounding.TOWARD_ZERO;
                    case "rmi" -> Rounding.DOWN;
                    default -> Rounding.UP;
                };
        return Operation.of(ROUND, type, rounding);
    }

    private static boolean isIntegral(BoundInstruction form) {
        return form.has("rni") || form.has("rzi") || form.has("rmi") || form.has("rpi");
    }

    private Source floatToFloat(
            BoundInstruction form, ScalarType to, ScalarType from, Source value) {
        Source input = from == F32 ? flushed(form, value) : value;
        if (from == F32 && to.bits() >= 32 && form.has("ftz")) {
            // As an H100 does; without .ftz it keeps a NaN's payload.
            input = builder.compute(CANONICAL, F32, input);
        }
        if (to == from) {
            return sameFormat(form, to, input);
        }
        if (to == F64) {
            return saturate(form, to, builder.compute(Operation.convert(F64, from), input));
        }
        if (to == F32 && from == BF16 && !form.has("ftz")) {
            // The manual leaves the bits of a NaN open; an H200 leaves them as they are.
            Source bits = builder.compute(SHL, B32, input, Source.word(16));
            return saturate(form, to, bits);
        }
        if (to == F32 && from == F64) {
            Rounding rounding = WorkingTypes.rounding(form);
            Operation operation =
                    form.has("ftz")
                            ? Operation.convert(F32, F64, rounding, Modifier.FTZ)
                            : Operation.convert(F32, F64, rounding);
            return saturate(form, to, builder.compute(operation, input));
        }
        if (to == F32) {
            Source wide = builder.compute(Operation.convert(F32, from), input);
            return saturate(form, to, flushed(form, wide));
        }
        if (from.bits() == 16) {
            // f16 and bf16 from each other go through f32, which holds both exactly.
            Source single = builder.compute(Operation.convert(F32, from), input);
            return halfModifiers(form, to, builder.compute(rounded(form, to, F32), single));
        }
        return halfModifiers(form, to, builder.compute(rounded(form, to, from), input));
    }

    private Source halfModifiers(BoundInstruction form, ScalarType to, Source value) {
        Source result = value;
        if (form.has("satfinite")) {
            result = builder.compute(SATFINITE, to, result);
        }
        return relu(form, to, saturate(form, to, result));
    }

    private Source sameFormat(BoundInstruction form, ScalarType type, Source value) {
        if (type.bits() == 16) {
            // An H100's NaN is canonical here, rounded to an integer or not. A half's integral
            // value is a half: nothing is rounded again.
            Source single = builder.compute(Operation.convert(F32, type), value);
            Source result =
                    isIntegral(form) ? builder.compute(integral(form, F32), single) : single;
            Operation back = Operation.convert(type, F32, Rounding.NEAREST_EVEN);
            return saturate(form, type, builder.compute(back, result));
        }
        if (!isIntegral(form)) {
            return saturate(form, type, value);
        }
        Source integral = builder.compute(integral(form, type), value);
        return saturate(
                form, type, type == F32 ? builder.compute(CANONICAL, F32, integral) : integral);
    }

    private Source saturate(BoundInstruction form, ScalarType to, Source value) {
        return form.has("sat") ? builder.compute(SAT, to, value) : value;
    }
}
