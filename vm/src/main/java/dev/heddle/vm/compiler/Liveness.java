package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Joint;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which registers are still read after each block: a backward data flow over the control flow
/// graph.
///
/// A definition ends liveness only where it has no guard. Lanes that do not take part keep their
/// values in the lane arrays,
/// so a partial mask needs no care.
final class Liveness {
    private final int words;
    private final int longs;
    private final List<BitSet> out = new ArrayList<>();

    Liveness(Code code) {
        words = code.words();
        longs = code.longs();
        List<Block> blocks = code.blocks();
        List<BitSet> in = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            in.add(new BitSet());
            out.add(new BitSet());
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = blocks.size() - 1; i >= 0; i--) {
                BitSet live = new BitSet();
                for (int successor : successors(blocks.get(i).exit())) {
                    live.or(in.get(successor));
                }
                out.set(i, (BitSet) live.clone());
                exit(blocks.get(i).exit(), live);
                List<Step> steps = blocks.get(i).steps();
                for (int s = steps.size() - 1; s >= 0; s--) {
                    before(steps.get(s), live);
                }
                if (!live.equals(in.get(i))) {
                    in.set(i, live);
                    changed = true;
                }
            }
        }
    }

    /// What is read after each step of a block: element i stands for the point behind step i.
    List<BitSet> behind(Block block) {
        BitSet live = (BitSet) out.get(block.number()).clone();
        exit(block.exit(), live);
        List<BitSet> points = new ArrayList<>();
        for (int s = block.steps().size() - 1; s >= 0; s--) {
            points.addFirst((BitSet) live.clone());
            before(block.steps().get(s), live);
        }
        return points;
    }

    /// A register's bit in these sets.
    int bit(Register register) {
        return switch (register.width()) {
            case WORD -> register.index();
            case LONG -> words + register.index();
            case PREDICATE -> words + longs + register.index();
        };
    }

    private void before(Step step, BitSet live) {
        if (step.guard() == null) {
            forEachTarget(step, target -> live.clear(bit(target)));
        }
        forEachSource(step, source -> read(source, live));
    }

    private void read(@Nullable Source source, BitSet live) {
        if (source instanceof Register register) {
            live.set(bit(register));
        }
    }

    static void forEachTarget(Step step, Consumer<Register> action) {
        switch (step) {
            case Step.Compute compute -> action.accept(compute.target());
            case Step.ReadSpecial special -> action.accept(special.target());
            case Step.ActiveMask active -> action.accept(active.target());
            case Step.Load load -> {
                for (Register target : load.targets()) {
                    if (target != null) {
                        action.accept(target);
                    }
                }
            }
            case Step.Atomic atomic -> {
                if (atomic.target() != null) {
                    action.accept(atomic.target());
                }
            }
            case Step.MemoryBarrierObject object -> object.targets().forEach(action);
            case Step.Store _,
                    Step.AsyncCopy _,
                    Step.AsyncGroup _,
                    Step.Hint _,
                    Step.Unsupported _ -> {}
        }
    }

    static void forEachSource(Step step, Consumer<@Nullable Source> action) {
        Guard guard = step.guard();
        if (guard != null) {
            action.accept(guard.predicate());
        }
        switch (step) {
            case Step.Compute compute -> compute.arguments().forEach(action);
            case Step.Load load -> action.accept(load.base());
            case Step.Store store -> {
                action.accept(store.base());
                store.values().forEach(action);
            }
            case Step.Atomic atomic -> {
                action.accept(atomic.base());
                action.accept(atomic.operand());
                action.accept(atomic.replacement());
            }
            case Step.AsyncCopy copy -> {
                action.accept(copy.destination());
                action.accept(copy.origin());
                action.accept(copy.sourceBytes());
                action.accept(copy.ignore());
            }
            case Step.MemoryBarrierObject object -> {
                action.accept(object.base());
                object.operands().forEach(action);
            }
            case Step.ReadSpecial _,
                    Step.ActiveMask _,
                    Step.AsyncGroup _,
                    Step.Hint _,
                    Step.Unsupported _ -> {}
        }
    }

    private void exit(Exit exit, BitSet live) {
        switch (exit) {
            case Exit.Jump _ -> {}
            case Exit.Branch branch -> guard(branch.guard(), live);
            case Exit.IndexedBranch branch -> {
                guard(branch.guard(), live);
                read(branch.index(), live);
            }
            case Exit.Call call -> {
                guard(call.guard(), live);
                read(call.address(), live);
                call.arguments().forEach(argument -> read(argument.value(), live));
            }
            case Exit.Return end -> guard(end.guard(), live);
            case Exit.Leave end -> guard(end.guard(), live);
            case Exit.Trap end -> guard(end.guard(), live);
            case Exit.Synchronize joint -> {
                guard(joint.guard(), live);
                joint(joint.joint(), live);
            }
        }
    }

    private void guard(@Nullable Guard guard, BitSet live) {
        if (guard != null) {
            read(guard.predicate(), live);
        }
    }

    private void joint(Joint joint, BitSet live) {
        switch (joint) {
            case Joint.Barrier barrier -> {
                read(barrier.barrier(), live);
                read(barrier.threads(), live);
                read(barrier.predicate(), live);
            }
            case Joint.WarpBarrier(Source members) -> read(members, live);
            case Joint.Shuffle shuffle -> {
                read(shuffle.value(), live);
                read(shuffle.lane(), live);
                read(shuffle.clamp(), live);
                read(shuffle.members(), live);
            }
            case Joint.Vote vote -> {
                read(vote.predicate(), live);
                read(vote.members(), live);
            }
            case Joint.Match match -> {
                read(match.value(), live);
                read(match.members(), live);
            }
            case Joint.Reduce reduce -> {
                read(reduce.value(), live);
                read(reduce.members(), live);
            }
            case Joint.Elect elect -> read(elect.members(), live);
            case Joint.Multiply multiply -> {
                multiply.a().forEach(source -> read(source, live));
                multiply.b().forEach(source -> read(source, live));
                multiply.c().forEach(source -> read(source, live));
                multiply.scales().forEach(source -> read(source, live));
                read(multiply.metadata(), live);
            }
            case Joint.LoadMatrix load -> read(load.base(), live);
            case Joint.StoreMatrix store -> {
                read(store.base(), live);
                store.values().forEach(source -> read(source, live));
            }
            case Joint.TransposeMatrix transpose -> read(transpose.value(), live);
        }
    }

    static List<Integer> successors(Exit exit) {
        List<Integer> found = new ArrayList<>();
        switch (exit) {
            case Exit.Jump(_, int target) -> found.add(target);
            case Exit.Branch branch -> {
                found.add(branch.taken());
                found.add(branch.next());
            }
            case Exit.IndexedBranch branch -> {
                found.addAll(branch.targets());
                found.add(branch.next());
            }
            case Exit.Call call -> found.add(call.next());
            case Exit.Return end -> found.add(end.next());
            case Exit.Leave end -> found.add(end.next());
            case Exit.Trap end -> found.add(end.next());
            case Exit.Synchronize joint -> found.add(joint.next());
        }
        found.removeIf(number -> number < 0);
        return found;
    }
}
