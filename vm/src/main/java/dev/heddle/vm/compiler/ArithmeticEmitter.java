package dev.heddle.vm.compiler;

import static dev.heddle.ptx.ScalarType.B16;
import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.B8;
import static dev.heddle.ptx.ScalarType.F32;
import static dev.heddle.ptx.ScalarType.F64;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

import static java.util.Map.entry;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.semantics.FloatArithmetic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// Operations as machine code.
final class ArithmeticEmitter {
    private static final int SIGN = 0x8000_0000;
    private static final long CANONICAL_F64 = 0xfff8_0000_0000_0000L;

    private static final Map<Operation, Making<ArithmeticEmitter>> OWN =
            Map.ofEntries(
                    entry(
                            Operation.of(OperationKind.MOV, B32),
                            (in, sources, chunk, made) ->
                                    in.values.copy(made, sources.getFirst(), chunk)),
                    entry(
                            Operation.of(OperationKind.MOV, B64),
                            (in, sources, chunk, made) ->
                                    in.values.copy(made, sources.getFirst(), chunk)),
                    binary(Operation.of(OperationKind.ADD, B32), Evex.VPADDD),
                    binary(Operation.of(OperationKind.ADD, B64), Evex.VPADDQ),
                    binary(Operation.of(OperationKind.SUB, B32), Evex.VPSUBD),
                    binary(Operation.of(OperationKind.SUB, B64), Evex.VPSUBQ),
                    binary(Operation.of(OperationKind.MUL, B32), Evex.VPMULLD),
                    binary(Operation.of(OperationKind.MUL, B64), Evex.VPMULLQ),
                    binary(Operation.of(OperationKind.AND, B32), Evex.VPANDD),
                    binary(Operation.of(OperationKind.AND, B64), Evex.VPANDQ),
                    binary(Operation.of(OperationKind.OR, B32), Evex.VPORD),
                    binary(Operation.of(OperationKind.OR, B64), Evex.VPORQ),
                    binary(Operation.of(OperationKind.XOR, B32), Evex.VPXORD),
                    binary(Operation.of(OperationKind.XOR, B64), Evex.VPXORQ),
                    binary(Operation.of(OperationKind.MIN, S32), Evex.VPMINSD),
                    binary(Operation.of(OperationKind.MIN, U32), Evex.VPMINUD),
                    binary(Operation.of(OperationKind.MAX, S32), Evex.VPMAXSD),
                    binary(Operation.of(OperationKind.MAX, U32), Evex.VPMAXUD),
                    binary(Operation.of(OperationKind.MIN, S64), Evex.VPMINSQ),
                    binary(Operation.of(OperationKind.MIN, U64), Evex.VPMINUQ),
                    binary(Operation.of(OperationKind.MAX, S64), Evex.VPMAXSQ),
                    binary(Operation.of(OperationKind.MAX, U64), Evex.VPMAXUQ),
                    binary(nearest(OperationKind.ADD, F32), Evex.VADDPS),
                    binary(nearest(OperationKind.ADD, F64), Evex.VADDPD),
                    binary(nearest(OperationKind.SUB, F32), Evex.VSUBPS),
                    binary(nearest(OperationKind.SUB, F64), Evex.VSUBPD),
                    binary(nearest(OperationKind.MUL, F32), Evex.VMULPS),
                    binary(nearest(OperationKind.MUL, F64), Evex.VMULPD),
                    binary(nearest(OperationKind.DIV, F32), Evex.VDIVPS),
                    binary(nearest(OperationKind.DIV, F64), Evex.VDIVPD),
                    unary(Operation.of(OperationKind.ABS, B32), Evex.VPABSD),
                    unary(Operation.of(OperationKind.ABS, B64), Evex.VPABSQ),
                    unary(Operation.of(OperationKind.CLZ, B32), Evex.VPLZCNTD),
                    unary(Operation.of(OperationKind.POPC, B32), Evex.VPOPCNTD),
                    unary(nearest(OperationKind.SQRT, F32), Evex.VSQRTPS),
                    unary(nearest(OperationKind.SQRT, F64), Evex.VSQRTPD),
                    unary(Operation.convert(F32, S32, Rounding.NEAREST_EVEN), Evex.VCVTDQ2PS),
                    unary(Operation.convert(F32, U32, Rounding.NEAREST_EVEN), Evex.VCVTUDQ2PS),
                    entry(Operation.of(OperationKind.NOT, B32), ArithmeticEmitter::not),
                    entry(Operation.of(OperationKind.NOT, B64), ArithmeticEmitter::not),
                    entry(Operation.of(OperationKind.NEG, B32), negation(Evex.VPSUBD)),
                    entry(Operation.of(OperationKind.NEG, B64), negation(Evex.VPSUBQ)),
                    entry(Operation.from(B8, OperationKind.ZEXT, B32), bits(Evex.VPANDD, 0xff)),
                    entry(Operation.from(B16, OperationKind.ZEXT, B32), bits(Evex.VPANDD, 0xffff)),
                    entry(Operation.from(B8, OperationKind.SEXT, B32), extension(24)),
                    entry(Operation.from(B16, OperationKind.SEXT, B32), extension(16)),
                    entry(
                            Operation.from(B32, OperationKind.HIGH, B16),
                            ArithmeticEmitter::upperHalf),
                    entry(Operation.from(B16, OperationKind.PACK, B32), ArithmeticEmitter::pack),
                    entry(Operation.of(OperationKind.LOP3, B32), ArithmeticEmitter::lookup),
                    entry(
                            nearest(OperationKind.FMA, F32),
                            fused(Evex.VFMADD213PS, Evex.VFMADD231PS)),
                    entry(
                            nearest(OperationKind.FMA, F64),
                            fused(Evex.VFMADD213PD, Evex.VFMADD231PD)),
                    entry(Operation.of(OperationKind.ABS, F32), bits(Evex.VPANDD, ~SIGN)),
                    entry(Operation.of(OperationKind.NEG, F32), bits(Evex.VPXORD, SIGN)),
                    entry(Operation.of(OperationKind.MAGNITUDE, B16), bits(Evex.VPANDD, 0x7fff)),
                    entry(Operation.of(OperationKind.MAGNITUDE, F32), bits(Evex.VPANDD, ~SIGN)));

    /// All that is known, but for what has to do with predicates.
    private static final Map<Operation, Making<ArithmeticEmitter>> KNOWN = new HashMap<>(OWN);

    static {
        if (!Assembler.has(Evex.VPOPCNTD)) {
            KNOWN.remove(Operation.of(OperationKind.POPC, B32));
        }
        add(ExtremeEmitter.KNOWN, in -> in.extremes);
        add(WideningEmitter.KNOWN, in -> in.widening);
        add(CarryEmitter.KNOWN, in -> in.carries);
        add(ConversionEmitter.KNOWN, in -> in.conversions);
        add(ShiftEmitter.KNOWN, in -> in.shifts);
        add(ByteEmitter.KNOWN, in -> in.bytes);
        add(HalfEmitter.KNOWN, in -> in.halves);
        add(DoubleEmitter.KNOWN, in -> in.doubles);
        add(DoubleConversionEmitter.KNOWN, in -> in.doubleConversions);
        add(DirectedEmitter.KNOWN, in -> in.directed);
        add(CountEmitter.KNOWN, in -> in.counts);
        add(NarrowFormatEmitter.KNOWN, in -> in.narrowFormats);
        add(FlushedEmitter.KNOWN, in -> in.flushes);
        add(ApproximateEmitter.KNOWN, in -> in.functions);
    }

    private static <E> void add(
            Map<Operation, Making<E>> known, Function<ArithmeticEmitter, E> emitter) {
        known.forEach(
                (operation, making) ->
                        KNOWN.put(
                                operation,
                                (in, sources, chunk, made) ->
                                        making.emit(emitter.apply(in), sources, chunk, made)));
    }

    private static Operation nearest(OperationKind kind, ScalarType type) {
        return Operation.of(kind, type, Rounding.NEAREST_EVEN);
    }

    /// `target = first operation second`, one instruction a chunk.
    private static Map.Entry<Operation, Making<ArithmeticEmitter>> binary(
            Operation operation, Evex instruction) {
        return entry(
                operation,
                (in, sources, chunk, made) -> {
                    int first = in.values.load(sources.getFirst(), chunk, WarpValues.FIRST);
                    Operand second = in.values.operand(sources.get(1), chunk);
                    in.code.vector(instruction, made, first, second);
                });
    }

    private static Map.Entry<Operation, Making<ArithmeticEmitter>> unary(
            Operation operation, Evex instruction) {
        return entry(
                operation,
                (in, sources, chunk, made) -> {
                    Operand operand = in.values.operand(sources.getFirst(), chunk);
                    in.code.vector(instruction, made, 0, operand);
                });
    }

    private final WarpValues values;
    private final Assembler code;
    private final DemandedNans demanded;
    private final PredicateEmitter predicates;
    private final WideningEmitter widening;
    private final CarryEmitter carries;
    private final ConversionEmitter conversions;
    private final ShiftEmitter shifts;
    private final ByteEmitter bytes;
    private final HalfEmitter halves;
    private final DoubleEmitter doubles;
    private final DoubleConversionEmitter doubleConversions;
    private final DirectedEmitter directed;
    private final CountEmitter counts;
    private final NarrowFormatEmitter narrowFormats;
    private final FlushedEmitter flushes;
    private final ApproximateEmitter functions;
    private final ExtremeEmitter extremes;

    ArithmeticEmitter(WarpValues values, DemandedNans demanded) {
        this.values = values;
        this.demanded = demanded;
        code = values.code;
        predicates = new PredicateEmitter(values);
        widening = new WideningEmitter(values);
        carries = new CarryEmitter(values);
        conversions = new ConversionEmitter(values);
        shifts = new ShiftEmitter(values);
        bytes = new ByteEmitter(values);
        halves = new HalfEmitter(values);
        doubles = new DoubleEmitter(values);
        counts = new CountEmitter(values);
        directed = new DirectedEmitter(values);
        narrowFormats = new NarrowFormatEmitter(values, halves);
        flushes = new FlushedEmitter(values);
        doubleConversions = new DoubleConversionEmitter(values, halves, flushes);
        functions = new ApproximateEmitter(values, halves);
        extremes = new ExtremeEmitter(values);
    }

    /// Whether an operation is known here. Tables of bits and places of bytes are constants.
    static boolean knows(Step.Compute step) {
        List<Source> arguments = step.arguments();
        Operation operation = step.operation();
        if (arguments.stream().anyMatch(Source.FrameAddress.class::isInstance)) {
            return false;
        }
        return switch (operation.kind()) {
            case LOP3, BYTE -> arguments.getLast() instanceof Source.Constant;
            default -> KNOWN.containsKey(operation) || PredicateEmitter.knows(operation);
        };
    }

    /// Emits a step.
    void emit(Step.Compute step) {
        Operation operation = step.operation();
        if (PredicateEmitter.knows(operation)) {
            predicates.emit(step);
            return;
        }
        Making<ArithmeticEmitter> making = Objects.requireNonNull(KNOWN.get(operation));
        Register target = step.target();
        values.guard(step.guard());
        for (int chunk = 0; chunk < WarpValues.chunks(target.width()); chunk++) {
            int made = values.result(target, chunk, step.guard());
            making.emit(this, step.arguments(), chunk, made);
            finish(operation, target, made);
            values.keep(target, chunk, step.guard(), made);
        }
    }

    /// NaNs become those of GPUs where their bits are seen.
    private void finish(Operation operation, Register target, int made) {
        if (keepsNan(operation)) {
            return;
        }
        if (operation.result() == Carrier.FLOAT && demanded.has(target)) {
            code.replaceNans(false, made, made, code.word(FloatArithmetic.CANONICAL_NAN));
        } else if (operation.result() == Carrier.DOUBLE) {
            code.replaceNans(true, made, made, code.longword(CANONICAL_F64));
        }
    }

    /// Whether a NaN of a result is as the operation leaves it.
    private static boolean keepsNan(Operation operation) {
        return switch (operation.kind()) {
            case MOV, ROUND, INSTRUCTION -> true;
            case CVT -> operation.type() == F64 || operation.from() == F64;
            case MIN, MAX, ABS, NEG -> operation.type() == F64;
            default -> operation.keepsNan();
        };
    }

    // Words and longs.

    private void not(List<Source> sources, int chunk, int made) {
        Operand operand = values.operand(sources.getFirst(), chunk);
        code.vector(Evex.VPTERNLOGD, made, made, operand, 0x55);
    }

    private static Making<ArithmeticEmitter> negation(Evex subtract) {
        return (in, sources, chunk, made) -> {
            int zero = WarpValues.FIRST;
            in.code.vector(Evex.VPXORD, zero, zero, Operand.register(zero));
            Operand operand = in.values.operand(sources.getFirst(), chunk);
            in.code.vector(subtract, made, zero, operand);
        };
    }

    /// An operation of bits with a constant.
    private static Making<ArithmeticEmitter> bits(Evex operation, int constant) {
        return (in, sources, chunk, made) ->
                in.bits(operation, made, sources.getFirst(), chunk, constant);
    }

    private void bits(Evex operation, int made, Source a, int chunk, int constant) {
        int first = values.load(a, chunk, WarpValues.FIRST);
        code.vector(operation, made, first, code.word(constant));
    }

    /// Bits above a narrow number become its sign.
    private static Making<ArithmeticEmitter> extension(int amount) {
        return (in, sources, chunk, made) -> {
            Operand narrow = in.values.operand(sources.getFirst(), chunk);
            in.shift(Evex.VPSLLD_I, LEFT, made, narrow, amount);
            in.shift(Evex.VPSRAD_I, RIGHT_WITH_SIGN, made, Operand.register(made), amount);
        };
    }

    private void upperHalf(List<Source> sources, int chunk, int made) {
        shift(Evex.VPSLLD_I, RIGHT, made, values.operand(sources.getFirst(), chunk), 16);
    }

    private void pack(List<Source> sources, int chunk, int made) {
        Operand upper = values.operand(sources.get(1), chunk);
        shift(Evex.VPSLLD_I, LEFT, WarpValues.SECOND, upper, 16);
        bits(Evex.VPANDD, made, sources.getFirst(), chunk, 0xffff);
        code.vector(Evex.VPORD, made, made, Operand.register(WarpValues.SECOND));
    }

    /// A shift by a constant: its digit is 6 to the left, 2 to the right, 4 with sign.
    private void shift(Evex operation, int digit, int made, Operand value, int amount) {
        code.vector(operation, digit, made, value, amount);
    }

    private void lookup(List<Source> sources, int chunk, int made) {
        int table = ShiftEmitter.constant(sources.get(3)) & 0xff;
        values.copy(WarpValues.FIRST, sources.get(0), chunk);
        int second = values.load(sources.get(1), chunk, WarpValues.SECOND);
        code.vector(
                Evex.VPTERNLOGD,
                WarpValues.FIRST,
                second,
                values.operand(sources.get(2), chunk),
                table);
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(WarpValues.FIRST));
    }

    /// `a b + c`: what the target holds already decides which operand it is.
    private static Making<ArithmeticEmitter> fused(Evex product, Evex sum) {
        return (in, sources, chunk, made) -> in.fused(product, sum, sources, chunk, made);
    }

    private void fused(Evex product, Evex sum, List<Source> sources, int chunk, int made) {
        Source a = sources.get(0);
        Source b = sources.get(1);
        Source c = sources.get(2);
        if (values.home(c, chunk) == made) {
            int first = values.load(a, chunk, WarpValues.FIRST);
            code.vector(sum, made, first, values.operand(b, chunk));
        } else if (values.home(b, chunk) == made) {
            int first = values.load(a, chunk, WarpValues.FIRST);
            code.vector(product, made, first, values.operand(c, chunk));
        } else {
            values.copy(made, a, chunk);
            int second = values.load(b, chunk, WarpValues.FIRST);
            code.vector(product, made, second, values.operand(c, chunk));
        }
    }
}
