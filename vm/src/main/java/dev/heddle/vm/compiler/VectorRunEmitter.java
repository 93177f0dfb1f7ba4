package dev.heddle.vm.compiler;

import dev.heddle.vm.compiler.VectorTwins.Kind;
import dev.heddle.vm.compiler.VectorTwins.Twin;
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
import java.util.Map;
import java.util.Set;

/// Emits a run as a loop over vectors of lanes.
///
/// Values are locals that hold a vector each. What is the same in every lane is broadcast in
/// front of the loop.
final class VectorRunEmitter {
    private static final String VECTORS = "jdk.incubator.vector.";
    private static final ClassDesc OPERATIONS =
            ClassDesc.of("dev.heddle.vm.compiler.VectorOperations");
    private static final ClassDesc SPECIES = ClassDesc.of(VECTORS + "VectorSpecies");
    private static final ClassDesc MASK = ClassDesc.of(VECTORS + "VectorMask");
    private static final ClassDesc INT_VECTOR = ClassDesc.of(VECTORS + "IntVector");
    private static final ClassDesc LONG_VECTOR = ClassDesc.of(VECTORS + "LongVector");
    private static final ClassDesc FLOAT_VECTOR = ClassDesc.of(VECTORS + "FloatVector");
    private static final ClassDesc DOUBLE_VECTOR = ClassDesc.of(VECTORS + "DoubleVector");
    private static final ClassDesc VECTOR = ClassDesc.of(VECTORS + "Vector");
    private static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();
    private static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();

    private final CodeBuilder code;
    private final Run run;
    private final HiddenBits hidden;
    private final RunFrame frame;
    private final boolean partial;
    private final int lanes;
    private final Map<Source, Value> values = new HashMap<>();
    private final Map<Source, Integer> broadcasts = new HashMap<>();
    private final Map<Register, Integer> gathered = new HashMap<>();
    private final Set<Register> converted = new HashSet<>();
    private int offset;
    private int active;

    /// A vector in a local; other views of it are cached.
    ///
    /// @param raw whether a NaN in it may be any
    private record Value(Kind kind, int local, boolean raw) {}

    VectorRunEmitter(CodeBuilder code, Run run, HiddenBits hidden, boolean partial) {
        this.code = code;
        this.run = run;
        this.hidden = hidden;
        this.partial = partial;
        frame = new RunFrame(code);
        lanes = VectorOperations.LONGS.length();
    }

    void emit() {
        frame.open();
        active = code.allocateLocal(TypeKind.REFERENCE);
        offset = code.allocateLocal(TypeKind.INT);
        for (Step.Producer step : run.steps()) {
            prepare(step);
        }
        for (Register register : run.stored()) {
            if (register.width() == Width.PREDICATE) {
                int bits = code.allocateLocal(TypeKind.INT);
                gathered.put(register, bits);
                code.iconst_0().istore(bits);
            }
        }
        code.iconst_0().istore(offset);
        Label top = code.newBoundLabel();
        if (partial) {
            species(Kind.INT);
            code.iload(RunFrame.MASK).iload(offset).iushr().i2l();
            code.invokestatic(
                    MASK, "fromLong", MethodTypeDesc.of(MASK, SPECIES, ConstantDescs.CD_long));
            code.astore(active);
        }
        for (Step.Producer step : run.steps()) {
            step(step);
        }
        run.stored().forEach(this::store);
        code.iinc(offset, lanes).iload(offset).bipush(32).if_icmplt(top);
        gathered.forEach(frame::mergePredicate);
        code.return_();
    }

    private void species(Kind kind) {
        String name =
                switch (kind) {
                    case FLOAT, FLOAT_MASK -> "FLOATS";
                    case LONG, LONG_MASK -> "LONGS";
                    case DOUBLE, DOUBLE_MASK -> "DOUBLES";
                    case INT, MASK, IMMEDIATE -> "WORDS";
                };
        code.getstatic(OPERATIONS, name, SPECIES);
    }

    // What is the same in all lanes.

    private void prepare(Step.Producer step) {
        switch (step) {
            case Step.Compute compute -> compute.arguments().forEach(this::prepare);
            case Step.ReadSpecial special -> {
                if (special.special().isUniform()) {
                    species(Kind.INT);
                    frame.special(special.special());
                    broadcastInto(special.target(), INT_VECTOR, ConstantDescs.CD_int);
                }
            }
            case Step.Load load -> {
                boolean isLong = Run.target(load).width() == Width.LONG;
                species(isLong ? Kind.LONG : Kind.INT);
                frame.parameter(load);
                broadcastInto(
                        Run.target(load),
                        isLong ? LONG_VECTOR : INT_VECTOR,
                        isLong ? ConstantDescs.CD_long : ConstantDescs.CD_int);
            }
        }
    }

    private void broadcastInto(Source key, ClassDesc vector, ClassDesc element) {
        code.invokestatic(vector, "broadcast", MethodTypeDesc.of(vector, SPECIES, element));
        int local = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(local);
        broadcasts.put(key, local);
    }

    private void prepare(Source source) {
        if (broadcasts.containsKey(source)) {
            return;
        }
        switch (source) {
            case Source.Constant(Width width, long bits) -> {
                switch (width) {
                    case WORD -> {
                        species(Kind.INT);
                        code.loadConstant((int) bits);
                        broadcastInto(source, INT_VECTOR, ConstantDescs.CD_int);
                    }
                    case LONG -> {
                        species(Kind.LONG);
                        code.loadConstant(bits);
                        broadcastInto(source, LONG_VECTOR, ConstantDescs.CD_long);
                    }
                    case PREDICATE -> {
                        species(Kind.INT);
                        code.loadConstant(bits != 0 ? -1L : 0L);
                        code.invokestatic(
                                MASK,
                                "fromLong",
                                MethodTypeDesc.of(MASK, SPECIES, ConstantDescs.CD_long));
                        int local = code.allocateLocal(TypeKind.REFERENCE);
                        code.astore(local);
                        broadcasts.put(source, local);
                    }
                }
            }
            case Source.FrameAddress(long at) -> {
                species(Kind.LONG);
                frame.base();
                code.loadConstant(at).ladd();
                broadcastInto(source, LONG_VECTOR, ConstantDescs.CD_long);
            }
            case Register _ -> {}
        }
    }

    // Steps.

    private void step(Step.Producer step) {
        switch (step) {
            case Step.Compute compute -> compute(compute);
            case Step.ReadSpecial special -> {
                Integer uniform = broadcasts.get(special.target());
                if (uniform != null) {
                    values.put(special.target(), new Value(Kind.INT, uniform, false));
                } else {
                    species(Kind.INT);
                    frame.lanes(special.special());
                    fromArray(INT_VECTOR, INTS, special.target(), Kind.INT, -1);
                }
            }
            case Step.Load load -> {
                Register target = Run.target(load);
                Kind kind = target.width() == Width.LONG ? Kind.LONG : Kind.INT;
                Integer uniform = broadcasts.get(target);
                if (uniform != null) {
                    values.put(target, new Value(kind, uniform, false));
                }
            }
        }
    }

    /// Species and array are on the stack; the vector at the offset becomes the register's value.
    private Value fromArray(
            ClassDesc vector, ClassDesc array, Register register, Kind kind, int from) {
        code.iload(offset);
        if (from > 0) {
            code.loadConstant(from).iadd();
        }
        code.invokestatic(
                vector,
                "fromArray",
                MethodTypeDesc.of(vector, SPECIES, array, ConstantDescs.CD_int));
        return keep(register, kind, hidden.holds(register));
    }

    private Value keep(Source key, Kind kind, boolean raw) {
        int local = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(local);
        Value value = new Value(kind, local, raw);
        values.put(key, value);
        return value;
    }

    private Value value(Source source) {
        Value known = values.get(source);
        if (known != null) {
            return known;
        }
        Integer uniform = broadcasts.get(source);
        if (uniform != null && !(source instanceof Register)) {
            Kind kind =
                    switch (source.width()) {
                        case PREDICATE -> Kind.MASK;
                        case WORD -> Kind.INT;
                        case LONG -> Kind.LONG;
                    };
            return new Value(kind, uniform, false);
        }
        if (!(source instanceof Register register)) {
            throw new IllegalStateException("a constant that was not prepared");
        }
        return switch (register.width()) {
            case WORD -> {
                species(Kind.INT);
                code.aload(RunFrame.WORDS);
                yield fromArray(INT_VECTOR, INTS, register, Kind.INT, 32 * register.index());
            }
            case LONG -> {
                species(Kind.LONG);
                code.aload(RunFrame.LONGS);
                yield fromArray(LONG_VECTOR, LONGS, register, Kind.LONG, 32 * register.index());
            }
            case PREDICATE -> {
                species(Kind.INT);
                frame.loadPredicate(register);
                code.iload(offset).iushr().i2l();
                code.invokestatic(
                        MASK, "fromLong", MethodTypeDesc.of(MASK, SPECIES, ConstantDescs.CD_long));
                yield keep(register, Kind.MASK, false);
            }
        };
    }

    /// Puts a value on the stack as a twin wants it.
    private void push(Source source, Kind wanted) {
        Value value = value(source);
        code.aload(value.local());
        switch (wanted) {
            case INT -> {
                if (value.kind() == Kind.FLOAT) {
                    toInts(value);
                    keepBits(source);
                }
            }
            case FLOAT -> {
                if (value.kind() == Kind.INT) {
                    view(INT_VECTOR, "reinterpretAsFloats", FLOAT_VECTOR);
                }
            }
            case LONG -> {
                if (value.kind() == Kind.DOUBLE) {
                    view(DOUBLE_VECTOR, "reinterpretAsLongs", LONG_VECTOR);
                }
            }
            case DOUBLE -> {
                if (value.kind() == Kind.LONG) {
                    view(LONG_VECTOR, "reinterpretAsDoubles", DOUBLE_VECTOR);
                }
            }
            case MASK -> {}
            case LONG_MASK, FLOAT_MASK, DOUBLE_MASK -> cast(wanted);
            case IMMEDIATE -> throw new IllegalStateException("an immediate is no value");
        }
    }

    /// The canonical bits of a float vector on the stack.
    private void toInts(Value value) {
        if (value.raw()) {
            code.invokestatic(
                    OPERATIONS, "canonical", MethodTypeDesc.of(FLOAT_VECTOR, FLOAT_VECTOR), false);
        }
        view(FLOAT_VECTOR, "reinterpretAsInts", INT_VECTOR);
    }

    /// The bits on the stack become the value from now on.
    private void keepBits(Source source) {
        Value bits = keep(source, Kind.INT, false);
        code.aload(bits.local());
    }

    private void view(ClassDesc from, String method, ClassDesc to) {
        code.invokevirtual(from, method, MethodTypeDesc.of(to));
    }

    private void cast(Kind species) {
        species(species);
        code.invokevirtual(MASK, "cast", MethodTypeDesc.of(MASK, SPECIES));
    }

    private void compute(Step.Compute step) {
        Twin twin = VectorTwins.of(step);
        if (twin == null) {
            throw new IllegalStateException(step.operation() + " has no twin");
        }
        for (int i = 0; i < twin.parameters().size(); i++) {
            Source argument = step.arguments().get(i);
            if (twin.parameters().get(i) == Kind.IMMEDIATE
                    && argument instanceof Source.Constant(_, long bits)) {
                code.loadConstant((int) bits);
            } else {
                push(argument, twin.parameters().get(i));
            }
        }
        code.invokestatic(
                OPERATIONS, twin.name(), MethodTypeDesc.ofDescriptor(twin.descriptor()), false);
        boolean raw =
                twin.result() == Kind.FLOAT
                        && (!step.operation().keepsNan()
                                || value(step.arguments().getFirst()).raw());
        Kind kind = twin.result();
        if (kind == Kind.LONG_MASK || kind == Kind.FLOAT_MASK || kind == Kind.DOUBLE_MASK) {
            cast(Kind.MASK);
            kind = Kind.MASK;
        }
        if (step.operation().kind() == OperationKind.CVT) {
            converted.add(step.target());
        }
        Guard guard = step.guard();
        if (guard == null) {
            keep(step.target(), kind, raw);
        } else {
            blend(step.target(), kind, raw, guard);
        }
    }

    /// Keeps the old value where the guard does not hold.
    private void blend(Register target, Kind kind, boolean raw, Guard guard) {
        int fresh = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(fresh);
        int holds = code.allocateLocal(TypeKind.REFERENCE);
        push(guard.predicate(), Kind.MASK);
        if (guard.negated()) {
            code.invokevirtual(MASK, "not", MethodTypeDesc.of(MASK));
        }
        code.astore(holds);
        if (kind == Kind.MASK) {
            push(target, Kind.MASK);
            code.aload(holds);
            code.invokevirtual(MASK, "andNot", MethodTypeDesc.of(MASK, MASK));
            code.aload(fresh).aload(holds);
            code.invokevirtual(MASK, "and", MethodTypeDesc.of(MASK, MASK));
            code.invokevirtual(MASK, "or", MethodTypeDesc.of(MASK, MASK));
            keep(target, Kind.MASK, false);
            return;
        }
        // Bits are blended, so that a NaN of the old value keeps its payload.
        boolean isWord = kind == Kind.INT || kind == Kind.FLOAT;
        Kind bits = isWord ? Kind.INT : Kind.LONG;
        ClassDesc vector = isWord ? INT_VECTOR : LONG_VECTOR;
        push(target, bits);
        code.aload(fresh);
        if (kind == Kind.FLOAT) {
            toInts(new Value(Kind.FLOAT, fresh, raw));
        } else if (kind == Kind.DOUBLE) {
            view(DOUBLE_VECTOR, "reinterpretAsLongs", LONG_VECTOR);
        }
        code.aload(holds);
        if (!isWord) {
            cast(Kind.LONG_MASK);
        }
        code.invokevirtual(vector, "blend", MethodTypeDesc.of(vector, VECTOR, MASK));
        keep(target, bits, false);
    }

    private void store(Register register) {
        Value value = values.get(register);
        if (value == null) {
            throw new IllegalStateException(register + " is not defined by the run");
        }
        switch (register.width()) {
            case WORD -> {
                if (partial) {
                    species(Kind.INT);
                    code.aload(RunFrame.WORDS);
                    old(INT_VECTOR, INTS, register);
                }
                if (mayStayRaw(register, value)) {
                    code.aload(value.local());
                    view(FLOAT_VECTOR, "reinterpretAsInts", INT_VECTOR);
                } else {
                    push(register, Kind.INT);
                }
                code.aload(RunFrame.WORDS);
                into(INT_VECTOR, INTS, register, Kind.MASK);
            }
            case LONG -> {
                if (partial) {
                    species(Kind.LONG);
                    code.aload(RunFrame.LONGS);
                    old(LONG_VECTOR, LONGS, register);
                }
                push(register, Kind.LONG);
                code.aload(RunFrame.LONGS);
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
                && hidden.holds(register)
                && !converted.contains(register);
    }

    /// What the lanes that do not take part keep; species and array are on the stack.
    private void old(ClassDesc vector, ClassDesc array, Register register) {
        code.iload(offset).loadConstant(32 * register.index()).iadd();
        code.invokestatic(
                vector,
                "fromArray",
                MethodTypeDesc.of(vector, SPECIES, array, ConstantDescs.CD_int));
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
                cast(mask);
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
