package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Which registers steps and exits read and write.
public final class Effects {
    private Effects() {}

    /// The registers that lanes read when they take a step, its guard included.
    public static List<Register> reads(Step step) {
        List<Register> found = new ArrayList<>();
        guard(step.guard(), found);
        switch (step) {
            case Step.Compute compute -> compute.arguments().forEach(a -> add(a, found));
            case Step.Load load -> add(load.base(), found);
            case Step.Store store -> {
                add(store.base(), found);
                store.values().forEach(value -> add(value, found));
            }
            case Step.Atomic atomic -> {
                add(atomic.base(), found);
                atomic.operands().forEach(operand -> add(operand, found));
                atomic.replacements().forEach(replacement -> add(replacement, found));
            }
            case Step.AsyncCopy copy -> {
                add(copy.destination(), found);
                add(copy.origin(), found);
                add(copy.sourceBytes(), found);
                add(copy.ignore(), found);
            }
            case Step.MemoryBarrierObject object -> {
                add(object.base(), found);
                object.operands().forEach(operand -> add(operand, found));
            }
            case Step.Stack stack -> add(stack.value(), found);
            case Step.BulkCopy copy -> {
                add(copy.target().base(), found);
                add(copy.origin().base(), found);
                add(copy.bytes(), found);
                place(copy.barrier(), found);
                add(copy.ctas(), found);
            }
            case Step.TensorCopy copy -> {
                add(copy.map().base(), found);
                add(copy.shared().base(), found);
                copy.coordinates().forEach(each -> add(each, found));
                if (copy.offsets() != null) {
                    copy.offsets().forEach(each -> add(each, found));
                }
                place(copy.barrier(), found);
                add(copy.ctas(), found);
            }
            case Step.SampleTexture sample -> {
                add(sample.texture(), found);
                sample.coordinates().forEach(each -> add(each, found));
                sample.detail().forEach(each -> add(each, found));
                sample.offsets().forEach(each -> add(each, found));
            }
            case Step.AccessSurface access -> {
                add(access.surface(), found);
                access.coordinates().forEach(each -> add(each, found));
                access.values().forEach(each -> add(each, found));
            }
            case Step.QueryTexture query -> {
                add(query.texture(), found);
                add(query.level(), found);
            }
            case Step.BulkStore store -> {
                add(store.target().base(), found);
                add(store.bytes(), found);
            }
            case Step.CancelCluster cancel -> {
                add(cancel.response().base(), found);
                add(cancel.barrier().base(), found);
            }
            case Step.ReplaceInTensorMap replace -> {
                add(replace.map().base(), found);
                add(replace.value(), found);
            }
            case Step.ReadSpecial _,
                    Step.ActiveMask _,
                    Step.AsyncGroup _,
                    Step.BulkGroup _,
                    Step.Fence _,
                    Step.ProxyFence _,
                    Step.Hint _,
                    Step.Definedness _,
                    Step.Unsupported _ -> {}
        }
        return found;
    }

    /// The registers that a step writes where its guard holds.
    public static List<Register> writes(Step step) {
        List<Register> found = new ArrayList<>();
        switch (step) {
            case Step.Compute compute -> found.add(compute.target());
            case Step.ReadSpecial special -> found.add(special.target());
            case Step.ActiveMask active -> found.add(active.target());
            case Step.Stack stack -> add(stack.target(), found);
            case Step.Load load -> load.targets().forEach(target -> add(target, found));
            case Step.Atomic atomic -> atomic.targets().forEach(target -> add(target, found));
            case Step.MemoryBarrierObject object -> found.addAll(object.targets());
            case Step.SampleTexture sample -> {
                sample.targets().forEach(target -> add(target, found));
                add(sample.resident(), found);
            }
            case Step.AccessSurface access ->
                    access.targets().forEach(target -> add(target, found));
            case Step.QueryTexture query -> found.add(query.target());
            case Step.Store _,
                    Step.AsyncCopy _,
                    Step.AsyncGroup _,
                    Step.BulkCopy _,
                    Step.TensorCopy _,
                    Step.BulkGroup _,
                    Step.BulkStore _,
                    Step.CancelCluster _,
                    Step.ReplaceInTensorMap _,
                    Step.Fence _,
                    Step.ProxyFence _,
                    Step.Hint _,
                    Step.Definedness _,
                    Step.Unsupported _ -> {}
        }
        return found;
    }

    /// The registers that lanes read when they leave a block, but for [#readsOfSuppliers].
    public static List<Register> reads(Exit exit) {
        List<Register> found = new ArrayList<>();
        guard(guardOf(exit), found);
        switch (exit) {
            case Exit.IndexedBranch branch -> add(branch.index(), found);
            case Exit.Call call -> {
                add(call.address(), found);
                call.arguments().forEach(argument -> add(argument.value(), found));
            }
            case Exit.Synchronize joint -> joint(joint.joint(), found);
            case Exit.Jump _, Exit.Branch _, Exit.Return _, Exit.Leave _, Exit.Trap _ -> {}
        }
        return found;
    }

    /// The registers that an exit reads of some lanes only: the metadata of a sparse product and
    /// its scale factors.
    public static List<Register> readsOfSuppliers(Exit exit) {
        List<Register> found = new ArrayList<>();
        if (exit instanceof Exit.Synchronize joint) {
            joint.joint().supplied().forEach(supplied -> add(supplied.source(), found));
        }
        return found;
    }

    /// The registers that are written once lanes have left a block.
    public static List<Register> writes(Exit exit) {
        List<Register> found = new ArrayList<>();
        switch (exit) {
            case Exit.Call call -> call.results().forEach(result -> add(result.value(), found));
            case Exit.Synchronize joint -> targets(joint.joint(), found);
            case Exit.Jump _,
                    Exit.Branch _,
                    Exit.IndexedBranch _,
                    Exit.Return _,
                    Exit.Leave _,
                    Exit.Trap _ -> {}
        }
        return found;
    }

    /// The guard of an exit, or null.
    public static @Nullable Guard guardOf(Exit exit) {
        return switch (exit) {
            case Exit.Jump _ -> null;
            case Exit.Branch branch -> branch.guard();
            case Exit.IndexedBranch branch -> branch.guard();
            case Exit.Call call -> call.guard();
            case Exit.Return end -> end.guard();
            case Exit.Leave end -> end.guard();
            case Exit.Trap end -> end.guard();
            case Exit.Synchronize joint -> joint.guard();
        };
    }

    /// The blocks that lanes may go on at.
    public static List<Integer> successors(Exit exit) {
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

    /// Whether a step does nothing that a program could see.
    public static boolean isBookkeeping(Step step) {
        return step instanceof Step.Hint
                || step instanceof Step.Fence
                || step instanceof Step.ProxyFence
                || step instanceof Step.Definedness;
    }

    private static void joint(Collective joint, List<Register> found) {
        switch (joint) {
            case Collective.Barrier barrier -> {
                add(barrier.barrier(), found);
                add(barrier.threads(), found);
                add(barrier.predicate(), found);
            }
            case Collective.WarpBarrier(Source members) -> add(members, found);
            case Collective.Shuffle shuffle -> {
                add(shuffle.value(), found);
                add(shuffle.lane(), found);
                add(shuffle.clamp(), found);
                add(shuffle.members(), found);
            }
            case Collective.Vote vote -> {
                add(vote.predicate(), found);
                add(vote.members(), found);
            }
            case Collective.Match match -> {
                add(match.value(), found);
                add(match.members(), found);
            }
            case Collective.Reduce reduce -> {
                add(reduce.value(), found);
                add(reduce.members(), found);
            }
            case Collective.Elect elect -> add(elect.members(), found);
            case Collective.Multiply multiply -> {
                multiply.a().forEach(source -> add(source, found));
                multiply.b().forEach(source -> add(source, found));
                multiply.c().forEach(source -> add(source, found));
                for (Collective.Scale scale : multiply.scales()) {
                    add(scale.byteId(), found);
                    add(scale.threadId(), found);
                }
                // Metadata and factors are read of some lanes alone: readsOfSuppliers.
            }
            case Collective.MultiplyAsync multiply -> {
                add(multiply.scaleD(), found);
                multiplicand(multiply.a(), found);
                multiplicand(multiply.b(), found);
            }
            case Collective.Warpgroup _, Collective.ClusterBarrier _ -> {}
            case Collective.LoadMatrix load -> add(load.base(), found);
            case Collective.StoreMatrix store -> {
                add(store.base(), found);
                store.values().forEach(source -> add(source, found));
            }
            case Collective.TransposeMatrix transpose -> add(transpose.value(), found);
            case Collective.LoadTile load -> {
                add(load.base(), found);
                add(load.stride(), found);
            }
            case Collective.StoreTile store -> {
                add(store.base(), found);
                add(store.stride(), found);
                store.values().forEach(value -> add(value, found));
            }
        }
    }

    private static void place(Step.@Nullable Place place, List<Register> found) {
        if (place != null) {
            add(place.base(), found);
        }
    }

    private static void multiplicand(Collective.Multiplicand operand, List<Register> found) {
        switch (operand) {
            case Collective.Multiplicand.InRegisters in ->
                    in.registers().forEach(source -> add(source, found));
            case Collective.Multiplicand.Described described -> add(described.descriptor(), found);
        }
    }

    private static void targets(Collective joint, List<Register> found) {
        switch (joint) {
            case Collective.Barrier barrier -> add(barrier.target(), found);
            case Collective.WarpBarrier _, Collective.StoreMatrix _, Collective.StoreTile _ -> {}
            case Collective.LoadTile load -> found.addAll(load.targets());
            case Collective.Shuffle shuffle -> {
                found.add(shuffle.target());
                add(shuffle.inRange(), found);
            }
            case Collective.Vote vote -> found.add(vote.target());
            case Collective.Match match -> {
                add(match.target(), found);
                add(match.agreed(), found);
            }
            case Collective.Reduce reduce -> found.add(reduce.target());
            case Collective.Elect elect -> {
                add(elect.leader(), found);
                found.add(elect.elected());
            }
            case Collective.Multiply multiply -> found.addAll(multiply.d());
            case Collective.MultiplyAsync multiply -> found.addAll(multiply.d());
            case Collective.Warpgroup _, Collective.ClusterBarrier _ -> {}
            case Collective.LoadMatrix load -> found.addAll(load.targets());
            case Collective.TransposeMatrix transpose -> found.add(transpose.target());
        }
    }

    private static void guard(@Nullable Guard guard, List<Register> found) {
        if (guard != null) {
            found.add(guard.predicate());
        }
    }

    private static void add(@Nullable Source source, List<Register> found) {
        if (source instanceof Register register) {
            found.add(register);
        }
    }
}
