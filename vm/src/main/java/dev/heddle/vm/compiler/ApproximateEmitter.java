package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.BF16;
import static dev.heddle.ptx.ScalarType.F16;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.GREATER_OR_EQUAL_ORDERED;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.LESS_ORDERED;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL_ORDERED;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;
import static dev.heddle.vm.ir.Modifier.APPROX;
import static dev.heddle.vm.ir.Modifier.FTZ;
import static dev.heddle.vm.ir.Modifier.FULL;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Rounding;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// Approximate functions as machine code: what `ptxas` puts around the instructions of [MufuCode],
/// as `VectorApproximate` has it.
final class ApproximateEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;

    // Bits of floats.
    private static final int ONE = 0x3f80_0000;
    private static final int HALF = 0x3f00_0000;
    private static final int QUARTER = 0x3e80_0000;
    private static final int TWO_16 = 0x4780_0000;
    private static final int TWO_24 = 0x4b80_0000;
    private static final int LEAST_NORMAL = 0x0080_0000;
    private static final int GREATEST_DIVISOR = 0x7e80_0000;
    private static final int INFINITY = 0x7f80_0000;
    private static final int REVOLUTION = 0x3e22_f983;
    private static final int LEAST_EXPONENT = Float.floatToRawIntBits(-126f);

    /// A function of the unit, of what is made in vector 1.
    private interface Function {
        void emit(MufuCode in, Runnable argument);
    }

    static final Map<Operation, Making<ApproximateEmitter>> KNOWN =
            Map.ofEntries(
                    plain(Operation.of(OperationKind.EX2, F32, APPROX, FTZ), MufuCode::ex2),
                    plain(Operation.of(OperationKind.RCP, F32, APPROX, FTZ), MufuCode::rcp),
                    plain(Operation.of(OperationKind.RSQRT, F32, APPROX, FTZ), MufuCode::rsq),
                    plain(Operation.of(OperationKind.SQRT, F32, APPROX, FTZ), MufuCode::sqrt),
                    plain(Operation.of(OperationKind.LG2, F32, APPROX, FTZ), MufuCode::lg2),
                    plain(Operation.of(OperationKind.TANH, F32, APPROX), MufuCode::tanh),
                    wave(Operation.of(OperationKind.SIN, F32, APPROX), MufuCode::sin),
                    wave(Operation.of(OperationKind.SIN, F32, APPROX, FTZ), MufuCode::sin),
                    wave(Operation.of(OperationKind.COS, F32, APPROX), MufuCode::cos),
                    wave(Operation.of(OperationKind.COS, F32, APPROX, FTZ), MufuCode::cos),
                    half(Operation.of(OperationKind.EX2, F16, APPROX), MufuCode::ex2),
                    half(Operation.of(OperationKind.EX2, BF16, APPROX, FTZ), MufuCode::ex2),
                    half(Operation.of(OperationKind.TANH, F16, APPROX), MufuCode::tanh),
                    half(Operation.of(OperationKind.TANH, BF16, APPROX), MufuCode::tanh),
                    Map.entry(
                            Operation.of(OperationKind.EX2, F32, APPROX), ApproximateEmitter::ex2),
                    scaled(
                            Operation.of(OperationKind.RSQRT, F32, APPROX),
                            MufuCode::rsq,
                            Evex.VMULPS,
                            0x1p12f),
                    scaled(
                            Operation.of(OperationKind.SQRT, F32, APPROX),
                            MufuCode::sqrt,
                            Evex.VMULPS,
                            0x1p-12f),
                    scaled(
                            Operation.of(OperationKind.LG2, F32, APPROX),
                            MufuCode::lg2,
                            Evex.VSUBPS,
                            24f),
                    Map.entry(
                            Operation.of(OperationKind.DIV, F32, APPROX, FTZ),
                            (in, sources, chunk, made) ->
                                    in.flushedQuotient(sources, false, chunk, made)),
                    Map.entry(
                            Operation.of(OperationKind.DIV, F32, FULL, FTZ),
                            (in, sources, chunk, made) ->
                                    in.flushedQuotient(sources, true, chunk, made)),
                    Map.entry(
                            Operation.of(OperationKind.RCP, F32, APPROX),
                            (in, sources, chunk, made) ->
                                    in.quotient(null, sources.getFirst(), true, chunk, made)),
                    Map.entry(
                            Operation.of(OperationKind.DIV, F32, APPROX),
                            (in, sources, chunk, made) ->
                                    in.quotient(
                                            sources.get(0), sources.get(1), false, chunk, made)),
                    Map.entry(
                            Operation.of(OperationKind.DIV, F32, FULL),
                            (in, sources, chunk, made) ->
                                    in.quotient(
                                            sources.get(0), sources.get(1), true, chunk, made)));

    private static Map.Entry<Operation, Making<ApproximateEmitter>> plain(
            Operation operation, Function function) {
        return Map.entry(
                operation,
                (in, sources, chunk, made) -> {
                    function.emit(in.unit, () -> in.values.copy(FIRST, sources.getFirst(), chunk));
                    in.keep(made);
                });
    }

    /// The function of the widened number, cut; but from 65536 on `f16` is infinite.
    private static Map.Entry<Operation, Making<ApproximateEmitter>> half(
            Operation operation, Function function) {
        FloatFormat format = FloatFormat.valueOf(operation.type().name());
        return Map.entry(
                operation,
                (in, sources, chunk, made) -> {
                    function.emit(
                            in.unit,
                            () -> in.halves.widen(format, FIRST, sources.getFirst(), chunk));
                    in.keep(FIRST);
                    if (format == FloatFormat.F16) {
                        in.where(Evex.VCMPPS, FIRST, GREATER_OR_EQUAL_ORDERED, TWO_16);
                        in.set(FIRST, INFINITY);
                    }
                    in.halves.narrow(format, Rounding.TOWARD_ZERO, FIRST, made);
                });
    }

    private final WarpValues values;
    private final Assembler code;
    private final HalfEmitter halves;
    private final FlushedEmitter flushes;
    private final MufuCode unit;

    ApproximateEmitter(WarpValues values, HalfEmitter halves) {
        this.values = values;
        this.halves = halves;
        code = values.code;
        flushes = new FlushedEmitter(values);
        unit = new MufuCode(code);
    }

    private void keep(int made) {
        if (made != SECOND) {
            code.vector(Evex.VMOVDQU32, made, 0, Operand.register(SECOND));
        }
    }

    /// The lanes where a vector compares so with a constant, in mask register 5.
    private void where(Evex compare, int a, int relation, int constant) {
        code.vector(compare, 5, a, code.word(constant), relation);
    }

    /// A constant in these lanes.
    private void set(int target, int constant) {
        code.vectorWhere(Evex.VPBROADCASTD, 5, target, 0, code.word(constant));
    }

    private void multiply(int target, Operand factor) {
        code.vectorWhere(Evex.VMULPS, 5, target, target, factor);
    }

    /// Half of an argument whose result may be subnormal, the result squared.
    private void ex2(List<Source> sources, int chunk, int made) {
        unit.ex2(
                () -> {
                    values.copy(FIRST, sources.getFirst(), chunk);
                    where(Evex.VCMPPS, FIRST, LESS_ORDERED, LEAST_EXPONENT);
                    multiply(FIRST, code.word(HALF));
                });
        values.copy(FIRST, sources.getFirst(), chunk);
        where(Evex.VCMPPS, FIRST, LESS_ORDERED, LEAST_EXPONENT);
        multiply(SECOND, Operand.register(SECOND));
        keep(made);
    }

    private void findTiny(Source a, int chunk) {
        values.copy(FIRST, a, chunk);
        code.vector(Evex.VPANDD, THIRD, FIRST, code.word(Integer.MAX_VALUE));
        where(Evex.VPCMPD, THIRD, LESS, LEAST_NORMAL);
    }

    /// Subnormals times 2^24, and what that changes in their results taken back.
    private static Map.Entry<Operation, Making<ApproximateEmitter>> scaled(
            Operation operation, Function function, Evex back, float by) {
        return Map.entry(
                operation,
                (in, sources, chunk, made) -> {
                    function.emit(
                            in.unit,
                            () -> {
                                in.findTiny(sources.getFirst(), chunk);
                                in.multiply(FIRST, in.code.word(TWO_24));
                            });
                    in.findTiny(sources.getFirst(), chunk);
                    Operand amount = in.code.word(Float.floatToRawIntBits(by));
                    in.code.vectorWhere(back, 5, SECOND, SECOND, amount);
                    in.keep(made);
                });
    }

    /// A function of radians, as revolutions.
    private static Map.Entry<Operation, Making<ApproximateEmitter>> wave(
            Operation operation, Function function) {
        return Map.entry(
                operation,
                (in, sources, chunk, made) -> {
                    function.emit(in.unit, () -> in.revolutions(sources.getFirst(), chunk));
                    in.keep(made);
                });
    }

    /// The product with 1 / (2 pi), rounded toward zero: one less than the nearest where what that
    /// lacks has the other sign. What is too small for that to be exact is no part of a turn.
    private void revolutions(Source a, int chunk) {
        int lacks = THIRD;
        int from = values.load(a, chunk, WarpValues.FOURTH);
        code.vector(Evex.VMULPS, FIRST, from, code.word(REVOLUTION));
        code.vector(Evex.VPXORD, lacks, FIRST, code.word(Integer.MIN_VALUE));
        code.vector(Evex.VFMADD231PS, lacks, from, code.word(REVOLUTION));
        where(Evex.VCMPPS, lacks, NOT_EQUAL_ORDERED, 0);
        code.vector(Evex.VPXORD, lacks, lacks, Operand.register(FIRST));
        code.vector(Evex.VPSRAD_I, RIGHT_WITH_SIGN, lacks, Operand.register(lacks), 31);
        code.vectorWhere(Evex.VPADDD, 5, FIRST, FIRST, Operand.register(lacks));
    }

    /// What the ends of the range are multiplied by, in vector 4; the divisor is in vector 1.
    private void scale(Source b, boolean both, int chunk) {
        code.vector(Evex.VPBROADCASTD, WarpValues.FOURTH, 0, code.word(ONE));
        findTiny(b, chunk);
        set(WarpValues.FOURTH, TWO_24);
        if (both) {
            where(Evex.VPCMPD, THIRD, GREATER, GREATEST_DIVISOR);
            set(WarpValues.FOURTH, QUARTER);
        }
    }

    /// @param a null for a reciprocal
    /// @param both whether large divisors are scaled, too
    private void quotient(@Nullable Source a, Source b, boolean both, int chunk, int made) {
        Operand factor = Operand.register(WarpValues.FOURTH);
        unit.rcp(
                () -> {
                    scale(b, both, chunk);
                    code.vector(Evex.VMULPS, FIRST, FIRST, factor);
                });
        scale(b, both, chunk);
        if (a != null) {
            int dividend = values.load(a, chunk, FIRST);
            code.vector(Evex.VMULPS, WarpValues.FOURTH, dividend, factor);
        }
        code.vector(Evex.VMULPS, SECOND, SECOND, factor);
        keep(made);
    }

    /// Both operands divided by four where the divisor is beyond 2^126, if that is asked for.
    private void flushedQuotient(List<Source> sources, boolean full, int chunk, int made) {
        unit.rcp(
                () -> {
                    findLarge(sources.get(1), chunk);
                    if (full) {
                        multiply(FIRST, code.word(QUARTER));
                    }
                });
        findLarge(sources.get(1), chunk);
        values.copy(FIRST, sources.get(0), chunk);
        if (full) {
            multiply(FIRST, code.word(QUARTER));
        }
        flushes.combine(Evex.VMULPS, 0, made);
    }

    private void findLarge(Source b, int chunk) {
        findTiny(b, chunk);
        where(Evex.VPCMPD, THIRD, GREATER, GREATEST_DIVISOR);
    }
}
