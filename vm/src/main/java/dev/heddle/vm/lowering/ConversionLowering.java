package dev.heddle.vm.lowering;

import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Source;

/// `cvt` and `cvt.pack`, PTX ISA 9.7.9.21 and 9.7.9.22.
final class ConversionLowering {
    private final CodeBuilder builder;

    ConversionLowering(CodeBuilder builder) {
        this.builder = builder;
    }

    void convert(BoundInstruction form) {
        if (form.has("rs") || form.types().size() != 2) {
            throw new UnsupportedInstruction(form);
        }
        ScalarType to = form.type(0);
        ScalarType from = form.type(1);
        switch (to) {
            case F16X2, BF16X2 -> toPackedHalves(form, to, from);
            case E4M3X2, E5M2X2 -> toPackedQuarters(form, to, from);
            case TF32 -> toTf32(form);
            default -> {
                if (from.bits() > 64
                        || from.kind() == ScalarType.Kind.ALTERNATE && from != ScalarType.BF16) {
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
        Source high = clamped(builder.read(form.operand(1), ScalarType.S32), least, most);
        Source low = clamped(builder.read(form.operand(2), ScalarType.S32), least, most);
        Source result;
        if (bits == 16) {
            result = builder.compute("pairHalves", low, high);
        } else {
            Source rest =
                    builder.compute(
                            "shiftLeft32",
                            builder.read(form.operand(3), ScalarType.B32),
                            Source.word(2 * bits));
            Source above =
                    builder.compute("insert32", high, rest, Source.word(bits), Source.word(bits));
            result = builder.compute("insert32", low, above, Source.word(0), Source.word(bits));
        }
        builder.write(form.operand(0), result, ScalarType.B32);
    }

    private Source clamped(Source value, int least, int most) {
        return builder.compute(
                "minimumS32",
                builder.compute("maximumS32", value, Source.word(least)),
                Source.word(most));
    }

    /// `cvt.rn.f16x2.f32 d, a, b`: a above, b below.
    private void toPackedHalves(BoundInstruction form, ScalarType to, ScalarType from) {
        ScalarType half = to == ScalarType.F16X2 ? ScalarType.F16 : ScalarType.BF16;
        Source high;
        Source low;
        if (from == ScalarType.F32) {
            high = narrowed(form, half, builder.read(form.operand(1), from));
            low = narrowed(form, half, builder.read(form.operand(2), from));
        } else if (half == ScalarType.F16
                && (from == ScalarType.E4M3X2 || from == ScalarType.E5M2X2)) {
            Source pair = builder.read(form.operand(1), ScalarType.B16);
            String method = from == ScalarType.E4M3X2 ? "f16FromE4m3" : "f16FromE5m2";
            high =
                    relu(
                            form,
                            half,
                            builder.compute(
                                    method, builder.compute("byteOf", pair, Source.word(1))));
            low =
                    relu(
                            form,
                            half,
                            builder.compute(
                                    method, builder.compute("byteOf", pair, Source.word(0))));
        } else {
            throw new UnsupportedInstruction(form);
        }
        builder.write(form.operand(0), builder.compute("pairHalves", low, high), to);
    }

    private Source narrowed(BoundInstruction form, ScalarType half, Source value) {
        String suffix = FloatLowering.suffix(half);
        String method =
                (half == ScalarType.F16 ? "f16" : "bf16") + "FromF32" + MethodNames.rounding(form);
        Source result = builder.compute(method, flushed(form, value));
        if (form.has("satfinite")) {
            // An infinity that rounding made and one that came in are clamped alike.
            result = builder.compute("satfinite" + suffix, result);
        }
        return relu(form, half, result);
    }

    private Source relu(BoundInstruction form, ScalarType half, Source value) {
        return form.has("relu")
                ? builder.compute("relu" + FloatLowering.suffix(half), value)
                : value;
    }

    private void toPackedQuarters(BoundInstruction form, ScalarType to, ScalarType from) {
        String method = to == ScalarType.E4M3X2 ? "e4m3FromF32" : "e5m2FromF32";
        Source high;
        Source low;
        if (from == ScalarType.F32) {
            high = builder.read(form.operand(1), from);
            low = builder.read(form.operand(2), from);
        } else {
            String widen = from == ScalarType.F16X2 ? "f32FromF16" : "f32FromBf16";
            Source pair = builder.read(form.operand(1), from);
            high = builder.compute(widen, builder.compute("highHalf", pair));
            low = builder.compute(widen, builder.compute("zeroExtend16", pair));
        }
        if (form.has("relu")) {
            Source zero = Source.word(0);
            high = builder.compute("maximumNanF32", high, zero);
            low = builder.compute("maximumNanF32", low, zero);
        }
        builder.write(
                form.operand(0),
                builder.compute(
                        "pairBytes", builder.compute(method, low), builder.compute(method, high)),
                ScalarType.B16);
    }

    private void toTf32(BoundInstruction form) {
        Source value = builder.read(form.operand(1), ScalarType.F32);
        Source result = builder.compute("tf32FromF32" + MethodNames.rounding(form), value);
        if (form.has("satfinite")) {
            result = builder.compute("satfiniteTf32", result);
        }
        if (form.has("relu")) {
            result = builder.compute("reluTf32", result);
        }
        builder.write(form.operand(0), result, ScalarType.B32);
    }

    private Source flushed(BoundInstruction form, Source value) {
        return form.has("ftz") ? builder.compute("flushF32", value) : value;
    }

    private Source number(BoundInstruction form, ScalarType to, ScalarType from) {
        boolean fromFloat = FloatLowering.isFloat(from);
        boolean toFloat = FloatLowering.isFloat(to);
        Source value = builder.read(form.operand(1), from);
        if (!fromFloat && from.bits() < 32) {
            value = builder.narrow(value, from.bits(), MethodNames.isSigned(from));
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
        if (form.has("sat") && !(to.bits() == from.bits() && to.kind() == from.kind())) {
            return saturated(to, from, value);
        }
        if (to.bits() == 64 && value.width() == dev.heddle.vm.ir.Width.WORD) {
            return builder.compute(
                    MethodNames.isSigned(from) ? "signExtend32" : "zeroExtend32", value);
        }
        if (to.bits() <= 32 && value.width() == dev.heddle.vm.ir.Width.LONG) {
            value = builder.compute("truncate64", value);
        }
        return value;
    }

    private Source saturated(ScalarType to, ScalarType from, Source value) {
        String source = MethodNames.suffix(from);
        String target = (MethodNames.isSigned(to) ? "S" : "U") + to.bits();
        if (to.bits() == 64 && value.width() == dev.heddle.vm.ir.Width.WORD) {
            Source wide =
                    builder.compute(
                            MethodNames.isSigned(from) ? "signExtend32" : "zeroExtend32", value);
            return MethodNames.isSigned(from) && !MethodNames.isSigned(to)
                    ? builder.compute("saturateS64ToU64", wide)
                    : wide;
        }
        return source.equals(target)
                ? value
                : builder.compute("saturate" + source + "To" + target, value);
    }

    private Source integerToFloat(
            BoundInstruction form, ScalarType to, ScalarType from, Source value) {
        String rounding =
                to == ScalarType.F64 && from.bits() < 64 ? "" : MethodNames.rounding(form);
        Source result =
                builder.compute(lower(to) + "From" + MethodNames.suffix(from) + rounding, value);
        return saturate(form, to, result);
    }

    private static String lower(ScalarType type) {
        return type.keyword();
    }

    private Source floatToInteger(
            BoundInstruction form, ScalarType to, ScalarType from, Source value) {
        Source wide = value;
        String suffix = "F32";
        if (from == ScalarType.F64) {
            suffix = "F64";
        } else if (from == ScalarType.F32) {
            wide = flushed(form, value);
        } else {
            wide = builder.compute(from == ScalarType.F16 ? "f32FromF16" : "f32FromBf16", value);
        }
        Source integral = builder.compute("integral" + suffix + integralMode(form), wide);
        return builder.compute(lower(to) + "From" + suffix, integral);
    }

    private static String integralMode(BoundInstruction form) {
        return switch (form.oneOf("rni", "rzi", "rmi", "rpi")) {
            case "rni" -> "Rni";
            case "rzi" -> "Rzi";
            case "rmi" -> "Rmi";
            default -> "Rpi";
        };
    }

    private static boolean isIntegral(BoundInstruction form) {
        return form.has("rni") || form.has("rzi") || form.has("rmi") || form.has("rpi");
    }

    private Source floatToFloat(
            BoundInstruction form, ScalarType to, ScalarType from, Source value) {
        Source input = from == ScalarType.F32 ? flushed(form, value) : value;
        if (from == ScalarType.F32 && to.bits() >= 32 && form.has("ftz")) {
            // As an H100 does; without .ftz it keeps a NaN's payload.
            input = builder.compute("canonicalF32", input);
        }
        if (to == from) {
            return sameFormat(form, to, input);
        }
        String suffix = FloatLowering.suffix(from);
        if (to == ScalarType.F64) {
            return saturate(form, to, builder.compute("f64From" + suffix, input));
        }
        if (to == ScalarType.F32 && from == ScalarType.BF16 && !form.has("ftz")) {
            return saturate(form, to, builder.compute("f32BitsFromBf16", input));
        }
        if (to == ScalarType.F32) {
            if (from == ScalarType.F64) {
                String method = "f32FromF64" + (form.has("ftz") ? "Ftz" : "");
                return saturate(
                        form, to, builder.compute(method + MethodNames.rounding(form), input));
            }
            return saturate(form, to, flushed(form, builder.compute("f32From" + suffix, input)));
        }
        // f16 and bf16 from each other go through f32, which holds both exactly.
        if (from.bits() == 16) {
            Source single = builder.compute("f32From" + suffix, input);
            return halfModifiers(
                    form,
                    to,
                    builder.compute(lower(to) + "FromF32" + MethodNames.rounding(form), single));
        }
        return halfModifiers(
                form,
                to,
                builder.compute(lower(to) + "From" + suffix + MethodNames.rounding(form), input));
    }

    private Source halfModifiers(BoundInstruction form, ScalarType to, Source value) {
        Source result = value;
        if (form.has("satfinite")) {
            result = builder.compute("satfinite" + FloatLowering.suffix(to), result);
        }
        return relu(form, to, saturate(form, to, result));
    }

    private Source sameFormat(BoundInstruction form, ScalarType type, Source value) {
        if (!isIntegral(form)) {
            return saturate(form, type, value);
        }
        return switch (type) {
            case F32 ->
                    saturate(
                            form,
                            type,
                            builder.compute(
                                    "canonicalF32",
                                    builder.compute("integralF32" + integralMode(form), value)));
            case F64 ->
                    saturate(
                            form, type, builder.compute("integralF64" + integralMode(form), value));
            default -> {
                Source single = builder.compute("f32From" + FloatLowering.suffix(type), value);
                yield saturate(
                        form,
                        type,
                        builder.compute(
                                lower(type) + "FromF32",
                                builder.compute("integralF32" + integralMode(form), single)));
            }
        };
    }

    private Source saturate(BoundInstruction form, ScalarType to, Source value) {
        return form.has("sat")
                ? builder.compute("saturate" + FloatLowering.suffix(to), value)
                : value;
    }
}
