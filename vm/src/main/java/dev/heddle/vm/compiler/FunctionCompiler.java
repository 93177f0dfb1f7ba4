package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Step;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/// Compiles one function to a hidden class.
final class FunctionCompiler {
    /// A run longer than this is cut: the JIT gives up on methods with too many vector
    /// operations.
    private static final int LONGEST_RUN = 4;

    /// Segments of one method: the JIT compiles none of more than 8,000 bytes.
    private static final int MOST_SEGMENTS = 120;

    static final ClassDesc SELF = ClassDesc.of("dev.heddle.vm.compiler.Generated");
    private static final MethodTypeDesc STEP =
            MethodTypeDesc.of(
                    ConstantDescs.CD_void,
                    RunFrame.FRAME,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_int);

    private final Code function;
    private final Liveness liveness;
    private final HiddenBits hidden;
    private final boolean vectors;
    private final List<Run> runs = new ArrayList<>();

    private FunctionCompiler(Code function, Liveness liveness, boolean vectors) {
        this.vectors = vectors;
        this.function = function;
        this.liveness = liveness;
        hidden = new HiddenBits(function);
    }

    /// The function as bytecode.
    ///
    /// @param vectors whether runs go by vectors where they can, or all lane by lane
    static CompiledCode compile(Code function, Liveness liveness, boolean vectors) {
        return new FunctionCompiler(function, liveness, vectors).build();
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
                                    new DispatcherWriter(type, function).write();
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

    static String bodyName(Block block) {
        return "block" + block.number();
    }

    private void body(ClassBuilder type, Block block) {
        if (block.steps().isEmpty()) {
            return;
        }
        List<Consumer<CodeBuilder>> segments = segments(block);
        if (segments.size() <= MOST_SEGMENTS) {
            method(type, bodyName(block), code -> all(code, segments));
            return;
        }
        List<Consumer<CodeBuilder>> parts = new ArrayList<>();
        for (int i = 0; i < segments.size(); i += MOST_SEGMENTS) {
            List<Consumer<CodeBuilder>> part =
                    segments.subList(i, Math.min(i + MOST_SEGMENTS, segments.size()));
            String name = bodyName(block) + "part" + i;
            method(type, name, code -> all(code, part));
            parts.add(code -> invoke(code, name));
        }
        method(type, bodyName(block), code -> all(code, parts));
    }

    private static void all(CodeBuilder code, List<Consumer<CodeBuilder>> segments) {
        segments.forEach(segment -> segment.accept(code));
        code.return_();
    }

    private List<Consumer<CodeBuilder>> segments(Block block) {
        List<Consumer<CodeBuilder>> segments = new ArrayList<>();
        List<BitSet> behind = liveness.behind(block);
        List<Step> steps = block.steps();
        List<Step.Producer> run = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step instanceof Step.Hint) {
                continue;
            }
            if (step instanceof Step.Producer producer && Run.takes(producer)) {
                if (run.size() == LONGEST_RUN
                        || !run.isEmpty() && isVector(run) != isVector(List.of(producer))) {
                    close(segments, run, behind.get(i - 1));
                }
                run.add(producer);
            } else {
                if (!run.isEmpty()) {
                    close(segments, run, behind.get(i - 1));
                }
                int index = i;
                segments.add(code -> call(code, block, index, step));
            }
        }
        if (!run.isEmpty()) {
            close(segments, run, behind.getLast());
        }
        return segments;
    }

    private static boolean isVector(List<Step.Producer> run) {
        return !(run.getLast() instanceof Step.Compute compute) || VectorTwins.has(compute);
    }

    private void close(
            List<Consumer<CodeBuilder>> segments, List<Step.Producer> steps, BitSet behind) {
        Run run = Run.of(List.copyOf(steps), behind, liveness);
        steps.clear();
        if (run.stored().isEmpty()) {
            return;
        }
        int number = runs.size();
        runs.add(run);
        segments.add(code -> call(code, run, number));
    }

    private void call(CodeBuilder code, Run run, int number) {
        if (!isByVectors(run)) {
            invoke(code, "lanes" + number);
            return;
        }
        Label done = code.newLabel();
        Label partial = code.newLabel();
        code.iload(1).iconst_m1().if_icmpne(partial);
        invoke(code, "whole" + number);
        code.goto_(done);
        code.labelBinding(partial);
        invoke(code, "part" + number);
        code.labelBinding(done);
    }

    private boolean isByVectors(Run run) {
        return vectors && run.vector();
    }

    private static void invoke(CodeBuilder code, String method) {
        code.aload(0).iload(1).invokestatic(SELF, method, RunFrame.DESCRIPTOR);
    }

    private void call(CodeBuilder code, Block block, int index, Step step) {
        Label done = code.newLabel();
        PlainAccess plain = vectors ? PlainAccess.of(step) : null;
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
            if (isByVectors(run)) {
                method(type, "whole" + i, c -> new VectorRunEmitter(c, run, hidden, false).emit());
                method(type, "part" + i, c -> new VectorRunEmitter(c, run, hidden, true).emit());
            } else {
                method(type, "lanes" + i, c -> new LaneRunEmitter(c, run).emit());
            }
        }
    }

    private static void method(ClassBuilder type, String name, Consumer<CodeBuilder> body) {
        type.withMethodBody(name, RunFrame.DESCRIPTOR, ClassFile.ACC_STATIC, body);
    }
}
