package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Joint;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

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
    private final BitSet entry;

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
        entry = in.getFirst();
    }

    /// What may be read before it is written.
    BitSet entry() {
        return entry;
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
                    Step.Definedness _,
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
                    Step.Definedness _,
                    Step.Unsupported _ -> {}
        }
    }

    private void exit(Exit exit, BitSet live) {
        forEachSource(exit, source -> read(source, live));
    }

    static void forEachSource(Exit exit, Consumer<@Nullable Source> action) {
        switch (exit) {
            case Exit.Jump _ -> {}
            case Exit.Branch branch -> guard(branch.guard(), action);
            case Exit.IndexedBranch branch -> {
                guard(branch.guard(), action);
                action.accept(branch.index());
            }
            case Exit.Call call -> {
                guard(call.guard(), action);
                action.accept(call.address());
                call.arguments().forEach(argument -> action.accept(argument.value()));
            }
            case Exit.Return end -> guard(end.guard(), action);
            case Exit.Leave end -> guard(end.guard(), action);
            case Exit.Trap end -> guard(end.guard(), action);
            case Exit.Synchronize joint -> {
                guard(joint.guard(), action);
                forEachSource(joint.joint(), action);
            }
        }
    }

    private static void guard(@Nullable Guard guard, Consumer<@Nullable Source> action) {
        if (guard != null) {
            action.accept(guard.predicate());
        }
    }

    private static void forEachSource(Joint joint, Consumer<@Nullable Source> action) {
        switch (joint) {
            case Joint.Barrier barrier -> {
                action.accept(barrier.barrier());
                action.accept(barrier.threads());
                action.accept(barrier.predicate());
            }
            case Joint.WarpBarrier(Source members) -> action.accept(members);
            case Joint.Shuffle shuffle -> {
                action.accept(shuffle.value());
                action.accept(shuffle.lane());
                action.accept(shuffle.clamp());
                action.accept(shuffle.members());
            }
            case Joint.Vote vote -> {
                action.accept(vote.predicate());
                action.accept(vote.members());
            }
            case Joint.Match match -> {
                action.accept(match.value());
                action.accept(match.members());
            }
            case Joint.Reduce reduce -> {
                action.accept(reduce.value());
                action.accept(reduce.members());
            }
            case Joint.Elect elect -> action.accept(elect.members());
            case Joint.Multiply multiply -> {
                multiply.a().forEach(action);
                multiply.b().forEach(action);
                multiply.c().forEach(action);
                multiply.scales().forEach(action);
                action.accept(multiply.metadata());
            }
            case Joint.LoadMatrix load -> action.accept(load.base());
            case Joint.StoreMatrix store -> {
                action.accept(store.base());
                store.values().forEach(action);
            }
            case Joint.TransposeMatrix transpose -> action.accept(transpose.value());
            case Joint.LoadTile load -> {
                action.accept(load.base());
                action.accept(load.stride());
            }
            case Joint.StoreTile store -> {
                action.accept(store.base());
                action.accept(store.stride());
                store.values().forEach(action);
            }
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
