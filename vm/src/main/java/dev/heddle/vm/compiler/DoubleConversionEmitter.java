package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.F64;
import static dev.heddle.ptx.ScalarType.S16;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.S8;
import static dev.heddle.ptx.ScalarType.U16;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.ptx.ScalarType.U8;
import static dev.heddle.tensorcore.x86.Assembler.GREATER_OR_EQUAL_ORDERED;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL_ORDERED;
import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.UNORDERED;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Conversions from and to `f64` and integers of 64 bits. NaNs are as each leaves them.
final class DoubleConversionEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;
    private static final int FOURTH = WarpValues.FOURTH;

    private static final long LOW_WORD = 0xffff_ffffL;

    // As bits of doubles: 2^52; 2^84 and with it 2^63; and their sums with 2^52.
    private static final long TWO_52 = 0x4330_0000_0000_0000L;
    private static final long TWO_84 = 0x4530_0000_0000_0000L;
    private static final long TWO_84_AND_63 = 0x4530_0000_8000_0000L;
    private static final long TWO_84_AND_52 = 0x4530_0000_0010_0000L;
    private static final long TWO_84_63_AND_52 = 0x4530_0000_8010_0000L;

    static final Map<Operation, Making<DoubleConversionEmitter>> KNOWN = new HashMap<>();

    static {
        KNOWN.put(Operation.convert(S8, F64), integer(-0x80, 0x7f, -0x80));
        KNOWN.put(Operation.convert(U8, F64), integer(0, 0xff, 0x80));
        KNOWN.put(Operation.convert(S16, F64), integer(-0x8000, 0x7fff, -0x8000));
        KNOWN.put(Operation.convert(U16, F64), integer(0, 0xffff, 0x8000));
        KNOWN.put(Operation.convert(S32, F64), DoubleConversionEmitter::toSigned);
        KNOWN.put(Operation.convert(U32, F64), DoubleConversionEmitter::toUnsigned);
        for (ScalarType type : List.of(F32, F64)) {
            KNOWN.put(Operation.convert(S64, type), toLong(type, true));
            KNOWN.put(Operation.convert(U64, type), toLong(type, false));
        }
        for (Rounding rounding : Rounding.values()) {
            int direction = ConversionEmitter.direction(rounding);
            if (direction >= 0) {
                know(rounding, direction);
            }
        }
    }

    private static void know(Rounding rounding, int direction) {
        KNOWN.put(Operation.convert(F32, F64, rounding), ofDoubles(direction));
        KNOWN.put(Operation.convert(F32, F64, rounding, Modifier.FTZ), flushed(direction));
        for (ScalarType type : List.of(S64, U64)) {
            boolean signed = type == S64;
            KNOWN.put(Operation.convert(F64, type, rounding), doubleOf(signed, direction));
            KNOWN.put(Operation.convert(F32, type, rounding), floatOf(signed, direction));
        }
        for (FloatFormat format : List.of(FloatFormat.F16, FloatFormat.BF16)) {
            ScalarType half = ScalarType.valueOf(format.name());
            KNOWN.put(
                    Operation.convert(half, F64, rounding),
                    (in, sources, chunk, made) ->
                            in.halfOfDouble(format, rounding, sources, chunk, made));
            for (ScalarType type : List.of(S64, U64)) {
                KNOWN.put(
                        Operation.convert(half, type, rounding),
                        (in, sources, chunk, made) -> {
                            in.oddFloats(sources, chunk, () -> in.exactly(type == S64));
                            in.halves.narrow(format, rounding, FIRST, made);
                        });
            }
        }
    }

    private final WarpValues values;
    private final Assembler code;
    private final HalfEmitter halves;
    private final FlushedEmitter flushes;

    DoubleConversionEmitter(WarpValues values, HalfEmitter halves, FlushedEmitter flushes) {
        this.values = values;
        this.halves = halves;
        this.flushes = flushes;
        code = values.code;
    }

    private void apply(Evex operation, int target, int a, long constant) {
        code.vector(operation, target, a, code.longword(constant));
    }

    private Operand number(double value) {
        return code.longword(Double.doubleToRawLongBits(value));
    }

    private void shift(int digit, int target, int a, int amount) {
        code.vector(Evex.VPSLLQ_I, digit, target, Operand.register(a), amount);
    }

    /// The NaNs of a vector, in mask register 5.
    private void findNans(int value) {
        code.vector(Evex.VCMPPD, 5, value, Operand.register(value), UNORDERED);
    }

    private void round(Evex operation, int direction, int target, int second, int last) {
        if (direction == 0) {
            code.vector(operation, target, second, Operand.register(last));
        } else {
            code.rounded(operation, direction, target, second, last);
        }
    }

    // To words and floats, which are twice as many.

    private interface Part {
        /// Leaves in the lower half of a vector what it makes of the first one.
        void emit(int to);
    }

    /// A chunk of words, of two of doubles.
    private void words(List<Source> sources, int chunk, int made, Part part) {
        int result = WarpValues.RESULT;
        for (int i = 0; i < 2; i++) {
            values.copy(FIRST, sources.getFirst(), 2 * chunk + i);
            part.emit(i == 0 ? result : FOURTH);
        }
        code.vector(Evex.VINSERTI64X4, made, result, Operand.register(FOURTH), 1);
    }

    private void floats(int direction, int to) {
        round(Evex.VCVTPD2PS, direction, to, 0, FIRST);
    }

    private static Making<DoubleConversionEmitter> ofDoubles(int direction) {
        return (in, sources, chunk, made) ->
                in.words(sources, chunk, made, to -> in.floats(direction, to));
    }

    /// Flushed where it is below 2^-126 with 24 bits, whatever its exponent: see [FlushedEmitter].
    private static Making<DoubleConversionEmitter> flushed(int direction) {
        return (in, sources, chunk, made) -> {
            in.words(
                    sources,
                    chunk,
                    THIRD,
                    to -> {
                        in.code.vector(Evex.VMULPD, FIRST, FIRST, in.number(0x1p64));
                        in.floats(direction, to);
                    });
            int result = WarpValues.RESULT;
            in.words(sources, chunk, result, to -> in.floats(direction, to));
            in.flushes.flushBy(THIRD, result, SECOND, FlushedEmitter.LEAST_SCALED);
            in.code.vector(Evex.VMOVDQU32, made, 0, Operand.register(result));
        };
    }

    /// The nearest that there is; the second operand of these instructions wins where one is NaN.
    private void toSigned(List<Source> sources, int chunk, int made) {
        words(
                sources,
                chunk,
                made,
                to -> {
                    limit(Evex.VMINPD, Integer.MAX_VALUE);
                    code.vector(Evex.VCVTTPD2DQ, to, 0, Operand.register(FIRST));
                });
    }

    private void toUnsigned(List<Source> sources, int chunk, int made) {
        words(
                sources,
                chunk,
                made,
                to -> {
                    limit(0, LOW_WORD, 0x1p31);
                    code.vector(Evex.VCVTTPD2UDQ, to, 0, Operand.register(FIRST));
                });
    }

    /// @param ofNan the sign of the narrow number alone
    private static Making<DoubleConversionEmitter> integer(int least, int most, int ofNan) {
        return (in, sources, chunk, made) ->
                in.words(
                        sources,
                        chunk,
                        made,
                        to -> {
                            in.limit(least, most, ofNan);
                            in.code.vector(Evex.VCVTTPD2DQ, to, 0, Operand.register(FIRST));
                        });
    }

    private void limit(double least, double most, double ofNan) {
        limit(Evex.VMINPD, most);
        limit(Evex.VMAXPD, least);
        findNans(FIRST);
        code.vectorWhere(Evex.VPBROADCASTQ, 5, FIRST, 0, number(ofNan));
    }

    private void limit(Evex choose, double bound) {
        code.vector(Evex.VPBROADCASTQ, SECOND, 0, number(bound));
        code.vector(choose, FIRST, SECOND, Operand.register(FIRST));
    }

    // To longs.

    /// The nearest that there is; the instructions make of all that is out of range what has the
    /// sign alone, or all bits.
    private static Making<DoubleConversionEmitter> toLong(ScalarType from, boolean signed) {
        return (in, sources, chunk, made) -> {
            Assembler code = in.code;
            if (from == F32) {
                Operand floats = in.values.half(sources.getFirst(), chunk, THIRD);
                code.vector(Evex.VCVTPS2PD, FIRST, 0, floats);
            } else {
                in.values.copy(FIRST, sources.getFirst(), chunk);
            }
            long changed = signed ? Long.MAX_VALUE : Long.MIN_VALUE;
            if (signed) {
                code.vector(Evex.VCMPPD, 5, FIRST, in.number(0x1p63), GREATER_OR_EQUAL_ORDERED);
            } else {
                in.limit(Evex.VMAXPD, 0);
                in.findNans(FIRST);
            }
            Evex convert = signed ? Evex.VCVTTPD2QQ : Evex.VCVTTPD2UQQ;
            code.vector(convert, SECOND, 0, Operand.register(FIRST));
            code.vectorWhere(Evex.VPBROADCASTQ, 5, SECOND, 0, code.longword(changed));
            code.vector(Evex.VMOVDQU64, made, 0, Operand.register(SECOND));
        };
    }

    // Of longs.

    /// Rounded down, 2^84 less itself is -0.
    private static Making<DoubleConversionEmitter> doubleOf(boolean signed, int direction) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.getFirst(), chunk);
            in.sum(signed, direction, SECOND);
            if (direction == Assembler.DOWN) {
                in.code.vector(Evex.VPTESTNMQ, 5, FIRST, Operand.register(FIRST));
                in.code.vectorWhere(Evex.VPBROADCASTQ, 5, SECOND, 0, in.code.longword(0));
            }
            in.code.vector(Evex.VMOVDQU64, made, 0, Operand.register(SECOND));
        };
    }

    /// Both words of a long as doubles, of which each is exact; their sum is rounded once.
    private void sum(boolean signed, int direction, int made) {
        apply(Evex.VPANDQ, SECOND, FIRST, LOW_WORD);
        apply(Evex.VPORQ, SECOND, SECOND, TWO_52);
        shift(RIGHT, THIRD, FIRST, 32);
        apply(Evex.VPXORQ, THIRD, THIRD, signed ? TWO_84_AND_63 : TWO_84);
        apply(Evex.VSUBPD, THIRD, THIRD, signed ? TWO_84_63_AND_52 : TWO_84_AND_52);
        round(Evex.VADDPD, direction, made, THIRD, SECOND);
    }

    private static Making<DoubleConversionEmitter> floatOf(boolean signed, int direction) {
        return (in, sources, chunk, made) ->
                in.words(
                        sources,
                        chunk,
                        made,
                        to -> {
                            in.exactly(signed);
                            in.floats(direction, to);
                        });
    }

    /// A long as a double that rounding to a float or less sees no difference to. From 2^53 on, the
    /// last twelve bits become one that says whether any was set: a double has all others.
    private void exactly(boolean signed) {
        int bits = 12;
        long all = (1L << bits) - 1;
        apply(Evex.VPADDQ, SECOND, FIRST, signed ? 1L << 53 : 0);
        long beyond = signed ? 1L << 54 : 1L << 53;
        code.vector(Evex.VPCMPUQ, 5, SECOND, code.longword(beyond), NOT_LESS);
        apply(Evex.VPANDQ, SECOND, FIRST, all);
        apply(Evex.VPADDQ, SECOND, SECOND, all);
        shift(RIGHT, SECOND, SECOND, bits);
        shift(LEFT, SECOND, SECOND, bits - 1);
        apply(Evex.VPANDQ, THIRD, FIRST, ~all);
        code.vector(Evex.VPORQ, SECOND, SECOND, Operand.register(THIRD));
        code.vectorWhere(Evex.VMOVDQU64, 5, FIRST, 0, Operand.register(SECOND));
        sum(signed, 0, FIRST);
    }

    // To halves.

    /// Leaves in vector 1 floats that are rounded to odd: cut off, and their last bit set where
    /// anything was lost. A later rounding to fewer bits is then as if rounded once.
    ///
    /// @param before changes the doubles in vector 1
    private void oddFloats(List<Source> sources, int chunk, Runnable before) {
        words(
                sources,
                chunk,
                FIRST,
                to -> {
                    before.run();
                    floats(Assembler.TOWARD_ZERO, to);
                    code.vector(Evex.VCVTPS2PD, SECOND, 0, Operand.register(to));
                    code.vector(Evex.VCMPPD, 5, SECOND, Operand.register(FIRST), NOT_EQUAL_ORDERED);
                    code.vectorWhere(Evex.VPORD, 5, to, to, code.word(1));
                });
    }

    /// A NaN keeps its sign and what fits of its payload.
    private void halfOfDouble(
            FloatFormat format, Rounding rounding, List<Source> sources, int chunk, int made) {
        oddFloats(sources, chunk, () -> {});
        halves.round(format, rounding, FIRST, SECOND);
        if (format == FloatFormat.BF16) {
            code.vector(Evex.VCMPPS, 5, FIRST, Operand.register(FIRST), UNORDERED);
            code.vector(Evex.VPSLLD_I, RIGHT, THIRD, Operand.register(FIRST), 16);
            code.vectorWhere(Evex.VMOVDQU32, 5, SECOND, 0, Operand.register(THIRD));
        }
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(SECOND));
    }
}
