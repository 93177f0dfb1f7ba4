package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// Compiles consecutive blocks of a function to a hidden class.
final class FunctionCompiler {
    /// A loop of more steps than this is cut: the JIT gives up on methods with too many vector
    /// operations.
    private static final int LONGEST_LOOP = 4;

    /// Segments of one method: the JIT compiles none of more than 8,000 bytes.
    private static final int MOST_SEGMENTS = 120;

    static final ClassDesc SELF = ClassDesc.of("dev.heddle.vm.compiler.Generated");

    // What it calls the runtime with: the steps that are no loop, in the order of `called`, and the
    // exit of each block.
    private static final ClassDesc STEP = ClassDesc.of("dev.heddle.vm.ir.Step");
    private static final ClassDesc EXIT = ClassDesc.of("dev.heddle.vm.ir.Exit");
    private static final String STEPS = "STEPS";
    private static final String EXITS = "EXITS";

    private final List<Block> blocks;
    private final FunctionAnalysis analysis;
    private final boolean vectors;
    private final List<LaneLoop> loops = new ArrayList<>();
    private final List<Step> called = new ArrayList<>();

    private FunctionCompiler(List<Block> blocks, FunctionAnalysis analysis, boolean vectors) {
        this.blocks = blocks;
        this.analysis = analysis;
        this.vectors = vectors;
    }

    /// The class file of some blocks.
    ///
    /// @param blocks consecutive ones
    /// @param analysis of their function
    /// @param vectors whether loops go by vectors where they can, or all lane by lane
    static byte[] classFile(List<Block> blocks, FunctionAnalysis analysis, boolean vectors) {
        return new FunctionCompiler(blocks, analysis, vectors).build();
    }

    /// Some blocks as bytecode.
    static CompiledCode compile(List<Block> blocks, FunctionAnalysis analysis, boolean vectors) {
        FunctionCompiler compiler = new FunctionCompiler(blocks, analysis, vectors);
        byte[] bytes = compiler.build();
        List<Object[]> data =
                List.of(
                        compiler.called.toArray(Step[]::new),
                        blocks.stream().map(Block::exit).toArray(Exit[]::new));
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.lookup().defineHiddenClassWithClassData(bytes, data, true);
            return (CompiledCode)
                    lookup.findConstructor(
                                    lookup.lookupClass(),
                                    java.lang.invoke.MethodType.methodType(void.class))
                            .invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("generated code does not load", e);
        }
    }

    private byte[] build() {
        return ClassFile.of()
                .build(
                        SELF,
                        type -> {
                            type.withInterfaceSymbols(
                                    ClassDesc.of("dev.heddle.vm.compiler.CompiledCode"));
                            constant(type, STEPS, STEP);
                            constant(type, EXITS, EXIT);
                            type.withMethodBody(
                                    ConstantDescs.CLASS_INIT_NAME,
                                    ConstantDescs.MTD_void,
                                    ClassFile.ACC_STATIC,
                                    FunctionCompiler::takeData);
                            constructor(type);
                            for (Block block : blocks) {
                                body(type, block);
                            }
                            new DispatcherWriter(type, blocks).write();
                            loops(type);
                        });
    }

    private static void constant(ClassBuilder type, String name, ClassDesc element) {
        type.withField(
                name,
                element.arrayType(),
                ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
    }

    private static void takeData(CodeBuilder code) {
        takeData(code, STEPS, STEP.arrayType(), 0);
        takeData(code, EXITS, EXIT.arrayType(), 1);
        code.return_();
    }

    private static void takeData(CodeBuilder code, String name, ClassDesc type, int index) {
        code.ldc(
                DynamicConstantDesc.ofNamed(
                        ConstantDescs.BSM_CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, index));
        code.putstatic(SELF, name, type);
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

    /// The calls of a block, found from its end: what is read behind a loop is known then.
    private List<Consumer<CodeBuilder>> segments(Block block) {
        Deque<Consumer<CodeBuilder>> segments = new ArrayDeque<>();
        List<Step> steps = block.steps();
        Liveness.Point point = analysis.liveness().endOf(block);
        List<Integer> starts = starts(steps);
        int end = steps.size();
        for (int start : starts.reversed()) {
            List<Step> part = steps.subList(start, end);
            switch (part.getFirst()) {
                case Step.Producer first when isOfLoop(first) -> {
                    LaneLoop loop = LaneLoop.of(producers(part), point);
                    if (!loop.stored().isEmpty()) {
                        int number = loops.size();
                        loops.add(loop);
                        segments.addFirst(code -> call(code, loop, number));
                    }
                }
                case Step.Hint _ -> {}
                case Step step -> {
                    int number = called.size();
                    called.add(step);
                    segments.addFirst(code -> call(code, number, step));
                }
            }
            part.forEach(_ -> point.passBack());
            end = start;
        }
        return List.copyOf(segments);
    }

    private boolean isOfLoop(Step.Producer step) {
        return LaneLoop.takes(step, analysis.parameterBytes());
    }

    /// Where the loops of a block, and the steps between them, begin.
    private List<Integer> starts(List<Step> steps) {
        List<Integer> starts = new ArrayList<>();
        int length = 0;
        boolean vector = false;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step instanceof Step.Producer producer && isOfLoop(producer)) {
                if (length == 0 || length == LONGEST_LOOP || vector != isVector(producer)) {
                    starts.add(i);
                    length = 0;
                }
                vector = isVector(producer);
                length++;
            } else if (length == 0 || !(step instanceof Step.Hint)) {
                starts.add(i);
                length = 0;
            }
        }
        return starts;
    }

    private static List<Step.Producer> producers(List<Step> steps) {
        List<Step.Producer> producers = new ArrayList<>();
        for (Step step : steps) {
            if (step instanceof Step.Producer producer) {
                producers.add(producer);
            }
        }
        return producers;
    }

    private static boolean isVector(Step.Producer step) {
        return !(step instanceof Step.Compute compute) || VectorVariants.has(compute);
    }

    private void call(CodeBuilder code, LaneLoop loop, int number) {
        if (!isByVectors(loop)) {
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

    private boolean isByVectors(LaneLoop loop) {
        return vectors && loop.vector();
    }

    private static void invoke(CodeBuilder code, String method) {
        code.aload(0).iload(1).invokestatic(SELF, method, LoopFrame.DESCRIPTOR);
    }

    private void call(CodeBuilder code, int number, Step step) {
        Label done = code.newLabel();
        FastPathCall plain = vectors ? FastPathCall.of(step) : null;
        if (plain != null) {
            Label other = code.newLabel();
            code.iload(1).iconst_m1().if_icmpne(other);
            plain.emit(code);
            code.ifne(done);
            code.labelBinding(other);
        }
        code.aload(0).getstatic(SELF, STEPS, STEP.arrayType()).loadConstant(number).aaload();
        switch (step) {
            case Step.Load _ -> take(code, "load", STEP.nested("Load"));
            case Step.Store _ -> take(code, "store", STEP.nested("Store"));
            default -> take(code, "step", STEP);
        }
        code.labelBinding(done);
    }

    private static void take(CodeBuilder code, String method, ClassDesc step) {
        code.checkcast(step).iload(1);
        code.invokestatic(LoopFrame.RUNTIME, method, LoopFrame.taking(step));
    }

    /// Puts the exit of a block on the stack.
    ///
    /// @param index of the block among those of the class
    static void loadExit(CodeBuilder code, int index) {
        code.getstatic(SELF, EXITS, EXIT.arrayType()).loadConstant(index).aaload();
    }

    /// Of a method of [RuntimeCalls] that takes an exit.
    static MethodTypeDesc leaving() {
        return LoopFrame.taking(EXIT);
    }

    private void loops(ClassBuilder type) {
        for (int i = 0; i < loops.size(); i++) {
            LaneLoop loop = loops.get(i);
            if (isByVectors(loop)) {
                method(
                        type,
                        "whole" + i,
                        c -> new VectorLoopEmitter(c, loop, analysis.demandedNans(), false).emit());
                method(
                        type,
                        "part" + i,
                        c -> new VectorLoopEmitter(c, loop, analysis.demandedNans(), true).emit());
            } else {
                method(type, "lanes" + i, c -> new ScalarLoopEmitter(c, loop).emit());
            }
        }
    }

    private static void method(ClassBuilder type, String name, Consumer<CodeBuilder> body) {
        type.withMethodBody(name, LoopFrame.DESCRIPTOR, ClassFile.ACC_STATIC, body);
    }
}
