package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// What the method of every loop over lanes has: `(Frame frame, int mask)` and the register files
/// in locals.
record LoopFrame(CodeBuilder code) {
    static final ClassDesc FRAME = ClassDesc.of("dev.heddle.vm.state.Frame");
    static final ClassDesc RUNTIME = ClassDesc.of("dev.heddle.vm.compiler.RuntimeCalls");
    static final MethodTypeDesc DESCRIPTOR =
            MethodTypeDesc.of(ConstantDescs.CD_void, FRAME, ConstantDescs.CD_int);
    static final int MASK = 1;
    static final int WORDS = 2;
    static final int LONGS = 3;
    static final int PREDICATES = 4;

    /// A method that takes a frame, something of a kind, and a mask of lanes.
    static MethodTypeDesc taking(ClassDesc kind) {
        return MethodTypeDesc.of(ConstantDescs.CD_void, FRAME, kind, ConstantDescs.CD_int);
    }

    private static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();

    /// Loads the register files.
    void open() {
        int words = code.allocateLocal(TypeKind.REFERENCE);
        int longs = code.allocateLocal(TypeKind.REFERENCE);
        int predicates = code.allocateLocal(TypeKind.REFERENCE);
        if (words != WORDS || longs != LONGS || predicates != PREDICATES) {
            throw new IllegalStateException("locals moved");
        }
        code.aload(0).getfield(FRAME, "words", INTS).astore(WORDS);
        code.aload(0).getfield(FRAME, "longs", ConstantDescs.CD_long.arrayType()).astore(LONGS);
        code.aload(0).getfield(FRAME, "predicates", INTS).astore(PREDICATES);
    }

    /// A local for the bits of each predicate among these, none set yet.
    Map<Register, Integer> clearPredicates(Collection<Register> stored) {
        Map<Register, Integer> locals = new HashMap<>();
        for (Register register : stored) {
            if (register.width() == Width.PREDICATE) {
                int bits = code.allocateLocal(TypeKind.INT);
                locals.put(register, bits);
                code.iconst_0().istore(bits);
            }
        }
        return locals;
    }

    void base() {
        code.aload(0).getfield(FRAME, "base", ConstantDescs.CD_long);
    }

    /// A predefined register that all lanes share.
    void special(SpecialRegister register) {
        code.aload(0).loadConstant(register.ordinal());
        code.invokestatic(
                RUNTIME,
                "special",
                MethodTypeDesc.of(ConstantDescs.CD_int, FRAME, ConstantDescs.CD_int));
    }

    /// The array with a predefined register's value in each lane.
    void lanes(SpecialRegister register) {
        code.aload(0).loadConstant(register.ordinal());
        code.invokestatic(RUNTIME, "lanes", MethodTypeDesc.of(INTS, FRAME, ConstantDescs.CD_int));
    }

    /// A kernel parameter at a fixed place.
    void parameter(Step.Load load) {
        boolean isLong = LaneLoop.target(load).width() == Width.LONG;
        long at = load.base() instanceof Source.Constant(_, long bits) ? bits : 0;
        code.aload(0).loadConstant(at + load.offset());
        code.invokestatic(
                RUNTIME,
                isLong ? "parameter64" : "parameter32",
                MethodTypeDesc.of(
                        isLong ? ConstantDescs.CD_long : ConstantDescs.CD_int,
                        FRAME,
                        ConstantDescs.CD_long));
    }

    void loadPredicate(Register register) {
        code.aload(PREDICATES).loadConstant(register.index()).iaload();
    }

    /// Lanes of the mask take their bits from a local, the others keep theirs.
    void mergePredicate(Register register, int bits) {
        code.aload(PREDICATES).loadConstant(register.index());
        code.aload(PREDICATES).loadConstant(register.index()).iaload();
        code.iload(MASK).iconst_m1().ixor().iand();
        code.iload(bits).iload(MASK).iand().ior();
        code.iastore();
    }
}
