package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.F64;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;
import static dev.heddle.tensorcore.x86.Assembler.UNORDERED;

import static java.util.Map.entry;

import dev.heddle.formats.Rounding;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What moves the bits of `f64`, chooses between two, and rounds them to integers. NaNs are as each
/// operation leaves them.
final class DoubleEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;

    private static final long SIGN = Long.MIN_VALUE;
    private static final long QUIET = 1L << 51;

    static final Map<Operation, Making<DoubleEmitter>> KNOWN = new HashMap<>();

    static {
        KNOWN.putAll(
                Map.ofEntries(
                        entry(Operation.of(OperationKind.MIN, F64), extreme(Evex.VPMINSQ)),
                        entry(Operation.of(OperationKind.MAX, F64), extreme(Evex.VPMAXSQ)),
                        entry(Operation.of(OperationKind.ABS, F64), signed(Evex.VPANDQ, ~SIGN)),
                        entry(Operation.of(OperationKind.NEG, F64), signed(Evex.VPXORQ, SIGN)),
                        entry(Making.instruction("copysign.f64", F64, 2), DoubleEmitter::copySign),
                        entry(Operation.of(OperationKind.SAT, F64), DoubleEmitter::saturate)));
        for (Rounding rounding : Rounding.values()) {
            int direction = ConversionEmitter.direction(rounding);
            if (direction >= 0) {
                KNOWN.put(Operation.of(OperationKind.ROUND, F64, rounding), integral(direction));
            }
        }
    }

    private final WarpValues values;
    private final Assembler code;

    DoubleEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
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

    /// The second operand of these instructions wins where one is a NaN or both are zeros.
    private void saturate(List<Source> sources, int chunk, int made) {
        int first = values.load(sources.getFirst(), chunk, FIRST);
        code.vector(Evex.VMAXPD, made, first, code.longword(0));
        Operand one = code.longword(Double.doubleToRawLongBits(1));
        code.vector(Evex.VMINPD, made, made, one);
    }

    private static Making<DoubleEmitter> integral(int direction) {
        return (in, sources, chunk, made) -> {
            Operand from = in.values.operand(sources.getFirst(), chunk);
            in.code.vector(Evex.VRNDSCALEPD, made, 0, from, 8 | direction);
        };
    }
}
