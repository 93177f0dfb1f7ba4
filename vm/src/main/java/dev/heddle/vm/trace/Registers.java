package dev.heddle.vm.trace;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Effects;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The registers of a step, those it writes first.
final class Registers {
    private Registers() {}

    static List<Source> of(Step step) {
        List<@Nullable Source> all = new ArrayList<>();
        switch (step) {
            case Step.Compute compute -> {
                all.add(compute.target());
                all.addAll(compute.arguments());
            }
            case Step.ReadSpecial read -> all.add(read.target());
            case Step.Load load -> {
                all.addAll(load.targets());
                all.add(load.base());
            }
            case Step.Store store -> {
                all.addAll(store.values());
                all.add(store.base());
            }
            case Step.Atomic atomic -> {
                all.addAll(atomic.targets());
                all.add(atomic.base());
                all.addAll(atomic.operands());
                all.addAll(atomic.replacements());
            }
            case Step.AsyncCopy copy -> {
                all.add(copy.destination());
                all.add(copy.origin());
                all.add(copy.sourceBytes());
                all.add(copy.ignore());
            }
            case Step.MemoryBarrierObject object -> {
                all.addAll(object.targets());
                all.add(object.base());
                all.addAll(object.operands());
            }
            case Step.Stack stack -> {
                all.add(stack.target());
                all.add(stack.value());
            }
            case Step.ActiveMask active -> all.add(active.target());
            case Step.BulkCopy _,
                    Step.BulkStore _,
                    Step.QueryTexture _,
                    Step.SampleTexture _,
                    Step.AccessSurface _,
                    Step.CancelCluster _,
                    Step.TensorCopy _,
                    Step.ReplaceInTensorMap _ ->
                    all.addAll(Effects.reads(step));
            case Step.AsyncGroup _,
                    Step.BulkGroup _,
                    Step.Fence _,
                    Step.ProxyFence _,
                    Step.Hint _,
                    Step.Definedness _,
                    Step.Unsupported _ -> {}
        }
        Guard guard = step.guard();
        if (guard != null) {
            all.add(guard.predicate());
        }
        return present(all);
    }

    /// The registers of an exit, those it writes first.
    static List<Source> of(Exit exit) {
        List<@Nullable Source> all = new ArrayList<>();
        Guard guard =
                switch (exit) {
                    case Exit.Jump _ -> null;
                    case Exit.Branch branch -> branch.guard();
                    case Exit.IndexedBranch branch -> {
                        all.add(branch.index());
                        yield branch.guard();
                    }
                    case Exit.Call call -> {
                        all.add(call.address());
                        yield call.guard();
                    }
                    case Exit.Return end -> end.guard();
                    case Exit.Leave end -> end.guard();
                    case Exit.Trap trap -> trap.guard();
                    case Exit.Synchronize meeting -> {
                        add(all, meeting.joint());
                        yield meeting.guard();
                    }
                };
        if (guard != null) {
            all.add(guard.predicate());
        }
        return present(all);
    }

    private static void add(List<@Nullable Source> all, Collective joint) {
        switch (joint) {
            case Collective.Barrier barrier -> {
                all.add(barrier.target());
                all.add(barrier.barrier());
                all.add(barrier.threads());
                all.add(barrier.predicate());
            }
            case Collective.WarpBarrier barrier -> all.add(barrier.members());
            case Collective.Shuffle shuffle -> {
                all.add(shuffle.target());
                all.add(shuffle.inRange());
                all.add(shuffle.value());
                all.add(shuffle.lane());
                all.add(shuffle.clamp());
                all.add(shuffle.members());
            }
            case Collective.Vote vote -> {
                all.add(vote.target());
                all.add(vote.predicate());
                all.add(vote.members());
            }
            case Collective.Match match -> {
                all.add(match.target());
                all.add(match.agreed());
                all.add(match.value());
                all.add(match.members());
            }
            case Collective.Reduce reduce -> {
                all.add(reduce.target());
                all.add(reduce.value());
                all.add(reduce.members());
            }
            case Collective.Elect elect -> {
                all.add(elect.leader());
                all.add(elect.elected());
                all.add(elect.members());
            }
            case Collective.Multiply multiply -> {
                all.addAll(multiply.d());
                all.addAll(multiply.a());
                all.addAll(multiply.b());
                all.addAll(multiply.c());
                multiply.supplied().forEach(supplied -> all.add(supplied.source()));
            }
            case Collective.MultiplyAsync multiply -> {
                all.addAll(multiply.d());
                all.addAll(multiplicand(multiply.a()));
                all.addAll(multiplicand(multiply.b()));
                if (multiply.metadata() != null) {
                    all.add(multiply.metadata().word().source());
                }
                all.add(multiply.scaleD());
            }
            case Collective.Warpgroup _, Collective.ClusterBarrier _ -> {}
            case Collective.LoadMatrix load -> {
                all.addAll(load.targets());
                all.add(load.base());
            }
            case Collective.StoreMatrix store -> {
                all.addAll(store.values());
                all.add(store.base());
            }
            case Collective.LoadTile load -> {
                all.addAll(load.targets());
                all.add(load.base());
                all.add(load.stride());
            }
            case Collective.StoreTile store -> {
                all.addAll(store.values());
                all.add(store.base());
                all.add(store.stride());
            }
            case Collective.TransposeMatrix transpose -> {
                all.add(transpose.target());
                all.add(transpose.value());
            }
        }
    }

    private static List<Source> present(List<@Nullable Source> all) {
        List<Source> present = new ArrayList<>();
        for (Source source : all) {
            if (source != null) {
                present.add(source);
            }
        }
        return present;
    }

    private static List<Source> multiplicand(Collective.Multiplicand operand) {
        return switch (operand) {
            case Collective.Multiplicand.InRegisters in -> in.registers();
            case Collective.Multiplicand.Described described -> List.of(described.descriptor());
        };
    }
}
