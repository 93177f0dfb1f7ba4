package dev.heddle.vm.interpreter;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.access.MemoryUnit;
import dev.heddle.vm.collective.WarpSynchronization;
import dev.heddle.vm.collective.Warpgroup;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.TextureStep;
import dev.heddle.vm.runtime.Calls;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.sanitizer.WarpChecks;
import dev.heddle.vm.state.ExecutionUnits;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.StepListener;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/// Sends the steps of a warp to the units that take them, and its lanes where exits say.
public final class Dispatcher implements ExecutionUnits {
    private final Warp warp;
    private final WarpChecks checks;
    private final MemoryUnit memory;
    private final Calls calls;
    private final WarpSynchronization synchronization;

    /// The units of a warp.
    ///
    /// @param warpgroup that it multiplies with
    /// @param sanitizer the checks of its CTA
    public Dispatcher(Warp warp, Warpgroup warpgroup, Sanitizer sanitizer) {
        this.warp = warp;
        checks = sanitizer.warp(warp.index());
        memory = new MemoryUnit(warp, sanitizer);
        calls = new Calls(warp, checks.accesses().host());
        synchronization = new WarpSynchronization(warp, memory, warpgroup, checks);
    }

    /// Where its lanes meet.
    public WarpSynchronization synchronization() {
        return synchronization;
    }

    @Override
    public @Nullable StepListener watcher() {
        return checks.isWatching() ? checks : null;
    }

    @Override
    public void load(Frame frame, Step.Load step, int lanes) {
        memory.loadStore().load(frame, step, lanes);
    }

    @Override
    public void store(Frame frame, Step.Store step, int lanes) {
        memory.loadStore().store(frame, step, lanes);
    }

    @Override
    public void copiesBegan(Site site, MemorySegment from, long place, int bytes) {
        checks.accesses().shared().copies().began(site, from, place, bytes);
    }

    @Override
    public void copiesCommitted() {
        checks.accesses().shared().copies().committed();
    }

    @Override
    public void step(Frame frame, Step step, int mask) {
        int lanes = frame.where(step.guard(), mask);
        if (lanes == 0) {
            return;
        }
        switch (step) {
            case Step.Compute compute -> Interpreter.compute(frame, compute, lanes);
            case Step.ReadSpecial(_, _, var special, Register target) -> {
                for (int lane = 0; lane < 32; lane++) {
                    if ((lanes >>> lane & 1) != 0) {
                        frame.set(target, lane, warp.special().value(special, lane));
                    }
                }
            }
            case Step.Load load -> memory.loadStore().load(frame, load, lanes);
            case Step.Store store -> memory.loadStore().store(frame, store, lanes);
            case Step.Atomic atomic -> memory.atomics().apply(frame, atomic, lanes);
            case Step.AsyncCopy copy -> memory.copies().copy(frame, copy, lanes);
            case BulkStep.Copy copy -> memory.bulk().copy(frame, copy, lanes);
            case TextureStep.Sample sample -> memory.textures().sample(frame, sample, lanes);
            case TextureStep.AccessSurface access -> memory.surfaces().access(frame, access, lanes);
            case TextureStep.Query query -> memory.textures().query(frame, query, lanes);
            case Step.AccessMemory access -> memory.functions().apply(frame, access, lanes);
            case BulkStep.TensorCopy copy -> memory.tensors().copy(frame, copy, lanes);
            case BulkStep.Group group -> memory.bulk().group(group, lanes);
            case Step.AsyncGroup group -> checks.accesses().shared().copies().apply(group, lanes);
            case Step.MemoryBarrierObject object -> memory.barriers().apply(frame, object, lanes);
            case Step.Stack stack -> frame.stack().apply(stack, lanes);
            case Step.Fence fence -> checks.accesses().shared().fence(fence, lanes);
            case Step.ProxyFence fence -> checks.accesses().shared().proxyFence(fence, lanes);
            case Step.TensorMapFence fence -> memory.maps().fence(frame, fence, lanes);
            case BulkStep.PrefetchTensor fetch -> memory.maps().prefetch(frame, fetch, lanes);
            case Step.Hint _ -> {}
            case DefinednessStep follow -> checks.follow(frame, follow, lanes);
            case Step.Unsupported(var site, _, String reason) ->
                    throw warp.faults().unsupported(site, lanes, reason);
        }
    }

    @Override
    public void leave(Frame frame, Exit exit, int mask) {
        switch (exit) {
            case Exit.Jump(_, int target) -> frame.park(target, mask);
            case Exit.Branch(_, var guard, int taken, int next, _) -> {
                int there = frame.where(guard, mask);
                frame.park(taken, there);
                frame.park(next, mask & ~there);
            }
            case Exit.IndexedBranch branch -> branch(frame, branch, mask);
            case Exit.Call call -> calls.call(frame, call, mask);
            case Exit.Return(var site, var guard, int next) -> {
                int gone = frame.where(guard, mask);
                continueAt(frame, next, mask & ~gone);
                if (frame.caller == null) {
                    warp.endsAt(site, gone);
                }
                calls.leave(frame, gone);
            }
            case Exit.ThreadExit(var site, var guard, int next) -> {
                int gone = frame.where(guard, mask);
                continueAt(frame, next, mask & ~gone);
                warp.endsAt(site, gone);
                warp.end(frame, gone);
            }
            case Exit.Trap(var site, var guard, int next) -> {
                int caught = frame.where(guard, mask);
                if (caught != 0) {
                    throw warp.faults().trap(site, caught);
                }
                continueAt(frame, next, mask);
            }
            case Exit.Synchronize joint -> synchronization.arrive(frame, joint, mask);
        }
    }

    private void branch(Frame frame, Exit.IndexedBranch branch, int mask) {
        int lanes = frame.where(branch.guard(), mask);
        if (lanes != mask) {
            frame.park(branch.next(), mask & ~lanes);
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            long index = frame.value(branch.index(), lane);
            if (index >= branch.targets().size()) {
                throw warp.faults()
                        .undefined(
                                Rule.BRX_INDEX_OUT_OF_RANGE,
                                branch.site(),
                                1 << lane,
                                "index %d of %d targets".formatted(index, branch.targets().size()));
            }
            frame.park(branch.targets().get((int) index), 1 << lane);
        }
    }

    private static void continueAt(Frame frame, int next, int mask) {
        if (mask != 0) {
            frame.park(next, mask);
        }
    }
}
