package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.semantics.SemanticMethod;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Emits a loop that takes lane by lane and calls the semantic methods. Values are locals that hold
/// a lane's bits.
final class ScalarLoopEmitter {
    private final CodeBuilder code;
    private final LaneLoop loop;
    private final LoopFrame frame;
    private final Map<Source, Integer> values = new HashMap<>();
    private final Map<Step.Producer, Integer> uniform = new HashMap<>();
    private final Map<Register, Integer> gathered = new HashMap<>();
    private int lane;

    ScalarLoopEmitter(CodeBuilder code, LaneLoop loop) {
        this.code = code;
        this.loop = loop;
        frame = new LoopFrame(code);
    }

    void emit() {
        frame.open();
        lane = code.allocateLocal(TypeKind.INT);
        for (Step.Producer step : loop.steps()) {
            prepare(step);
        }
        gathered.putAll(frame.clearPredicates(loop.stored()));
        code.iconst_0().istore(lane);
        Label top = code.newBoundLabel();
        Label next = code.newLabel();
        code.iload(LoopFrame.MASK).iload(lane).iushr().iconst_1().iand().ifeq(next);
        for (Step.Producer step : loop.steps()) {
            step(step);
        }
        loop.stored().forEach(this::store);
        code.labelBinding(next);
        code.iinc(lane, 1).iload(lane).bipush(32).if_icmplt(top);
        gathered.forEach(frame::mergePredicate);
        code.return_();
    }

    private void prepare(Step.Producer step) {
        if (step instanceof Step.ReadSpecial special && special.special().isUniform()) {
            frame.special(special.special());
            keepUniform(step, TypeKind.INT);
        } else if (step instanceof Step.Load load) {
            frame.parameter(load);
            keepUniform(
                    step,
                    LaneLoop.target(load).width() == Width.LONG ? TypeKind.LONG : TypeKind.INT);
        }
    }

    private void keepUniform(Step.Producer step, TypeKind kind) {
        int local = code.allocateLocal(kind);
        code.storeLocal(kind, local);
        uniform.put(step, local);
    }

    private static TypeKind kind(Width width) {
        return width == Width.LONG ? TypeKind.LONG : TypeKind.INT;
    }

    private void step(Step.Producer step) {
        Register target = LaneLoop.target(step);
        TypeKind kind = kind(target.width());
        if (step instanceof Step.Compute compute) {
            compute(compute);
            return;
        }
        Integer known = uniform.get(step);
        if (known != null) {
            code.loadLocal(kind, known);
        } else if (step instanceof Step.ReadSpecial special) {
            frame.lanes(special.special());
            code.iload(lane).iaload();
        }
        code.storeLocal(kind, fresh(target));
    }

    private int fresh(Register register) {
        int local = code.allocateLocal(kind(register.width()));
        values.put(register, local);
        return local;
    }

    private void compute(Step.Compute step) {
        Operation operation = step.operation();
        SemanticMethod method = SemanticMethod.of(operation);
        List<Source> arguments = step.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            push((method.exchanged() ? arguments.reversed() : arguments).get(i));
            view(operation.parameters().get(i), true);
        }
        for (Enum<?> constant : method.constants()) {
            ClassDesc type = ClassDesc.of(constant.getDeclaringClass().getName());
            code.getstatic(type, constant.name(), type);
        }
        code.invokestatic(
                ClassDesc.of(method.owner().getName()),
                method.name(),
                method.type().describeConstable().orElseThrow());
        if (method.negated()) {
            code.iconst_1().ixor();
        }
        view(operation.result(), false);
        Register target = step.target();
        TypeKind kind = kind(target.width());
        Guard guard = step.guard();
        if (guard == null) {
            code.storeLocal(kind, fresh(target));
            return;
        }
        int result = code.allocateLocal(kind);
        code.storeLocal(kind, result);
        push(target);
        int kept = code.allocateLocal(kind);
        code.storeLocal(kind, kept);
        Label keep = code.newLabel();
        push(guard.predicate());
        if (guard.negated()) {
            code.ifne(keep);
        } else {
            code.ifeq(keep);
        }
        code.loadLocal(kind, result).storeLocal(kind, kept);
        code.labelBinding(keep);
        values.put(target, kept);
    }

    /// Between bits and the carrier of a float.
    private void view(Carrier carrier, boolean fromBits) {
        boolean single = carrier == Carrier.FLOAT;
        if (!single && carrier != Carrier.DOUBLE) {
            return;
        }
        ClassDesc bits = single ? ConstantDescs.CD_int : ConstantDescs.CD_long;
        ClassDesc number = single ? ConstantDescs.CD_float : ConstantDescs.CD_double;
        String method =
                fromBits
                        ? single ? "intBitsToFloat" : "longBitsToDouble"
                        : single ? "floatToRawIntBits" : "doubleToRawLongBits";
        code.invokestatic(
                single ? ConstantDescs.CD_Float : ConstantDescs.CD_Double,
                method,
                fromBits ? MethodTypeDesc.of(number, bits) : MethodTypeDesc.of(bits, number));
    }

    private void push(Source source) {
        switch (source) {
            case Source.Constant(Width width, long bits) -> {
                if (width == Width.LONG) {
                    code.loadConstant(bits);
                } else {
                    code.loadConstant((int) bits);
                }
            }
            case Source.FrameAddress(long at) -> {
                frame.base();
                code.loadConstant(at).ladd();
            }
            case Register register -> {
                Integer known = values.get(register);
                if (known == null) {
                    load(register);
                    known = fresh(register);
                    code.storeLocal(kind(register.width()), known);
                }
                code.loadLocal(kind(register.width()), known);
            }
        }
    }

    private void load(Register register) {
        switch (register.width()) {
            case WORD ->
                    code.aload(LoopFrame.WORDS)
                            .loadConstant(32 * register.index())
                            .iload(lane)
                            .iadd()
                            .iaload();
            case LONG ->
                    code.aload(LoopFrame.LONGS)
                            .loadConstant(32 * register.index())
                            .iload(lane)
                            .iadd()
                            .laload();
            case PREDICATE -> {
                frame.loadPredicate(register);
                code.iload(lane).iushr().iconst_1().iand();
            }
        }
    }

    private void store(Register register) {
        switch (register.width()) {
            case WORD -> {
                code.aload(LoopFrame.WORDS).loadConstant(32 * register.index()).iload(lane).iadd();
                push(register);
                code.iastore();
            }
            case LONG -> {
                code.aload(LoopFrame.LONGS).loadConstant(32 * register.index()).iload(lane).iadd();
                push(register);
                code.lastore();
            }
            case PREDICATE -> {
                int bits = gathered.getOrDefault(register, -1);
                push(register);
                code.iload(lane).ishl().iload(bits).ior().istore(bits);
            }
        }
    }
}
