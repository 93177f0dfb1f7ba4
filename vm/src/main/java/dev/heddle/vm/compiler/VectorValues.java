package dev.heddle.vm.compiler;

import dev.heddle.vm.compiler.VectorVariants.Kind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;

/// The values of a loop's registers and constants, each a vector in a local. What is the same in
/// every lane is broadcast in front of the loop.
final class VectorValues {
    private static final String VECTORS = "jdk.incubator.vector.";
    private static final ClassDesc LANES = ClassDesc.of("dev.heddle.vm.compiler.VectorLanes");
    private static final ClassDesc FLOATS = ClassDesc.of("dev.heddle.vm.compiler.VectorFloats");
    static final ClassDesc SPECIES = ClassDesc.of(VECTORS + "VectorSpecies");
    static final ClassDesc MASK = ClassDesc.of(VECTORS + "VectorMask");
    static final ClassDesc INT_VECTOR = ClassDesc.of(VECTORS + "IntVector");
    static final ClassDesc LONG_VECTOR = ClassDesc.of(VECTORS + "LongVector");
    static final ClassDesc FLOAT_VECTOR = ClassDesc.of(VECTORS + "FloatVector");
    static final ClassDesc DOUBLE_VECTOR = ClassDesc.of(VECTORS + "DoubleVector");
    static final ClassDesc VECTOR = ClassDesc.of(VECTORS + "Vector");
    static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();
    static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();

    private final CodeBuilder code;
    private final LoopFrame frame;
    private final DemandedNans demanded;
    private final int offset;
    private final Map<Source, Value> values = new HashMap<>();
    private final Map<Source, Integer> broadcasts = new HashMap<>();

    /// A vector in a local; other views of it are cached.
    ///
    /// @param raw whether a NaN in it may be any
    record Value(Kind kind, int local, boolean raw) {}

    /// The values of a loop.
    ///
    /// @param offset the local that counts lanes
    VectorValues(CodeBuilder code, LoopFrame frame, DemandedNans demanded, int offset) {
        this.code = code;
        this.frame = frame;
        this.demanded = demanded;
        this.offset = offset;
    }

    /// The vector of a kind of values.
    static ClassDesc vector(Kind kind) {
        return switch (kind) {
            case INT -> INT_VECTOR;
            case LONG -> LONG_VECTOR;
            case FLOAT -> FLOAT_VECTOR;
            case DOUBLE -> DOUBLE_VECTOR;
            case MASK, LONG_MASK, FLOAT_MASK, DOUBLE_MASK, IMMEDIATE ->
                    throw new IllegalArgumentException(kind.name());
        };
    }

    void species(Kind kind) {
        String name =
                switch (kind) {
                    case FLOAT, FLOAT_MASK -> "FLOATS";
                    case LONG, LONG_MASK -> "LONGS";
                    case DOUBLE, DOUBLE_MASK -> "DOUBLES";
                    case INT, MASK, IMMEDIATE -> "WORDS";
                };
        code.getstatic(LANES, name, SPECIES);
    }

    void broadcastInto(Source key, ClassDesc vector, ClassDesc element) {
        code.invokestatic(vector, "broadcast", MethodTypeDesc.of(vector, SPECIES, element));
        int local = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(local);
        broadcasts.put(key, local);
    }

    void broadcast(Source source) {
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

    /// Species and array are on the stack; the vector at the offset becomes the register's value.
    Value fromArray(ClassDesc vector, ClassDesc array, Register register, Kind kind, int from) {
        code.iload(offset);
        if (from > 0) {
            code.loadConstant(from).iadd();
        }
        code.invokestatic(
                vector,
                "fromArray",
                MethodTypeDesc.of(vector, SPECIES, array, ConstantDescs.CD_int));
        return keep(register, kind, !demanded.has(register));
    }

    Value keep(Source key, Kind kind, boolean raw) {
        int local = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(local);
        Value value = new Value(kind, local, raw);
        values.put(key, value);
        return value;
    }

    Value value(Source source) {
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
                code.aload(LoopFrame.WORDS);
                yield fromArray(INT_VECTOR, INTS, register, Kind.INT, 32 * register.index());
            }
            case LONG -> {
                species(Kind.LONG);
                code.aload(LoopFrame.LONGS);
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

    /// Puts a value on the stack as a variant wants it.
    void push(Source source, Kind wanted) {
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
    void toInts(Value value) {
        if (value.raw()) {
            code.invokestatic(
                    FLOATS, "canonical", MethodTypeDesc.of(FLOAT_VECTOR, FLOAT_VECTOR), false);
        }
        view(FLOAT_VECTOR, "reinterpretAsInts", INT_VECTOR);
    }

    /// The doubles on the stack get the NaN of GPUs.
    void canonicalDouble() {
        code.invokestatic(
                FLOATS, "canonicalDouble", MethodTypeDesc.of(DOUBLE_VECTOR, DOUBLE_VECTOR), false);
    }

    /// The bits on the stack become the value from now on.
    private void keepBits(Source source) {
        Value bits = keep(source, Kind.INT, false);
        code.aload(bits.local());
    }

    void view(ClassDesc from, String method, ClassDesc to) {
        code.invokevirtual(from, method, MethodTypeDesc.of(to));
    }

    void cast(Kind species) {
        species(species);
        code.invokevirtual(MASK, "cast", MethodTypeDesc.of(MASK, SPECIES));
    }

    /// What the lanes that do not take part keep; species and array are on the stack.
    void old(ClassDesc vector, ClassDesc array, Register register) {
        code.iload(offset).loadConstant(32 * register.index()).iadd();
        code.invokestatic(
                vector,
                "fromArray",
                MethodTypeDesc.of(vector, SPECIES, array, ConstantDescs.CD_int));
    }

    /// A register that was broadcast is that value from now on. Returns whether it was.
    boolean useBroadcast(Register register, Kind kind) {
        Integer uniform = broadcasts.get(register);
        if (uniform != null) {
            values.put(register, new Value(kind, uniform, false));
        }
        return uniform != null;
    }

    /// What a register holds, where the loop defines or has read it.
    @Nullable Value defined(Register register) {
        return values.get(register);
    }
}
