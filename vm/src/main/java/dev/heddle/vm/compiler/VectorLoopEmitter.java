package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.VectorValues.DOUBLE_VECTOR;
import static dev.heddle.vm.compiler.VectorValues.FLOAT_VECTOR;
import static dev.heddle.vm.compiler.VectorValues.INTS;
import static dev.heddle.vm.compiler.VectorValues.INT_VECTOR;
import static dev.heddle.vm.compiler.VectorValues.LONGS;
import static dev.heddle.vm.compiler.VectorValues.LONG_VECTOR;
import static dev.heddle.vm.compiler.VectorValues.MASK;
import static dev.heddle.vm.compiler.VectorValues.SPECIES;
import static dev.heddle.vm.compiler.VectorValues.VECTOR;

import dev.heddle.vm.compiler.VectorValues.Value;
import dev.heddle.vm.compiler.VectorVariants.Kind;
import dev.heddle.vm.compiler.VectorVariants.Variant;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Emits a loop that takes as many lanes at a time as a vector holds.
///
/// Where the values are, [VectorValues] knows.
final class VectorLoopEmitter {
    private static final ClassDesc OPERATORS = ClassDesc.of("jdk.incubator.vector.VectorOperators");

    private final CodeBuilder code;
    private final LaneLoop loop;
    private final DemandedNans demanded;
    private final LoopFrame frame;
    private final boolean partial;
    private final int lanes;
    private final VectorValues values;
    private final Map<Register, Integer> gathered = new HashMap<>();
    private final Set<Register> converted = new HashSet<>();
    private final int active;
    private final int offset;

    VectorLoopEmitter(CodeBuilder code, LaneLoop loop, DemandedNans demanded, boolean partial) {
        this.code = code;
        this.loop = loop;
        this.demanded = demanded;
        this.partial = partial;
        frame = new LoopFrame(code);
        frame.open();
        active = code.allocateLocal(TypeKind.REFERENCE);
        offset = code.allocateLocal(TypeKind.INT);
        values = new VectorValues(code, frame, demanded, offset);
        lanes = VectorLanes.LONGS.length();
    }

    void emit() {
        for (Step.Producer step : loop.steps()) {
            prepare(step);
        }
        gathered.putAll(frame.clearPredicates(loop.stored()));
        code.iconst_0().istore(offset);
        Label top = code.newBoundLabel();
        if (partial) {
            values.species(Kind.INT);
            code.iload(LoopFrame.MASK).iload(offset).iushr().i2l();
            code.invokestatic(
                    MASK, "fromLong", MethodTypeDesc.of(MASK, SPECIES, ConstantDescs.CD_long));
            code.astore(active);
        }
        for (Step.Producer step : loop.steps()) {
            step(step);
        }
        loop.stored().forEach(this::store);
        code.iinc(offset, lanes).iload(offset).bipush(32).if_icmplt(top);
        gathered.forEach(frame::mergePredicate);
        code.return_();
    }

    // What is the same in all lanes.

    private void prepare(Step.Producer step) {
        switch (step) {
            case Step.Compute compute -> compute.arguments().forEach(values::broadcast);
            case Step.ReadSpecial special -> {
                if (special.special().isUniform()) {
                    values.species(Kind.INT);
                    frame.special(special.special());
                    values.broadcastInto(special.target(), INT_VECTOR, ConstantDescs.CD_int);
                }
            }
            case Step.Load load -> {
                boolean isLong = LaneLoop.target(load).width() == Width.LONG;
                values.species(isLong ? Kind.LONG : Kind.INT);
                frame.parameter(load);
                values.broadcastInto(
                        LaneLoop.target(load),
                        isLong ? LONG_VECTOR : INT_VECTOR,
                        isLong ? ConstantDescs.CD_long : ConstantDescs.CD_int);
            }
        }
    }

    // Steps.

    private void step(Step.Producer step) {
        switch (step) {
            case Step.Compute compute -> compute(compute);
            case Step.ReadSpecial special -> {
                if (!values.useBroadcast(special.target(), Kind.INT)) {
                    values.species(Kind.INT);
                    frame.lanes(special.special());
                    values.fromArray(INT_VECTOR, INTS, special.target(), Kind.INT, -1);
                }
            }
            case Step.Load load -> {
                Register target = LaneLoop.target(load);
                values.useBroadcast(target, target.width() == Width.LONG ? Kind.LONG : Kind.INT);
            }
        }
    }

    private void compute(Step.Compute step) {
        Variant variant = VectorVariants.of(step);
        if (variant == null) {
            throw new IllegalStateException(step.operation() + " has no variant");
        }
        call(variant, step.arguments());
        boolean raw =
                variant.result() == Kind.FLOAT
                        && (!step.operation().keepsNan()
                                || values.value(step.arguments().getFirst()).raw());
        Kind kind = variant.result();
        if (kind == Kind.LONG_MASK || kind == Kind.FLOAT_MASK || kind == Kind.DOUBLE_MASK) {
            values.cast(Kind.MASK);
            kind = Kind.MASK;
        }
        if (step.operation().kind() == OperationKind.CVT) {
            converted.add(step.target());
        }
        Guard guard = step.guard();
        if (guard == null) {
            values.keep(step.target(), kind, raw);
        } else {
            blend(step.target(), kind, raw, guard);
        }
    }

    private void call(Variant variant, List<Source> arguments) {
        VectorVariants.Operator operator = variant.operator();
        for (int i = 0; i < variant.parameters().size(); i++) {
            if (variant.parameters().get(i) == Kind.IMMEDIATE
                    && arguments.get(i) instanceof Source.Constant(_, long bits)) {
                code.loadConstant((int) bits);
            } else {
                values.push(arguments.get(i), variant.parameters().get(i));
            }
            if (operator != null && i == 0) {
                code.getstatic(OPERATORS, operator.name(), operator.type());
            }
        }
        if (operator == null) {
            code.invokestatic(variant.owner(), variant.name(), variant.descriptor(), false);
            return;
        }
        code.invokevirtual(variant.owner(), variant.name(), variant.descriptor());
        if (operator.negated()) {
            code.invokevirtual(MASK, "not", MethodTypeDesc.of(MASK));
        }
        if (variant.result() == Kind.DOUBLE) {
            values.canonicalDouble();
        }
    }

    /// Keeps the old value where the guard does not hold.
    private void blend(Register target, Kind kind, boolean raw, Guard guard) {
        int fresh = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(fresh);
        int holds = code.allocateLocal(TypeKind.REFERENCE);
        values.push(guard.predicate(), Kind.MASK);
        if (guard.negated()) {
            code.invokevirtual(MASK, "not", MethodTypeDesc.of(MASK));
        }
        code.astore(holds);
        if (kind == Kind.MASK) {
            values.push(target, Kind.MASK);
            code.aload(holds);
            code.invokevirtual(MASK, "andNot", MethodTypeDesc.of(MASK, MASK));
            code.aload(fresh).aload(holds);
            code.invokevirtual(MASK, "and", MethodTypeDesc.of(MASK, MASK));
            code.invokevirtual(MASK, "or", MethodTypeDesc.of(MASK, MASK));
            values.keep(target, Kind.MASK, false);
            return;
        }
        // Bits are blended, so that a NaN of the old value keeps its payload.
        boolean isWord = kind == Kind.INT || kind == Kind.FLOAT;
        Kind bits = isWord ? Kind.INT : Kind.LONG;
        ClassDesc vector = isWord ? INT_VECTOR : LONG_VECTOR;
        values.push(target, bits);
        code.aload(fresh);
        if (kind == Kind.FLOAT) {
            values.toInts(new Value(Kind.FLOAT, fresh, raw));
        } else if (kind == Kind.DOUBLE) {
            values.view(DOUBLE_VECTOR, "reinterpretAsLongs", LONG_VECTOR);
        }
        code.aload(holds);
        if (!isWord) {
            values.cast(Kind.LONG_MASK);
        }
        code.invokevirtual(vector, "blend", MethodTypeDesc.of(vector, VECTOR, MASK));
        values.keep(target, bits, false);
    }

    private void store(Register register) {
        Value value = values.defined(register);
        if (value == null) {
            throw new IllegalStateException(register + " is not defined by the loop");
        }
        switch (register.width()) {
            case WORD -> {
                if (partial) {
                    values.species(Kind.INT);
                    code.aload(LoopFrame.WORDS);
                    values.old(INT_VECTOR, INTS, register);
                }
                if (mayStayRaw(register, value)) {
                    code.aload(value.local());
                    values.view(FLOAT_VECTOR, "reinterpretAsInts", INT_VECTOR);
                } else {
                    values.push(register, Kind.INT);
                }
                code.aload(LoopFrame.WORDS);
                into(INT_VECTOR, INTS, register, Kind.MASK);
            }
            case LONG -> {
                if (partial) {
                    values.species(Kind.LONG);
                    code.aload(LoopFrame.LONGS);
                    values.old(LONG_VECTOR, LONGS, register);
                }
                values.push(register, Kind.LONG);
                code.aload(LoopFrame.LONGS);
                into(LONG_VECTOR, LONGS, register, Kind.LONG_MASK);
            }
            case PREDICATE -> {
                code.aload(value.local());
                code.invokevirtual(MASK, "toLong", MethodTypeDesc.of(ConstantDescs.CD_long));
                code.l2i().iload(offset).ishl();
                int bits = gathered.getOrDefault(register, -1);
                code.iload(bits).ior().istore(bits);
            }
        }
    }

    /// Whether a float may be stored with any NaN. Not what was converted: stored without a blend
    /// in between, the JIT does not remove its box, which costs five times as much.
    private boolean mayStayRaw(Register register, Value value) {
        return value.kind() == Kind.FLOAT
                && !demanded.has(register)
                && !converted.contains(register);
    }

    /// Stores the vector below the array on the stack. A blend and a plain store: processors
    /// forward masked stores to later loads slowly or not at all, which cost more than the rest of
    /// a short loop.
    private void into(ClassDesc vector, ClassDesc array, Register register, Kind mask) {
        int target = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(target);
        if (partial) {
            code.aload(active);
            if (mask != Kind.MASK) {
                values.cast(mask);
            }
            code.invokevirtual(vector, "blend", MethodTypeDesc.of(vector, VECTOR, MASK));
        }
        code.aload(target).iload(offset).loadConstant(32 * register.index()).iadd();
        code.invokevirtual(
                vector,
                "intoArray",
                MethodTypeDesc.of(ConstantDescs.CD_void, array, ConstantDescs.CD_int));
    }
}
