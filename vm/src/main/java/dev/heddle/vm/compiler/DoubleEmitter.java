package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.F64;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;
import static dev.heddle.tensorcore.x86.Assembler.UNORDERED;

import static java.util.Map.entry;

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
import java.util.Objects;

/// What moves the bits of `f64`, chooses between two, rounds them to integers, and converts from
/// and to them. NaNs are as each operation leaves them.
final class DoubleEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;
    private static final int FOURTH = WarpValues.FOURTH;

    private static final long SIGN = Long.MIN_VALUE;
    private static final long QUIET = 1L << 51;
    private static final long LOW_WORD = 0xffff_ffffL;

    // As bits of doubles: 2^52; 2^84 and with it 2^63; and their sums with 2^52.
    private static final long TWO_52 = 0x4330_0000_0000_0000L;
    private static final long TWO_84 = 0x4530_0000_0000_0000L;
    private static final long TWO_84_AND_63 = 0x4530_0000_8000_0000L;
    private static final long TWO_84_AND_52 = 0x4530_0000_0010_0000L;
    private static final long TWO_84_63_AND_52 = 0x4530_0000_8010_0000L;

    private static final Map<Operation, Making<DoubleEmitter>> KNOWN = new HashMap<>();

    static {
        KNOWN.putAll(
                Map.ofEntries(
                        entry(Operation.of(OperationKind.MIN, F64), extreme(Evex.VPMINSQ)),
                        entry(Operation.of(OperationKind.MAX, F64), extreme(Evex.VPMAXSQ)),
                        entry(Operation.of(OperationKind.ABS, F64), signed(Evex.VPANDQ, ~SIGN)),
                        entry(Operation.of(OperationKind.NEG, F64), signed(Evex.VPXORQ, SIGN)),
                        entry(
                                Operation.instruction("copysign.f64", F64, List.of(F64, F64), F64),
                                DoubleEmitter::copySign),
                        entry(nearest(F32, F64), DoubleEmitter::toFloat),
                        entry(Operation.convert(S32, F64), DoubleEmitter::toSigned),
                        entry(Operation.convert(U32, F64), DoubleEmitter::toUnsigned)));
        for (Rounding rounding : Rounding.values()) {
            int direction = ConversionEmitter.direction(rounding);
            if (direction >= 0) {
                KNOWN.put(Operation.of(OperationKind.ROUND, F64, rounding), integral(direction));
            }
        }
        KNOWN.put(nearest(F64, S64), doubleOf(true));
        KNOWN.put(nearest(F64, U64), doubleOf(false));
        KNOWN.put(nearest(F32, S64), floatOf(true));
        KNOWN.put(nearest(F32, U64), floatOf(false));
    }

    private static Operation nearest(ScalarType to, ScalarType from) {
        return Operation.convert(to, from, Rounding.NEAREST_EVEN);
    }

    private final WarpValues values;
    private final Assembler code;

    DoubleEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether an operation is known here.
    static boolean knows(Operation operation) {
        return KNOWN.containsKey(operation);
    }

    /// Makes a chunk of a result.
    void emit(Operation operation, List<Source> sources, int chunk, int made) {
        Objects.requireNonNull(KNOWN.get(operation)).emit(this, sources, chunk, made);
    }

    private void apply(Evex operation, int target, int a, long constant) {
        code.vector(operation, target, a, code.longword(constant));
    }

    private void shift(int digit, int target, int a, int amount) {
        Evex operation = digit == RIGHT_WITH_SIGN ? Evex.VPSRAQ_I : Evex.VPSLLQ_I;
        code.vector(operation, digit, target, Operand.register(a), amount);
    }

    private void move(int target, int from) {
        if (target != from) {
            code.vector(Evex.VMOVDQU64, target, 0, Operand.register(from));
        }
    }

    /// The NaNs of a vector, in mask register 5.
    private void findNans(int value) {
        code.vector(Evex.VCMPPD, 5, value, Operand.register(value), UNORDERED);
    }

    // Bits.

    /// An operation on the bits of a number; a NaN keeps its sign.
    private static Making<DoubleEmitter> signed(Evex operation, long bits) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.getFirst(), chunk);
            in.findNans(FIRST);
            in.apply(operation, SECOND, FIRST, bits);
            in.apply(Evex.VPORQ, FIRST, FIRST, QUIET);
            in.code.vectorWhere(Evex.VMOVDQU64, 5, SECOND, 0, Operand.register(FIRST));
            in.move(made, SECOND);
        };
    }

    private void copySign(List<Source> sources, int chunk, int made) {
        values.copy(FIRST, sources.get(0), chunk);
        values.copy(SECOND, sources.get(1), chunk);
        apply(Evex.VPANDQ, FIRST, FIRST, SIGN);
        apply(Evex.VPANDQ, SECOND, SECOND, ~SIGN);
        code.vector(Evex.VPORQ, made, FIRST, Operand.register(SECOND));
    }

    /// A NaN gives way to the other operand; numbers are compared as longs.
    private static Making<DoubleEmitter> extreme(Evex operation) {
        return (in, sources, chunk, made) -> {
            Operand first = Operand.register(FIRST);
            Operand second = Operand.register(SECOND);
            in.values.copy(FIRST, sources.get(0), chunk);
            in.values.copy(SECOND, sources.get(1), chunk);
            in.findNans(FIRST);
            in.code.vectorWhere(Evex.VMOVDQU64, 5, FIRST, 0, second);
            in.findNans(SECOND);
            in.code.vectorWhere(Evex.VMOVDQU64, 5, SECOND, 0, first);
            in.inOrder(FIRST);
            in.inOrder(SECOND);
            in.code.vector(operation, FIRST, FIRST, second);
            in.inOrder(FIRST);
            in.findNans(FIRST);
            in.code.vectorWhere(Evex.VPORQ, 5, FIRST, FIRST, in.code.longword(QUIET));
            in.move(made, FIRST);
        };
    }

    /// Doubles as longs that are in the same order, and back.
    private void inOrder(int value) {
        shift(RIGHT_WITH_SIGN, THIRD, value, 63);
        apply(Evex.VPANDQ, THIRD, THIRD, ~SIGN);
        code.vector(Evex.VPXORQ, value, value, Operand.register(THIRD));
    }

    private static Making<DoubleEmitter> integral(int direction) {
        return (in, sources, chunk, made) -> {
            Operand from = in.values.operand(sources.getFirst(), chunk);
            in.code.vector(Evex.VRNDSCALEPD, made, 0, from, 8 | direction);
        };
    }

    // To words and floats, which are twice as many.

    private interface Part {
        void emit(int from, int to);
    }

    /// A chunk of words, of two of doubles.
    private void words(List<Source> sources, int chunk, int made, Part part) {
        int result = WarpValues.RESULT;
        for (int i = 0; i < 2; i++) {
            values.copy(FIRST, sources.getFirst(), 2 * chunk + i);
            part.emit(FIRST, i == 0 ? result : FOURTH);
        }
        code.vector(Evex.VINSERTI64X4, made, result, Operand.register(FOURTH), 1);
    }

    private void toFloat(List<Source> sources, int chunk, int made) {
        words(
                sources,
                chunk,
                made,
                (from, to) -> code.vector(Evex.VCVTPD2PS, to, 0, Operand.register(from)));
    }

    /// The nearest that there is; the second operand of these instructions wins where one is NaN.
    private void toSigned(List<Source> sources, int chunk, int made) {
        words(
                sources,
                chunk,
                made,
                (from, to) -> {
                    limit(Evex.VMINPD, from, Integer.MAX_VALUE);
                    code.vector(Evex.VCVTTPD2DQ, to, 0, Operand.register(from));
                });
    }

    private void toUnsigned(List<Source> sources, int chunk, int made) {
        words(
                sources,
                chunk,
                made,
                (from, to) -> {
                    limit(Evex.VMINPD, from, LOW_WORD);
                    limit(Evex.VMAXPD, from, 0);
                    // The sign of what is no number alone.
                    findNans(from);
                    Operand ofNan = code.longword(Double.doubleToRawLongBits(0x1p31));
                    code.vectorWhere(Evex.VPBROADCASTQ, 5, from, 0, ofNan);
                    code.vector(Evex.VCVTTPD2UDQ, to, 0, Operand.register(from));
                });
    }

    private void limit(Evex choose, int value, double bound) {
        Operand constant = code.longword(Double.doubleToRawLongBits(bound));
        code.vector(Evex.VPBROADCASTQ, SECOND, 0, constant);
        code.vector(choose, value, SECOND, Operand.register(value));
    }

    // Of longs.

    private static Making<DoubleEmitter> doubleOf(boolean signed) {
        return (in, sources, chunk, made) -> {
            in.values.copy(FIRST, sources.getFirst(), chunk);
            in.sum(FIRST, signed, made);
        };
    }

    /// Both words of a long as doubles, of which each is exact; their sum is rounded once.
    private void sum(int from, boolean signed, int made) {
        apply(Evex.VPANDQ, SECOND, from, LOW_WORD);
        apply(Evex.VPORQ, SECOND, SECOND, TWO_52);
        shift(RIGHT, THIRD, from, 32);
        apply(Evex.VPXORQ, THIRD, THIRD, signed ? TWO_84_AND_63 : TWO_84);
        apply(Evex.VSUBPD, THIRD, THIRD, signed ? TWO_84_63_AND_52 : TWO_84_AND_52);
        code.vector(Evex.VADDPD, made, THIRD, Operand.register(SECOND));
    }

    /// From 2^53 on, the last twelve bits become one that says whether any was set: a double has
    /// all others, and rounding to a float sees no more of them.
    private static Making<DoubleEmitter> floatOf(boolean signed) {
        return (in, sources, chunk, made) ->
                in.words(
                        sources,
                        chunk,
                        made,
                        (from, to) -> {
                            in.stick(signed);
                            in.sum(from, signed, FIRST);
                            in.code.vector(Evex.VCVTPD2PS, to, 0, Operand.register(FIRST));
                        });
    }

    private void stick(boolean signed) {
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
    }
}
