package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Compiles one function to a hidden class.
final class FunctionCompiler {
    /// A run longer than this is cut: the JIT gives up on methods with too many vector
    /// operations.
    private static final int LONGEST_RUN = 4;

    /// Functions with more blocks stay with the interpreter: their dispatcher would pass the
    /// JIT's limit.
    private static final int MOST_BLOCKS = 150;

    private static final ClassDesc SELF = ClassDesc.of("dev.heddle.vm.compiler.Generated");
    private static final ClassDesc WARP = ClassDesc.of("dev.heddle.vm.execution.Warp");
    private static final MethodTypeDesc STEP =
            MethodTypeDesc.of(
                    ConstantDescs.CD_void,
                    RunFrame.FRAME,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_int);
    private static final MethodTypeDesc LEAVE =
            MethodTypeDesc.of(
                    ConstantDescs.CD_void,
                    RunFrame.FRAME,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_int);
    private static final int FRAME = 1;
    private static final int BLOCK = 2;
    private static final int MASK = 3;

    private final Code function;
    private final Liveness liveness;
    private final HiddenBits hidden;
    private final List<Run> runs = new ArrayList<>();

    private FunctionCompiler(Code function, Liveness liveness) {
        this.function = function;
        this.liveness = liveness;
        hidden = new HiddenBits(function);
    }

    /// The function as bytecode, or null where it is too large.
    static @Nullable CompiledCode compile(Code function, Liveness liveness) {
        return function.blocks().size() > MOST_BLOCKS
                ? null
                : new FunctionCompiler(function, liveness).build();
    }

    private CompiledCode build() {
        byte[] bytes =
                ClassFile.of()
                        .build(
                                SELF,
                                type -> {
                                    type.withInterfaceSymbols(
                                            ClassDesc.of("dev.heddle.vm.compiler.CompiledCode"));
                                    constructor(type);
                                    for (Block block : function.blocks()) {
                                        body(type, block);
                                    }
                                    dispatcher(type);
                                    runs(type);
                                });
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
            return (CompiledCode)
                    lookup.findConstructor(
                                    lookup.lookupClass(),
                                    java.lang.invoke.MethodType.methodType(void.class))
                            .invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("code of " + function.name() + " does not load", e);
        }
    }

    private static void constructor(ClassBuilder type) {
        type.withMethodBody(
                ConstantDescs.INIT_NAME,
                ConstantDescs.MTD_void,
                ClassFile.ACC_PUBLIC,
                code ->
                        code.aload(0)
                                .invokespecial(
                                        ConstantDescs.CD_Object,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                .return_());
    }

    // Blocks: one method each, which makes the calls of its segments.

    private static String bodyName(Block block) {
        return "block" + block.number();
    }

    private void body(ClassBuilder type, Block block) {
        if (block.steps().isEmpty()) {
            return;
        }
        type.withMethodBody(
                bodyName(block),
                RunFrame.DESCRIPTOR,
                ClassFile.ACC_STATIC,
                code -> {
                    segments(code, block);
                    code.return_();
                });
    }

    private void segments(CodeBuilder code, Block block) {
        List<BitSet> behind = liveness.behind(block);
        List<Step> steps = block.steps();
        List<Step> run = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step instanceof Step.Hint) {
                continue;
            }
            if (Run.takes(step)) {
                if (run.size() == LONGEST_RUN
                        || !run.isEmpty() && isVector(run) != isVector(List.of(step))) {
                    close(code, run, behind.get(i - 1));
                }
                run.add(step);
            } else {
                if (!run.isEmpty()) {
                    close(code, run, behind.get(i - 1));
                }
                call(code, block, i, step);
            }
        }
        if (!run.isEmpty()) {
            close(code, run, behind.getLast());
        }
    }

    private static boolean isVector(List<Step> run) {
        return !(run.getLast() instanceof Step.Compute compute) || VectorTwins.has(compute);
    }

    private void close(CodeBuilder code, List<Step> steps, BitSet behind) {
        Run run = Run.of(List.copyOf(steps), behind, liveness);
        steps.clear();
        if (run.stored().isEmpty()) {
            return;
        }
        int number = runs.size();
        runs.add(run);
        Label partial = code.newLabel();
        Label done = code.newLabel();
        if (run.vector()) {
            code.iload(1).iconst_m1().if_icmpne(partial);
            code.aload(0).iload(1);
            code.invokestatic(SELF, "whole" + number, RunFrame.DESCRIPTOR);
            code.goto_(done);
        }
        code.labelBinding(partial);
        code.aload(0).iload(1);
        code.invokestatic(SELF, "run" + number, RunFrame.DESCRIPTOR);
        code.labelBinding(done);
    }

    private static void call(CodeBuilder code, Block block, int index, Step step) {
        Label done = code.newLabel();
        PlainAccess plain = PlainAccess.of(step);
        if (plain != null) {
            Label other = code.newLabel();
            code.iload(1).iconst_m1().if_icmpne(other);
            plain.emit(code);
            code.ifne(done);
            code.labelBinding(other);
        }
        String method =
                switch (step) {
                    case Step.Load _ -> "load";
                    case Step.Store _ -> "store";
                    default -> "step";
                };
        code.aload(0).loadConstant(block.number()).loadConstant(index).iload(1);
        code.invokestatic(RunFrame.SUPPORT, method, STEP);
        code.labelBinding(done);
    }

    private void runs(ClassBuilder type) {
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            if (run.vector()) {
                type.withMethodBody(
                        "whole" + i,
                        RunFrame.DESCRIPTOR,
                        ClassFile.ACC_STATIC,
                        code -> new VectorRunEmitter(code, run, hidden, false).emit());
            }
            type.withMethodBody(
                    "run" + i,
                    RunFrame.DESCRIPTOR,
                    ClassFile.ACC_STATIC,
                    code -> {
                        if (run.vector()) {
                            new VectorRunEmitter(code, run, hidden, true).emit();
                        } else {
                            new LaneRunEmitter(code, run).emit();
                        }
                    });
        }
    }

    // The dispatcher.

    private void dispatcher(ClassBuilder type) {
        type.withMethodBody(
                "run",
                MethodTypeDesc.of(
                        ConstantDescs.CD_void,
                        RunFrame.FRAME,
                        ConstantDescs.CD_int,
                        ConstantDescs.CD_int),
                ClassFile.ACC_PUBLIC,
                code -> {
                    int warp = code.allocateLocal(TypeKind.REFERENCE);
                    code.aload(FRAME).getfield(RunFrame.FRAME, "warp", WARP).astore(warp);
                    Label choose = code.newLabel();
                    Label park = code.newLabel();
                    Label dispatch = code.newLabel();
                    List<Label> labels = new ArrayList<>();
                    List<SwitchCase> cases = new ArrayList<>();
                    for (Block block : function.blocks()) {
                        Label label = code.newLabel();
                        labels.add(label);
                        cases.add(SwitchCase.of(block.number(), label));
                    }
                    code.goto_(dispatch);
                    // Lanes wait elsewhere: the smallest block runs next.
                    code.labelBinding(park);
                    code.aload(FRAME).iload(BLOCK).iload(MASK);
                    frameCall(code, "park", "(II)V");
                    code.labelBinding(choose);
                    code.aload(FRAME);
                    frameCall(code, "first", "()I");
                    code.istore(BLOCK);
                    code.aload(FRAME).iload(BLOCK);
                    frameCall(code, "take", "(I)I");
                    code.istore(MASK);
                    code.labelBinding(dispatch);
                    code.iload(BLOCK).tableswitch(labels.getFirst(), cases);
                    for (Block block : function.blocks()) {
                        code.labelBinding(labels.get(block.number()));
                        block(code, block, warp, labels, park, choose);
                    }
                });
    }

    private static void frameCall(CodeBuilder code, String name, String descriptor) {
        code.invokevirtual(RunFrame.FRAME, name, MethodTypeDesc.ofDescriptor(descriptor));
    }

    private void block(
            CodeBuilder code, Block block, int warp, List<Label> labels, Label park, Label choose) {
        code.aload(warp).aload(FRAME).loadConstant(block.number()).iload(MASK);
        code.invokevirtual(
                WARP,
                "charge",
                MethodTypeDesc.of(
                        ConstantDescs.CD_void,
                        RunFrame.FRAME,
                        ConstantDescs.CD_int,
                        ConstantDescs.CD_int));
        if (!block.steps().isEmpty()) {
            code.aload(FRAME).iload(MASK).invokestatic(SELF, bodyName(block), RunFrame.DESCRIPTOR);
        }
        boolean spins = block.steps().stream().anyMatch(FunctionCompiler::mayYield);
        switch (block.exit()) {
            case Exit.Jump(_, int target) -> jump(code, target, spins, warp, labels, park);
            case Exit.Branch branch -> branch(code, branch, spins, warp, labels, park);
            default -> {
                code.aload(FRAME).loadConstant(block.number()).iload(MASK);
                code.invokestatic(RunFrame.SUPPORT, "leave", LEAVE);
                Label out = code.newLabel();
                code.aload(FRAME).getfield(RunFrame.FRAME, "pendingLanes", ConstantDescs.CD_int);
                code.ifeq(out);
                code.aload(warp);
                code.invokevirtual(
                        WARP, "shouldYield", MethodTypeDesc.of(ConstantDescs.CD_boolean));
                code.ifeq(choose);
                code.labelBinding(out);
                code.return_();
            }
        }
    }

    /// Whether a step counts as spinning.
    private static boolean mayYield(Step step) {
        return switch (step) {
            case Step.Atomic _, Step.MemoryBarrierObject _ -> true;
            case Step.Load load -> load.access().strength() == Access.Strength.STRONG;
            case Step.Store store -> store.access().strength() == Access.Strength.STRONG;
            default -> false;
        };
    }

    private static void yieldAt(CodeBuilder code, int target, int warp) {
        Label stay = code.newLabel();
        code.aload(warp);
        code.invokevirtual(WARP, "shouldYield", MethodTypeDesc.of(ConstantDescs.CD_boolean));
        code.ifeq(stay);
        code.aload(FRAME).loadConstant(target).iload(MASK);
        frameCall(code, "park", "(II)V");
        code.return_();
        code.labelBinding(stay);
    }

    /// All lanes go to one block: at once unless lanes wait there or before.
    private static void jump(
            CodeBuilder code, int target, boolean spins, int warp, List<Label> labels, Label park) {
        if (spins) {
            yieldAt(code, target, warp);
        }
        code.aload(FRAME).getfield(RunFrame.FRAME, "lowest", ConstantDescs.CD_int);
        code.loadConstant(target).if_icmpgt(labels.get(target));
        code.loadConstant(target).istore(BLOCK);
        code.goto_(park);
    }

    private static void branch(
            CodeBuilder code,
            Exit.Branch branch,
            boolean spins,
            int warp,
            List<Label> labels,
            Label park) {
        int there = code.allocateLocal(TypeKind.INT);
        Register predicate = branch.guard().predicate();
        code.aload(FRAME)
                .getfield(RunFrame.FRAME, "predicates", ConstantDescs.CD_int.arrayType())
                .loadConstant(predicate.index())
                .iaload();
        if (branch.guard().negated()) {
            code.iconst_m1().ixor();
        }
        code.iload(MASK).iand().istore(there);
        Label none = code.newLabel();
        Label all = code.newLabel();
        code.iload(there).ifeq(none);
        code.iload(there).iload(MASK).if_icmpeq(all);
        // Lanes part: those with the larger target wait.
        boolean takenWaits = branch.taken() > branch.next();
        if (!takenWaits) {
            code.iload(there).iload(MASK).ixor().istore(there);
        }
        code.iload(MASK).iload(there).ixor().istore(MASK);
        code.aload(FRAME).loadConstant(Math.max(branch.taken(), branch.next())).iload(there);
        frameCall(code, "park", "(II)V");
        jump(code, Math.min(branch.taken(), branch.next()), spins, warp, labels, park);
        code.labelBinding(none);
        jump(code, branch.next(), spins, warp, labels, park);
        code.labelBinding(all);
        jump(code, branch.taken(), spins, warp, labels, park);
    }
}
