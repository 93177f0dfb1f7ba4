package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.B16;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.tensorcore.x86.Assembler.EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.semantics.HalfArithmetic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Arithmetic of `f16` and `bf16` as machine code: a number is the lower half of a word.
///
/// Numbers are widened to `float`, and the result is narrowed. A sum or product that was rounded to
/// 24 bits and then to 11 or 8 is as if rounded once: 24 is at least twice 11 and two more
/// (Figueroa, 1995), and sums of subnormals and products of `f16` are exact. Products of `bf16`
/// below 2^-134 may not be: one that is rounded up to 2^-134, from which on it counts, would have
/// to be 65535 times 2^-150, and that has a prime factor above 255. A fused sum may be as long as
/// it likes: it is rounded to odd.
final class HalfEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;

    private static final int MAGNITUDE = 0x7fff;
    private static final int SIGN = 0x8000;

    // Of floats: what is below the first is subnormal as `f16`; what is below the second is still
    // below the first when rounded to 11 bits.
    private static final int NORMAL = Float.floatToRawIntBits(0x1p-14f);
    private static final int ALMOST_NORMAL = Float.floatToRawIntBits(0x1p-14f - 0x1p-26f);

    static final Map<Operation, Making<HalfEmitter>> KNOWN = new HashMap<>();

    static {
        for (FloatFormat format : new FloatFormat[] {FloatFormat.F16, FloatFormat.BF16}) {
            ScalarType type = ScalarType.valueOf(format.name());
            KNOWN.put(nearest(OperationKind.ADD, type), binary(format, Evex.VADDPS));
            KNOWN.put(nearest(OperationKind.SUB, type), binary(format, Evex.VSUBPS));
            KNOWN.put(nearest(OperationKind.MUL, type), binary(format, Evex.VMULPS));
            KNOWN.put(nearest(OperationKind.FMA, type), fused(format));
            extremes(OperationKind.MIN, type, format);
            extremes(OperationKind.MAX, type, format);
            KNOWN.put(
                    Operation.of(OperationKind.ABS, type), signed(format, Evex.VPANDD, MAGNITUDE));
            KNOWN.put(Operation.of(OperationKind.NEG, type), signed(format, Evex.VPXORD, SIGN));
            KNOWN.put(Operation.of(OperationKind.SAT, type), saturation(format));
            KNOWN.put(Operation.of(OperationKind.RELU, type), rectification(format));
            KNOWN.put(Operation.of(OperationKind.SATFINITE, type), finiteness(format));
            KNOWN.put(
                    Operation.convert(F32, type),
                    (in, sources, chunk, made) ->
                            in.widen(format, made, sources.getFirst(), chunk));
            KNOWN.put(Operation.convert(ScalarType.F64, type), toDouble(format));
            for (Rounding rounding : Rounding.values()) {
                if (ConversionEmitter.direction(rounding) >= 0) {
                    KNOWN.put(Operation.convert(type, F32, rounding), narrowing(format, rounding));
                    KNOWN.put(
                            Operation.convert(type, S32, rounding),
                            ofInteger(format, rounding, RIGHT_WITH_SIGN));
                    KNOWN.put(
                            Operation.convert(type, U32, rounding),
                            ofInteger(format, rounding, RIGHT));
                }
            }
        }
        KNOWN.put(Operation.of(OperationKind.FTZ, ScalarType.F16), HalfEmitter::flush);
        KNOWN.put(flushed(OperationKind.MUL), HalfEmitter::flushedProduct);
        KNOWN.put(flushed(OperationKind.FMA), HalfEmitter::flushedSum);
        KNOWN.put(Operation.of(OperationKind.XORSIGN, B16), HalfEmitter::xorSign);
        KNOWN.put(Operation.of(OperationKind.OOB, B16), HalfEmitter::withinBounds);
    }

    private static Operation nearest(OperationKind kind, ScalarType type) {
        return Operation.of(kind, type, Rounding.NEAREST_EVEN);
    }

    private static Operation flushed(OperationKind kind) {
        return Operation.of(kind, ScalarType.F16, Rounding.NEAREST_EVEN, Modifier.FTZ);
    }

    private static void extremes(OperationKind kind, ScalarType type, FloatFormat format) {
        KNOWN.put(Operation.of(kind, type), extreme(format, kind, false));
        KNOWN.put(Operation.of(kind, type, Modifier.NAN), extreme(format, kind, true));
    }

    private final WarpValues values;
    private final Assembler code;
    private final ExtremeEmitter extremes;
    private final FlushedEmitter floats;

    HalfEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
        extremes = new ExtremeEmitter(values);
        floats = new FlushedEmitter(values);
    }

    // To floats and back.

    /// A chunk of numbers as floats.
    void widen(FloatFormat format, int target, Source a, int chunk) {
        if (format == FloatFormat.BF16) {
            code.vector(Evex.VPSLLD_I, LEFT, target, values.operand(a, chunk), 16);
            return;
        }
        int from = values.load(a, chunk, target);
        code.vector(Evex.VPMOVDW, from, 0, Operand.register(target));
        code.vector(Evex.VCVTPH2PS, target, 0, Operand.register(target));
    }

    /// Floats as numbers of a format; a NaN becomes the one of GPUs.
    ///
    /// @param value vector with the floats; not [WarpValues#SECOND]
    void narrow(FloatFormat format, Rounding rounding, int value, int made) {
        int result = made == value ? SECOND : made;
        round(format, rounding, value, result);
        code.replaceNans(false, result, value, code.word(HalfArithmetic.CANONICAL_NAN));
        move(made, result);
    }

    /// The same but for NaNs, which become anything as `bf16`.
    void round(FloatFormat format, Rounding rounding, int value, int result) {
        if (format == FloatFormat.F16) {
            int direction = ConversionEmitter.direction(rounding);
            code.vector(Evex.VCVTPS2PH, value, 0, Operand.register(result), direction);
            code.vector(Evex.VPMOVZXWD, result, 0, Operand.register(result));
        } else if (rounding == Rounding.TOWARD_ZERO) {
            code.vector(Evex.VPSLLD_I, RIGHT, result, Operand.register(value), 16);
        } else if (rounding != Rounding.NEAREST_EVEN) {
            // Away from zero, what carries unless all bits that are cut off are zeros.
            int carry = 0xffff;
            code.vector(Evex.VPSRAD_I, RIGHT_WITH_SIGN, result, Operand.register(value), 31);
            code.vector(Evex.VPANDD, result, result, code.word(carry));
            if (rounding == Rounding.UP) {
                code.vector(Evex.VPXORD, result, result, code.word(carry));
            }
            code.vector(Evex.VPADDD, result, result, Operand.register(value));
            code.vector(Evex.VPSLLD_I, RIGHT, result, Operand.register(result), 16);
        } else {
            // Half a unit less one, and the last bit, are added before the rest is cut off.
            code.vector(Evex.VPSLLD_I, RIGHT, result, Operand.register(value), 16);
            code.vector(Evex.VPANDD, result, result, code.word(1));
            code.vector(Evex.VPADDD, result, result, Operand.register(value));
            code.vector(Evex.VPADDD, result, result, code.word(0x7fff));
            code.vector(Evex.VPSLLD_I, RIGHT, result, Operand.register(result), 16);
        }
    }

    private void move(int target, int from) {
        if (target != from) {
            code.vector(Evex.VMOVDQU32, target, 0, Operand.register(from));
        }
    }

    /// A chunk of doubles: they are half as many as floats.
    private static Making<HalfEmitter> toDouble(FloatFormat format) {
        return (in, sources, chunk, made) -> {
            in.widen(format, FIRST, sources.getFirst(), chunk >> 1);
            Operand eight = Operand.register(FIRST);
            if ((chunk & 1) == 1) {
                in.code.vector(Evex.VEXTRACTI64X4, FIRST, 0, Operand.register(SECOND), 1);
                eight = Operand.register(SECOND);
            }
            in.code.vector(Evex.VCVTPS2PD, made, 0, eight);
        };
    }

    private static Making<HalfEmitter> narrowing(FloatFormat format, Rounding rounding) {
        return (in, sources, chunk, made) -> {
            int value = in.values.load(sources.getFirst(), chunk, FIRST);
            in.narrow(format, rounding, value, made);
        };
    }

    /// The upper half of a word times 2^16, and the lower half: both are floats.
    ///
    /// @param shift to the right, with sign or without
    private static Making<HalfEmitter> ofInteger(FloatFormat format, Rounding rounding, int shift) {
        return (in, sources, chunk, made) -> {
            Assembler code = in.code;
            int from = in.values.load(sources.getFirst(), chunk, THIRD);
            code.vector(
                    shift == RIGHT ? Evex.VPSLLD_I : Evex.VPSRAD_I,
                    shift,
                    FIRST,
                    Operand.register(from),
                    16);
            code.vector(Evex.VPANDD, THIRD, from, code.word(0xffff));
            code.vector(Evex.VCVTDQ2PS, FIRST, 0, Operand.register(FIRST));
            code.vector(Evex.VCVTDQ2PS, THIRD, 0, Operand.register(THIRD));
            int scale = Float.floatToRawIntBits(0x1p16f);
            code.vector(Evex.VPBROADCASTD, SECOND, 0, code.word(scale));
            code.fusedToOdd(THIRD, FIRST, SECOND, WarpValues.FOURTH);
            in.narrow(format, rounding, THIRD, made);
        };
    }

    // Sums and products.

    private static Making<HalfEmitter> binary(FloatFormat format, Evex operation) {
        return (in, sources, chunk, made) -> {
            in.widenBoth(format, sources, chunk);
            in.code.vector(operation, FIRST, FIRST, Operand.register(SECOND));
            in.narrow(format, Rounding.NEAREST_EVEN, FIRST, made);
        };
    }

    private void widenBoth(FloatFormat format, List<Source> sources, int chunk) {
        widen(format, FIRST, sources.get(0), chunk);
        widen(format, SECOND, sources.get(1), chunk);
    }

    private static Making<HalfEmitter> fused(FloatFormat format) {
        return (in, sources, chunk, made) -> {
            in.widenBoth(format, sources, chunk);
            in.widen(format, THIRD, sources.get(2), chunk);
            in.code.fusedToOdd(THIRD, FIRST, SECOND, WarpValues.FOURTH);
            in.narrow(format, Rounding.NEAREST_EVEN, THIRD, made);
        };
    }

    /// `mul.ftz.f16`: what is below 2^-14 once rounded to 11 bits is zero.
    private void flushedProduct(List<Source> sources, int chunk, int made) {
        widenBoth(FloatFormat.F16, sources, chunk);
        floats.flush(FIRST, THIRD, NORMAL);
        floats.flush(SECOND, THIRD, NORMAL);
        code.vector(Evex.VMULPS, FIRST, FIRST, Operand.register(SECOND));
        floats.flush(FIRST, THIRD, ALMOST_NORMAL);
        narrow(FloatFormat.F16, Rounding.NEAREST_EVEN, FIRST, made);
    }

    private void flushedSum(List<Source> sources, int chunk, int made) {
        widenBoth(FloatFormat.F16, sources, chunk);
        widen(FloatFormat.F16, THIRD, sources.get(2), chunk);
        floats.flush(FIRST, WarpValues.FOURTH, NORMAL);
        floats.flush(SECOND, WarpValues.FOURTH, NORMAL);
        floats.flush(THIRD, WarpValues.FOURTH, NORMAL);
        code.fusedToOdd(THIRD, FIRST, SECOND, WarpValues.FOURTH);
        floats.flush(THIRD, WarpValues.FOURTH, ALMOST_NORMAL);
        narrow(FloatFormat.F16, Rounding.NEAREST_EVEN, THIRD, made);
    }

    private void flush(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        code.vector(Evex.VPANDD, SECOND, FIRST, code.word(MAGNITUDE));
        int normal = (int) FloatFormat.F16.minNormal();
        code.vector(Evex.VPCMPD, 5, SECOND, code.word(normal), LESS);
        code.vectorWhere(Evex.VPANDD, 5, FIRST, FIRST, code.word(SIGN));
        move(made, FIRST);
    }

    // What moves bits, or chooses.

    private static Making<HalfEmitter> extreme(
            FloatFormat format, OperationKind kind, boolean keepsNan) {
        return (in, sources, chunk, made) -> {
            in.widenBoth(format, sources, chunk);
            in.extremes.emit(kind, keepsNan, FIRST);
            in.narrow(format, Rounding.TOWARD_ZERO, FIRST, made);
        };
    }

    /// The NaNs among numbers, in mask register 5; [WarpValues#SECOND] is changed.
    private void findNans(FloatFormat format, int value) {
        code.vector(Evex.VPANDD, SECOND, value, code.word(MAGNITUDE));
        code.vector(Evex.VPCMPD, 5, SECOND, code.word((int) format.infinity()), GREATER);
    }

    private void replace(int mask, int target, int constant) {
        code.vectorWhere(Evex.VPBROADCASTD, mask, target, 0, code.word(constant));
    }

    /// An operation on the bits of a number but of a NaN.
    private static Making<HalfEmitter> signed(FloatFormat format, Evex operation, int bits) {
        return (in, sources, chunk, made) -> {
            int first = in.values.load(sources.getFirst(), chunk, FIRST);
            in.findNans(format, first);
            in.code.vector(operation, SECOND, first, in.code.word(bits));
            in.replace(5, SECOND, HalfArithmetic.CANONICAL_NAN);
            in.move(made, SECOND);
        };
    }

    /// Without signs, NaNs and negative numbers are above infinity.
    private static Making<HalfEmitter> saturation(FloatFormat format) {
        return (in, sources, chunk, made) -> {
            int first = in.values.load(sources.getFirst(), chunk, FIRST);
            Operand one = in.code.word(HalfArithmetic.oneWhere(true, format));
            Operand infinity = in.code.word((int) format.infinity());
            in.code.vector(Evex.VPCMPUD, 5, first, infinity, GREATER);
            in.code.vector(Evex.VPMINUD, SECOND, first, one);
            in.replace(5, SECOND, 0);
            in.move(made, SECOND);
        };
    }

    private static Making<HalfEmitter> rectification(FloatFormat format) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.getFirst(), chunk);
            in.findNans(format, FIRST);
            in.code.vector(Evex.VPTESTMD, 6, FIRST, in.code.word(SIGN));
            in.replace(6, FIRST, 0);
            in.replace(5, FIRST, HalfArithmetic.CANONICAL_NAN);
            in.move(made, FIRST);
        };
    }

    private static Making<HalfEmitter> finiteness(FloatFormat format) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.getFirst(), chunk);
            in.code.vector(Evex.VPANDD, SECOND, FIRST, in.code.word(MAGNITUDE));
            Operand infinity = in.code.word((int) format.infinity());
            in.code.vector(Evex.VPCMPD, 5, SECOND, infinity, EQUAL);
            in.code.vectorWhere(Evex.VPADDD, 5, FIRST, FIRST, in.code.word(-1));
            in.move(made, FIRST);
        };
    }

    private void xorSign(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.get(0), chunk);
        values.copy(SECOND, sources.get(1), chunk);
        code.vector(Evex.VPCMPD, 5, FIRST, code.word(HalfArithmetic.CANONICAL_NAN), EQUAL);
        code.vector(Evex.VPXORD, SECOND, SECOND, values.operand(sources.get(2), chunk));
        code.vector(Evex.VPANDD, SECOND, SECOND, code.word(SIGN));
        code.vector(Evex.VPANDD, FIRST, FIRST, code.word(MAGNITUDE));
        code.vector(Evex.VPORD, FIRST, FIRST, Operand.register(SECOND));
        replace(5, FIRST, HalfArithmetic.CANONICAL_NAN);
        move(made, FIRST);
    }

    private void withinBounds(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        for (int i = 1; i < 3; i++) {
            int factor = values.load(sources.get(i), chunk, SECOND);
            code.vector(Evex.VPANDD, SECOND, factor, code.word(MAGNITUDE));
            Operand out = code.word(HalfArithmetic.OUT_OF_BOUNDS_NAN);
            code.vector(Evex.VPCMPD, 5, SECOND, out, EQUAL);
            replace(5, FIRST, 0);
        }
        move(made, FIRST);
    }
}
