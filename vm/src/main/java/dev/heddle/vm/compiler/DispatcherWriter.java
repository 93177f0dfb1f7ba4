package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/// Writes the methods that go from block to block.
///
/// Consecutive blocks share a method, in which a uniform branch is a jump; it returns false where
/// lanes go on in another one. The method `run` calls them in turn, and returns false where lanes
/// go on in another piece of the function.
record DispatcherWriter(ClassBuilder type, List<Block> blocks) {
    /// Blocks of one method.
    private static final int GROUP = 40;

    /// Bytes of one method, estimated: the JIT compiles none of more than 8,000.
    private static final int GROUP_BYTES = 7_000;

    private static final ClassDesc SELF = FunctionCompiler.SELF;
    private static final ClassDesc WARP = ClassDesc.of("dev.heddle.vm.state.Warp");
    private static final MethodTypeDesc FROM_BLOCK =
            MethodTypeDesc.of(
                    ConstantDescs.CD_boolean,
                    LoopFrame.FRAME,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_int);
    private static final MethodTypeDesc LEAVE = FROM_BLOCK.changeReturnType(ConstantDescs.CD_void);
    private static final int FRAME = 0;
    private static final int BLOCK = 1;
    private static final int MASK = 2;

    void write() {
        List<List<Block>> groups = groups();
        for (int group = 0; group < groups.size(); group++) {
            List<Block> members = groups.get(group);
            type.withMethodBody(
                    "group" + group,
                    FROM_BLOCK,
                    ClassFile.ACC_STATIC,
                    code -> new Group(code, members, blocks.getFirst().number()).emit());
        }
        type.withMethodBody("run", FROM_BLOCK, ClassFile.ACC_PUBLIC, code -> run(code, groups));
    }

    private List<List<Block>> groups() {
        List<List<Block>> groups = new ArrayList<>();
        int first = 0;
        int bytes = 0;
        for (int i = 0; i < blocks.size(); i++) {
            int more = bytesOf(blocks.get(i));
            if (i > first && (i - first == GROUP || bytes + more > GROUP_BYTES)) {
                groups.add(blocks.subList(first, i));
                first = i;
                bytes = 0;
            }
            bytes += more;
        }
        groups.add(blocks.subList(first, blocks.size()));
        return groups;
    }

    /// About what a block takes in its group's method, and not less.
    private static int bytesOf(Block block) {
        int jump = spins(block) ? 42 : 22;
        return switch (block.exit()) {
            case Exit.Jump _ -> 25 + jump;
            case Exit.Branch _ -> 95 + 3 * jump;
            default -> 65;
        };
    }

    /// The instance method: its locals stand one further.
    private void run(CodeBuilder code, List<List<Block>> groups) {
        Label top = code.newBoundLabel();
        Label next = code.newLabel();
        Label out = code.newLabel();
        Label elsewhere = code.newLabel();
        for (int group = 0; group < groups.size(); group++) {
            Label after = code.newLabel();
            if (group < groups.size() - 1) {
                code.iload(1 + BLOCK).loadConstant(groups.get(group).getLast().number());
                code.if_icmpgt(after);
            }
            code.aload(1 + FRAME).iload(1 + BLOCK).iload(1 + MASK);
            code.invokestatic(SELF, "group" + group, FROM_BLOCK);
            code.ifeq(next).goto_(out);
            code.labelBinding(after);
        }
        code.labelBinding(next);
        code.aload(1 + FRAME);
        frameCall(code, "first", "()I");
        code.istore(1 + BLOCK);
        code.iload(1 + BLOCK).loadConstant(blocks.getFirst().number()).if_icmplt(elsewhere);
        code.iload(1 + BLOCK).loadConstant(blocks.getLast().number()).if_icmpgt(elsewhere);
        code.aload(1 + FRAME).iload(1 + BLOCK);
        frameCall(code, "take", "(I)I");
        code.istore(1 + MASK).goto_(top);
        code.labelBinding(elsewhere).iconst_0().ireturn();
        code.labelBinding(out).iconst_1().ireturn();
    }

    private static void frameCall(CodeBuilder code, String name, String descriptor) {
        code.invokevirtual(LoopFrame.FRAME, name, MethodTypeDesc.ofDescriptor(descriptor));
    }

    /// Whether lanes may spin on a block: behind it, others are given a turn.
    static boolean spins(Block block) {
        return block.steps().stream().anyMatch(Step::maySpin);
    }

    /// One method under construction.
    private static final class Group {
        private final CodeBuilder code;
        private final List<Block> blocks;
        private final int first;
        private final int firstOfClass;
        private final List<Label> labels = new ArrayList<>();
        private final int warp;
        private final Label choose;
        private final Label park;

        Group(CodeBuilder code, List<Block> blocks, int firstOfClass) {
            this.code = code;
            this.blocks = blocks;
            this.firstOfClass = firstOfClass;
            first = blocks.getFirst().number();
            warp = code.allocateLocal(TypeKind.REFERENCE);
            choose = code.newLabel();
            park = code.newLabel();
        }

        void emit() {
            code.aload(FRAME).getfield(LoopFrame.FRAME, "warp", WARP).astore(warp);
            Label dispatch = code.newLabel();
            Label elsewhere = code.newLabel();
            List<SwitchCase> cases = new ArrayList<>();
            for (Block block : blocks) {
                labels.add(code.newLabel());
                cases.add(SwitchCase.of(block.number(), labels.getLast()));
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
            code.iload(BLOCK).loadConstant(first).if_icmplt(elsewhere);
            code.iload(BLOCK).loadConstant(first + blocks.size() - 1).if_icmpgt(elsewhere);
            code.aload(FRAME).iload(BLOCK);
            frameCall(code, "take", "(I)I");
            code.istore(MASK);
            code.labelBinding(dispatch);
            code.iload(BLOCK).tableswitch(elsewhere, cases);
            for (Block block : blocks) {
                code.labelBinding(labels.get(block.number() - first));
                block(block);
            }
            code.labelBinding(elsewhere).iconst_0().ireturn();
        }

        private void block(Block block) {
            code.aload(warp).aload(FRAME).loadConstant(block.number()).iload(MASK);
            code.invokevirtual(WARP, "charge", LEAVE);
            if (!block.steps().isEmpty()) {
                code.aload(FRAME).iload(MASK);
                code.invokestatic(SELF, FunctionCompiler.bodyName(block), LoopFrame.DESCRIPTOR);
            }
            boolean spins = spins(block);
            switch (block.exit()) {
                case Exit.Jump(_, int target) -> jump(target, spins);
                case Exit.Branch branch -> branch(branch, spins);
                default -> leave(block);
            }
        }

        private void leave(Block block) {
            code.aload(FRAME);
            FunctionCompiler.loadExit(code, block.number() - firstOfClass);
            code.iload(MASK);
            code.invokestatic(LoopFrame.RUNTIME, "leave", FunctionCompiler.leaving());
            Label out = code.newLabel();
            code.aload(FRAME).getfield(LoopFrame.FRAME, "pendingLanes", ConstantDescs.CD_int);
            code.ifeq(out);
            shouldYield();
            code.ifeq(choose);
            code.labelBinding(out);
            code.iconst_1().ireturn();
        }

        private void shouldYield() {
            code.aload(warp);
            code.invokevirtual(WARP, "shouldYield", MethodTypeDesc.of(ConstantDescs.CD_boolean));
        }

        /// All lanes go to one block: at once unless lanes wait there or before, or it is in
        /// another method.
        private void jump(int target, boolean spins) {
            if (spins) {
                Label stay = code.newLabel();
                shouldYield();
                code.ifeq(stay);
                code.aload(FRAME).loadConstant(target).iload(MASK);
                frameCall(code, "park", "(II)V");
                code.iconst_1().ireturn();
                code.labelBinding(stay);
            }
            if (target >= first && target < first + blocks.size()) {
                code.aload(FRAME).getfield(LoopFrame.FRAME, "lowest", ConstantDescs.CD_int);
                code.loadConstant(target).if_icmpgt(labels.get(target - first));
            }
            code.loadConstant(target).istore(BLOCK);
            code.goto_(park);
        }

        private void branch(Exit.Branch branch, boolean spins) {
            int there = code.allocateLocal(TypeKind.INT);
            Register predicate = branch.guard().predicate();
            code.aload(FRAME)
                    .getfield(LoopFrame.FRAME, "predicates", ConstantDescs.CD_int.arrayType())
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
            if (branch.taken() < branch.next()) {
                code.iload(there).iload(MASK).ixor().istore(there);
            }
            code.iload(MASK).iload(there).ixor().istore(MASK);
            code.aload(FRAME).loadConstant(Math.max(branch.taken(), branch.next())).iload(there);
            frameCall(code, "park", "(II)V");
            jump(Math.min(branch.taken(), branch.next()), spins);
            code.labelBinding(none);
            jump(branch.next(), spins);
            code.labelBinding(all);
            jump(branch.taken(), spins);
        }
    }
}
