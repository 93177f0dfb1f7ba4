package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.UNORDERED;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Conversions between `f32` or halves and formats of at most eight bits, and to `tf32`.
final class NarrowFormatEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;

    private static final int SIGN = Integer.MIN_VALUE;
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int INFINITY = 0x7f80_0000;
    private static final int NAN = 0x7fff_ffff;
    private static final int FRACTION_BITS = 23;
    private static final int BIAS = 127;

    /// What of a float is not in a `tf32`.
    private static final int BELOW_TF32 = 0x1fff;

    private static final FloatFormat[] FORMATS = {
        FloatFormat.E4M3, FloatFormat.E5M2, FloatFormat.E2M3, FloatFormat.E3M2, FloatFormat.E2M1
    };

    static final Map<Operation, Making<NarrowFormatEmitter>> KNOWN = new HashMap<>();

    static {
        for (FloatFormat format : FORMATS) {
            ScalarType type = ScalarType.valueOf(format.name());
            KNOWN.put(
                    Operation.convert(type, ScalarType.F32, Rounding.NEAREST_EVEN),
                    (in, sources, chunk, made) ->
                            in.encode(format, sources.getFirst(), chunk, made));
            KNOWN.put(
                    Operation.convert(ScalarType.F16, type),
                    (in, sources, chunk, made) ->
                            in.decode(format, sources.getFirst(), chunk, made));
        }
        KNOWN.put(
                Operation.from(ScalarType.B8, OperationKind.PACK, ScalarType.B16),
                NarrowFormatEmitter::pack);
        KNOWN.put(toTf32(Rounding.NEAREST_AWAY), NarrowFormatEmitter::awayToTf32);
        KNOWN.put(toTf32(Rounding.NEAREST_EVEN), NarrowFormatEmitter::evenToTf32);
        KNOWN.put(toTf32(Rounding.TOWARD_ZERO), NarrowFormatEmitter::cutToTf32);
        KNOWN.put(
                Operation.of(OperationKind.SATFINITE, ScalarType.TF32),
                NarrowFormatEmitter::finiteTf32);
        KNOWN.put(
                Operation.of(OperationKind.RELU, ScalarType.TF32),
                NarrowFormatEmitter::positiveTf32);
    }

    private static Operation toTf32(Rounding rounding) {
        return Operation.convert(ScalarType.TF32, ScalarType.F32, rounding);
    }

    private final WarpValues values;
    private final Assembler code;
    private final HalfEmitter halves;

    NarrowFormatEmitter(WarpValues values, HalfEmitter halves) {
        this.values = values;
        this.halves = halves;
        code = values.code;
    }

    private void apply(Evex operation, int target, int a, int constant) {
        code.vector(operation, target, a, code.word(constant));
    }

    private void join(Evex operation, int target, int other) {
        code.vector(operation, target, target, Operand.register(other));
    }

    private void shift(int digit, int target, int a, int amount) {
        code.vector(Evex.VPSLLD_I, digit, target, Operand.register(a), amount);
    }

    private void replace(int target, int constant) {
        code.vectorWhere(Evex.VPBROADCASTD, 5, target, 0, code.word(constant));
    }

    private void move(int target, int from) {
        code.vector(Evex.VMOVDQU32, target, 0, Operand.register(from));
    }

    private void findNans(int value) {
        code.vector(Evex.VCMPPS, 5, value, Operand.register(value), UNORDERED);
    }

    // Formats of at most eight bits.

    private static int code(FloatFormat format, double value) {
        return (int) format.encode(value, Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    private static int bits(double value) {
        return Float.floatToRawIntBits((float) value);
    }

    /// A normal number loses the bits of its fraction that there is no room for; to one that is not
    /// normal is added what has the unit of these as its last bit. Beyond the largest is the
    /// largest.
    private void encode(FloatFormat format, Source a, int chunk, int made) {
        int lost = FRACTION_BITS - format.fractionBits();
        int largest = code(format, Double.POSITIVE_INFINITY);
        int leastNormal = BIAS + 1 - format.bias() << FRACTION_BITS;
        int unit = FRACTION_BITS + 1 - format.bias() - format.fractionBits() + BIAS;
        int subnormal = WarpValues.FOURTH;
        values.copy(FIRST, a, chunk);
        apply(Evex.VPANDD, SECOND, FIRST, MAGNITUDE);
        apply(Evex.VPMINUD, SECOND, SECOND, bits(format.toDouble(largest)));
        apply(Evex.VADDPS, subnormal, SECOND, unit << FRACTION_BITS);
        apply(Evex.VPSUBD, subnormal, subnormal, unit << FRACTION_BITS);
        code.vector(Evex.VPCMPD, 5, SECOND, code.word(leastNormal), LESS);
        toEven(SECOND, THIRD, lost);
        shift(RIGHT, SECOND, SECOND, lost);
        apply(Evex.VPSUBD, SECOND, SECOND, BIAS - format.bias() << format.fractionBits());
        code.vectorWhere(Evex.VMOVDQU32, 5, SECOND, 0, Operand.register(subnormal));
        apply(Evex.VPANDD, THIRD, FIRST, SIGN);
        shift(RIGHT, THIRD, THIRD, Integer.SIZE - format.bits());
        join(Evex.VPORD, SECOND, THIRD);
        findNans(FIRST);
        replace(SECOND, code(format, Double.NaN));
        move(made, SECOND);
    }

    /// Adds what carries into the bits that are kept where the rest is more than half, or half and
    /// the last of them is set.
    private void toEven(int value, int spare, int lost) {
        shift(RIGHT, spare, value, lost);
        apply(Evex.VPANDD, spare, spare, 1);
        join(Evex.VPADDD, value, spare);
        apply(Evex.VPADDD, value, value, (1 << lost - 1) - 1);
    }

    /// The fields as those of a float, whose exponent a product puts right.
    private void decode(FloatFormat format, Source a, int chunk, int made) {
        int magnitude = (1 << format.exponentBits() + format.fractionBits()) - 1;
        int largest = code(format, Double.POSITIVE_INFINITY);
        values.copy(SECOND, a, chunk);
        apply(Evex.VPANDD, THIRD, SECOND, magnitude);
        shift(LEFT, FIRST, THIRD, FRACTION_BITS - format.fractionBits());
        apply(Evex.VMULPS, FIRST, FIRST, 2 * BIAS - format.bias() << FRACTION_BITS);
        if (format.hasInfinity()) {
            code.vector(Evex.VPCMPD, 5, THIRD, code.word(largest + 1), EQUAL);
            replace(FIRST, INFINITY);
        }
        if (format.hasNaN()) {
            int last = format.hasInfinity() ? largest + 1 : largest;
            code.vector(Evex.VPCMPD, 5, THIRD, code.word(last), GREATER);
            replace(FIRST, NAN);
        }
        shift(LEFT, SECOND, SECOND, Integer.SIZE - format.bits());
        apply(Evex.VPANDD, SECOND, SECOND, SIGN);
        join(Evex.VPORD, FIRST, SECOND);
        halves.narrow(FloatFormat.F16, Rounding.NEAREST_EVEN, FIRST, made);
    }

    private void pack(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.get(0), chunk);
        values.copy(SECOND, sources.get(1), chunk);
        apply(Evex.VPANDD, FIRST, FIRST, 0xff);
        apply(Evex.VPANDD, SECOND, SECOND, 0xff);
        shift(LEFT, SECOND, SECOND, 8);
        code.vector(Evex.VPORD, made, FIRST, Operand.register(SECOND));
    }

    // tf32.

    /// A NaN keeps its upper bits.
    private void awayToTf32(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        findNans(FIRST);
        apply(Evex.VPADDD, SECOND, FIRST, BELOW_TF32 + 1 >> 1);
        code.vectorWhere(Evex.VMOVDQU32, 5, SECOND, 0, Operand.register(FIRST));
        apply(Evex.VPANDD, made, SECOND, ~BELOW_TF32);
    }

    private void evenToTf32(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        findNans(FIRST);
        toEven(FIRST, SECOND, 13);
        replace(FIRST, NAN);
        apply(Evex.VPANDD, made, FIRST, ~BELOW_TF32);
    }

    private void cutToTf32(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        findNans(FIRST);
        replace(FIRST, NAN);
        apply(Evex.VPANDD, made, FIRST, ~BELOW_TF32);
    }

    private void finiteTf32(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        apply(Evex.VPANDD, SECOND, FIRST, INFINITY);
        code.vector(Evex.VPCMPD, 5, SECOND, code.word(INFINITY), EQUAL);
        int before = -(BELOW_TF32 + 1);
        code.vectorWhere(Evex.VPADDD, 5, FIRST, FIRST, code.word(before));
        move(made, FIRST);
    }

    private void positiveTf32(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.getFirst(), chunk);
        findNans(FIRST);
        apply(Evex.VPMAXSD, SECOND, FIRST, 0);
        code.vectorWhere(Evex.VMOVDQU32, 5, SECOND, 0, Operand.register(FIRST));
        move(made, SECOND);
    }
}
