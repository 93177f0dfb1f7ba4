package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.semantics.FloatArithmetic;
import dev.heddle.vm.semantics.SemanticMethod;

import java.util.List;
import java.util.Map;

/// Operations as machine code, by the names of their semantic methods.
final class ArithmeticEmitter {
    private static final int SIGN = 0x8000_0000;
    private static final int UNORDERED = 3;
    private static final int GREATER_OR_EQUAL = 0x1d;
    private static final long CANONICAL_F64 = 0xfff8_0000_0000_0000L;

    /// `target = first operation second`, one instruction a chunk.
    private static final Map<String, Evex> BINARY =
            Map.ofEntries(
                    Map.entry("add32", Evex.VPADDD),
                    Map.entry("add64", Evex.VPADDQ),
                    Map.entry("subtract32", Evex.VPSUBD),
                    Map.entry("subtract64", Evex.VPSUBQ),
                    Map.entry("multiply32", Evex.VPMULLD),
                    Map.entry("multiply64", Evex.VPMULLQ),
                    Map.entry("and32", Evex.VPANDD),
                    Map.entry("and64", Evex.VPANDQ),
                    Map.entry("or32", Evex.VPORD),
                    Map.entry("or64", Evex.VPORQ),
                    Map.entry("xor32", Evex.VPXORD),
                    Map.entry("xor64", Evex.VPXORQ),
                    Map.entry("minimumS32", Evex.VPMINSD),
                    Map.entry("minimumU32", Evex.VPMINUD),
                    Map.entry("maximumS32", Evex.VPMAXSD),
                    Map.entry("maximumU32", Evex.VPMAXUD),
                    Map.entry("minimumS64", Evex.VPMINSQ),
                    Map.entry("minimumU64", Evex.VPMINUQ),
                    Map.entry("maximumS64", Evex.VPMAXSQ),
                    Map.entry("maximumU64", Evex.VPMAXUQ),
                    Map.entry("addF32", Evex.VADDPS),
                    Map.entry("addF64", Evex.VADDPD),
                    Map.entry("subtractF32", Evex.VSUBPS),
                    Map.entry("subtractF64", Evex.VSUBPD),
                    Map.entry("multiplyF32", Evex.VMULPS),
                    Map.entry("multiplyF64", Evex.VMULPD),
                    Map.entry("divideF32", Evex.VDIVPS),
                    Map.entry("divideF64", Evex.VDIVPD));

    private static final Map<String, Evex> UNARY =
            Map.of(
                    "absolute32", Evex.VPABSD,
                    "absolute64", Evex.VPABSQ,
                    "leadingZeros32", Evex.VPLZCNTD,
                    "squareRootF32", Evex.VSQRTPS,
                    "squareRootF64", Evex.VSQRTPD,
                    "f32FromS32", Evex.VCVTDQ2PS,
                    "f32FromU32", Evex.VCVTUDQ2PS);

    private final WarpValues values;
    private final Assembler code;
    private final DemandedNans demanded;
    private final PredicateEmitter predicates;
    private final WideningEmitter widening;
    private final ConversionEmitter conversions;
    private final ShiftEmitter shifts;

    ArithmeticEmitter(WarpValues values, DemandedNans demanded) {
        this.values = values;
        this.demanded = demanded;
        code = values.code;
        predicates = new PredicateEmitter(values);
        widening = new WideningEmitter(values);
        conversions = new ConversionEmitter(values);
        shifts = new ShiftEmitter(values);
    }

    /// Whether an operation is known here.
    static boolean knows(Step.Compute step) {
        SemanticMethod method = SemanticMethod.of(step.operation());
        for (Source argument : step.arguments()) {
            if (argument instanceof Source.FrameAddress) {
                return false;
            }
        }
        if (ConversionEmitter.knows(step) || ShiftEmitter.knows(step)) {
            return true;
        }
        if (method.rounding() != null) {
            return false;
        }
        String name = method.name();
        if (BINARY.containsKey(name) || UNARY.containsKey(name)) {
            return true;
        }
        if (step.operation().result() == Carrier.BOOLEAN) {
            return PredicateEmitter.knows(step);
        }
        return switch (name) {
            case "lookup32" -> step.arguments().get(3) instanceof Source.Constant;
            case "populationCount32" -> Assembler.has(Evex.VPOPCNTD);
            case "move32",
                    "move64",
                    "not32",
                    "not64",
                    "negate32",
                    "negate64",
                    "select32",
                    "select64",
                    "onesWhere32",
                    "zeroExtend8",
                    "zeroExtend16",
                    "signExtend8",
                    "signExtend16",
                    "high32",
                    "pair16",
                    "zeroExtend32",
                    "signExtend32",
                    "truncate64",
                    "high64",
                    "pair32",
                    "multiplyWideS32",
                    "multiplyWideU32",
                    "multiplyHighS32",
                    "multiplyHighU32",
                    "multiplyHighU64",
                    "fusedF32",
                    "fusedF64",
                    "absoluteF32",
                    "negateF32",
                    "minimumF32",
                    "maximumF32",
                    "flushF32",
                    "saturateF32",
                    "s32FromF32",
                    "u32FromF32",
                    "f32FromF16" ->
                    true;
            default -> false;
        };
    }

    /// Emits a step.
    void emit(Step.Compute step) {
        String name = SemanticMethod.of(step.operation()).name();
        Register target = step.target();
        if (target.width() == Width.PREDICATE) {
            predicates.emit(step, name);
            return;
        }
        if (name.startsWith("select") || name.equals("onesWhere32")) {
            predicates.select(step, name);
            return;
        }
        values.guard(step.guard());
        for (int chunk = 0; chunk < WarpValues.chunks(target.width()); chunk++) {
            int made = values.result(target, chunk, step.guard());
            if (ConversionEmitter.knows(step)) {
                conversions.emit(step, chunk, made);
            } else if (ShiftEmitter.knows(step)) {
                shifts.emit(step.operation(), step.arguments(), chunk, made);
            } else {
                vector(name, step, chunk, made);
            }
            if (!ConversionEmitter.keepsNan(step.operation())) {
                finish(step, target, made);
            }
            values.keep(target, chunk, step.guard(), made);
        }
    }

    /// NaNs become those of GPUs where their bits are seen.
    private void finish(Step.Compute step, Register target, int made) {
        if (step.operation().result() == Carrier.FLOAT && demanded.has(target)) {
            if (step.operation().isCopy() || step.operation().keepsNan()) {
                return;
            }
            code.vector(Evex.VCMPPS, 5, made, Operand.register(made), UNORDERED);
            code.vectorWhere(
                    Evex.VPBROADCASTD, 5, made, 0, code.word(FloatArithmetic.CANONICAL_NAN));
        } else if (step.operation().result() == Carrier.DOUBLE) {
            code.vector(Evex.VCMPPD, 5, made, Operand.register(made), UNORDERED);
            code.vectorWhere(Evex.VPBROADCASTQ, 5, made, 0, code.longword(CANONICAL_F64));
        }
    }

    // Words and longs.

    private void vector(String name, Step.Compute step, int chunk, int made) {
        List<Source> sources = step.arguments();
        Source a = sources.getFirst();
        Evex binary = BINARY.get(name);
        if (binary != null) {
            int first = values.load(a, chunk, WarpValues.FIRST);
            code.vector(binary, made, first, values.operand(sources.get(1), chunk));
            return;
        }
        Evex unary = UNARY.get(name);
        if (unary != null) {
            code.vector(unary, made, 0, values.operand(a, chunk));
            return;
        }
        switch (name) {
            case "move32", "move64" -> values.copy(made, a, chunk);
            case "not32", "not64" ->
                    code.vector(Evex.VPTERNLOGD, made, made, values.operand(a, chunk), 0x55);
            case "negate32", "negate64" -> {
                code.vector(
                        Evex.VPXORD,
                        WarpValues.FIRST,
                        WarpValues.FIRST,
                        Operand.register(WarpValues.FIRST));
                Evex subtract = name.equals("negate32") ? Evex.VPSUBD : Evex.VPSUBQ;
                code.vector(subtract, made, WarpValues.FIRST, values.operand(a, chunk));
            }
            case "zeroExtend8" -> bits(Evex.VPANDD, made, a, chunk, 0xff);
            case "zeroExtend16" -> bits(Evex.VPANDD, made, a, chunk, 0xffff);
            case "signExtend8" -> extend(made, a, chunk, 24);
            case "signExtend16" -> extend(made, a, chunk, 16);
            case "high32" -> shift(Evex.VPSLLD_I, 2, made, values.operand(a, chunk), 16);
            case "pair16" -> {
                shift(
                        Evex.VPSLLD_I,
                        6,
                        WarpValues.SECOND,
                        values.operand(sources.get(1), chunk),
                        16);
                bits(Evex.VPANDD, made, a, chunk, 0xffff);
                code.vector(Evex.VPORD, made, made, Operand.register(WarpValues.SECOND));
            }
            case "populationCount32" ->
                    code.vector(Evex.VPOPCNTD, made, 0, values.operand(a, chunk));
            case "lookup32" -> lookup(sources, chunk, made);
            case "fusedF32" -> fused(Evex.VFMADD213PS, Evex.VFMADD231PS, sources, chunk, made);
            case "fusedF64" -> fused(Evex.VFMADD213PD, Evex.VFMADD231PD, sources, chunk, made);
            case "absoluteF32" -> bits(Evex.VPANDD, made, a, chunk, ~SIGN);
            case "negateF32" -> bits(Evex.VPXORD, made, a, chunk, SIGN);
            case "minimumF32" -> range(sources, chunk, made, 4);
            case "maximumF32" -> range(sources, chunk, made, 5);
            case "flushF32" -> flush(a, chunk, made);
            case "saturateF32" -> saturate(a, chunk, made);
            case "s32FromF32", "u32FromF32" -> toInteger(name.startsWith("s"), a, chunk, made);
            case "f32FromF16" -> {
                int first = values.load(a, chunk, WarpValues.FIRST);
                code.vector(Evex.VPMOVDW, first, 0, Operand.register(WarpValues.SECOND));
                code.vector(Evex.VCVTPH2PS, made, 0, Operand.register(WarpValues.SECOND));
            }
            default -> widening.emit(name, sources, chunk, made);
        }
    }

    private void bits(Evex operation, int made, Source a, int chunk, int constant) {
        int first = values.load(a, chunk, WarpValues.FIRST);
        code.vector(operation, made, first, code.word(constant));
    }

    private void extend(int made, Source a, int chunk, int amount) {
        shift(Evex.VPSLLD_I, 6, made, values.operand(a, chunk), amount);
        shift(Evex.VPSRAD_I, 4, made, Operand.register(made), amount);
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

    /// Minimum or maximum: a NaN gives way to the other operand, and zeros have signs.
    private void range(List<Source> sources, int chunk, int made, int constant) {
        values.copy(WarpValues.FIRST, sources.get(0), chunk);
        values.copy(WarpValues.SECOND, sources.get(1), chunk);
        Operand first = Operand.register(WarpValues.FIRST);
        Operand second = Operand.register(WarpValues.SECOND);
        code.vector(Evex.VCMPPS, 5, WarpValues.FIRST, first, UNORDERED);
        code.vectorWhere(Evex.VMOVDQU32, 5, WarpValues.FIRST, 0, second);
        code.vector(Evex.VCMPPS, 5, WarpValues.SECOND, second, UNORDERED);
        code.vectorWhere(Evex.VMOVDQU32, 5, WarpValues.SECOND, 0, first);
        code.vector(Evex.VRANGEPS, made, WarpValues.FIRST, second, constant);
    }

    private void flush(Source a, int chunk, int made) {
        values.copy(WarpValues.FIRST, a, chunk);
        code.vector(Evex.VPANDD, WarpValues.SECOND, WarpValues.FIRST, code.word(0x7f80_0000));
        code.vector(Evex.VPTESTNMD, 5, WarpValues.SECOND, Operand.register(WarpValues.SECOND));
        code.vectorWhere(Evex.VPANDD, 5, WarpValues.FIRST, WarpValues.FIRST, code.word(SIGN));
        code.vector(Evex.VMOVDQU32, made, 0, Operand.register(WarpValues.FIRST));
    }

    /// The second operand of these instructions wins where one is a NaN or both are zeros.
    private void saturate(Source a, int chunk, int made) {
        int first = values.load(a, chunk, WarpValues.FIRST);
        code.vector(Evex.VMAXPS, made, first, code.word(0));
        code.vector(Evex.VMINPS, made, made, code.word(Float.floatToRawIntBits(1f)));
    }

    /// Out of range becomes the nearest, NaN zero.
    private void toInteger(boolean signed, Source a, int chunk, int made) {
        int first = values.load(a, chunk, WarpValues.FIRST);
        float limit = signed ? 0x1p31f : 0x1p32f;
        code.vector(
                Evex.VCMPPS, 5, first, code.word(Float.floatToRawIntBits(limit)), GREATER_OR_EQUAL);
        code.vector(Evex.VCMPPS, 6, first, Operand.register(first), UNORDERED);
        Operand last = Operand.register(first);
        if (!signed) {
            code.vector(Evex.VMAXPS, WarpValues.SECOND, first, code.word(0));
            last = Operand.register(WarpValues.SECOND);
        }
        code.vector(signed ? Evex.VCVTTPS2DQ : Evex.VCVTTPS2UDQ, WarpValues.RESULT, 0, last);
        code.vectorWhere(
                Evex.VPBROADCASTD, 5, WarpValues.RESULT, 0, code.word(signed ? ~SIGN : -1));
        code.vectorWhere(Evex.VPBROADCASTD, 6, WarpValues.RESULT, 0, code.word(0));
        if (made != WarpValues.RESULT) {
            code.vector(Evex.VMOVDQU32, made, 0, Operand.register(WarpValues.RESULT));
        }
    }
}
