package dev.heddle.vm.interpreter;

import dev.heddle.vm.access.BarrierObject;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.sanitizer.Definedness;
import dev.heddle.vm.sanitizer.RegistersInFlight;
import dev.heddle.vm.semantics.RegisterHandles;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.StepListener;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.util.List;

/// The reference executor: every step, lane by lane, through the semantic methods.
public final class Interpreter implements Executor {
    private final @Nullable StepListener listener;
    private final boolean follows;

    /// An interpreter that nobody watches.
    public Interpreter() {
        this(null);
    }

    /// An interpreter that tells a listener, if there is one, of every step.
    public Interpreter(@Nullable StepListener listener) {
        this(listener, false);
    }

    private Interpreter(@Nullable StepListener listener, boolean follows) {
        this.listener = listener;
        this.follows = follows;
    }

    /// An interpreter that follows undefined values until one decides something.
    public static Interpreter followingValues() {
        return new Interpreter(null, true);
    }

    /// Whether it follows undefined values.
    public boolean followsValues() {
        return follows;
    }

    @Override
    public void run(Frame frame, int block, int mask) {
        int at = block;
        int lanes = mask;
        while (runBlock(frame, at, lanes)) {
            at = frame.first();
            lanes = frame.take(at);
        }
    }

    /// Runs lanes through one block. Returns whether the frame's first waiting lanes should run
    /// next.
    public boolean runBlock(Frame frame, int block, int mask) {
        frame.warp.charge(frame, block, mask);
        block(frame, frame.code.blocks().get(block), mask);
        return frame.pendingLanes != 0 && !frame.warp.shouldYield();
    }

    private void block(Frame frame, Block block, int mask) {
        RegistersInFlight inFlight = frame.warp.registersInFlight();
        Definedness definedness = frame.warp.definedness();
        if (inFlight.isActive()) {
            watched(inFlight, frame, block, mask);
            return;
        }
        if (definedness != null) {
            follow(definedness, frame, block, mask);
            return;
        }
        for (Step step : block.steps()) {
            if (listener != null) {
                int lanes = frame.where(step.guard(), mask);
                if (lanes != 0) {
                    listener.before(frame, step, lanes);
                }
            }
            step(frame, step, mask);
        }
        if (listener != null) {
            listener.before(frame, block.exit(), mask);
        }
        leave(frame, block.exit(), mask);
    }

    /// Runs a block while products of the warp are under way.
    private static void watched(RegistersInFlight inFlight, Frame frame, Block block, int mask) {
        Definedness definedness = frame.warp.definedness();
        for (Step step : block.steps()) {
            if (frame.where(step.guard(), mask) != 0) {
                inFlight.before(step);
            }
            if (definedness != null) {
                definedness.before(frame, step, mask);
            }
            step(frame, step, mask);
            if (definedness != null) {
                definedness.after(frame, step, mask);
            }
        }
        inFlight.before(block.exit());
        if (definedness != null) {
            definedness.before(frame, block.exit(), mask);
        }
        leave(frame, block.exit(), mask);
    }

    private static void follow(Definedness definedness, Frame frame, Block block, int mask) {
        for (Step step : block.steps()) {
            definedness.before(frame, step, mask);
            step(frame, step, mask);
            definedness.after(frame, step, mask);
        }
        definedness.before(frame, block.exit(), mask);
        leave(frame, block.exit(), mask);
    }

    /// Runs the lanes alone until they wait or have spun for a slice: lanes at smaller blocks do
    /// not overtake them.
    public void runAlone(Frame frame, int block, int mask) {
        Warp warp = frame.warp;
        int own = mask;
        int at = block;
        while (true) {
            Block current = frame.code.blocks().get(at);
            warp.charge(frame, at, own);
            block(frame, current, own);
            int next = -1;
            for (int i = 0; i < frame.pending.length && next < 0; i++) {
                if ((frame.pending[i] & own) != 0) {
                    next = i;
                }
            }
            if (next < 0 || warp.shouldYield()) {
                return;
            }
            at = next;
            own = frame.take(next);
        }
    }

    /// Takes one step with these lanes.
    public static void step(Frame frame, Step step, int mask) {
        int lanes = frame.where(step.guard(), mask);
        if (lanes == 0) {
            return;
        }
        Warp warp = frame.warp;
        switch (step) {
            case Step.Compute compute -> compute(frame, compute, lanes);
            case Step.ReadSpecial(_, _, var special, Register target) -> {
                for (int lane = 0; lane < 32; lane++) {
                    if ((lanes >>> lane & 1) != 0) {
                        frame.set(target, lane, warp.special(special, lane));
                    }
                }
            }
            case Step.Load load -> warp.memory().load(frame, load, lanes);
            case Step.Store store -> warp.memory().store(frame, store, lanes);
            case Step.Atomic atomic -> warp.memory().atomics().apply(frame, atomic, lanes);
            case Step.AsyncCopy copy -> warp.memory().copies().copy(frame, copy, lanes);
            case Step.BulkCopy copy -> warp.memory().bulk().copy(frame, copy, lanes);
            case Step.SampleTexture sample -> warp.memory().textures().sample(frame, sample, lanes);
            case Step.AccessSurface access -> warp.memory().textures().access(frame, access, lanes);
            case Step.QueryTexture query -> warp.memory().textures().query(frame, query, lanes);
            case Step.BulkStore store -> warp.memory().bulk().store(frame, store, lanes);
            case Step.CancelCluster cancel -> warp.memory().bulk().cancel(frame, cancel, lanes);
            case Step.TensorCopy copy -> warp.memory().tensors().copy(frame, copy, lanes);
            case Step.ReplaceInTensorMap replace ->
                    warp.memory().tensors().replace(frame, replace, lanes);
            case Step.BulkGroup group -> warp.bulkGroups().apply(group, lanes);
            case Step.AsyncGroup group -> warp.groups().apply(group, lanes, warp.clock());
            case Step.MemoryBarrierObject object -> BarrierObject.apply(warp, frame, object, lanes);
            case Step.Stack stack -> frame.stack().apply(stack, lanes);
            case Step.ActiveMask(_, _, Register target) -> {
                for (int lane = 0; lane < 32; lane++) {
                    if ((lanes >>> lane & 1) != 0) {
                        frame.set(target, lane, lanes & 0xffff_ffffL);
                    }
                }
            }
            case Step.Fence fence -> warp.memory().checks().shared().fence(fence, lanes);
            case Step.ProxyFence _ -> warp.memory().checks().shared().proxyFence(lanes);
            case Step.Hint _ -> {}
            case Step.Definedness follow -> {
                if (warp.definedness() == null) {
                    warp.registers().follow(frame, follow, lanes);
                }
            }
            case Step.Unsupported(var site, _, String reason) ->
                    throw warp.faults().unsupported(site, lanes, reason);
        }
    }

    private static void compute(Frame frame, Step.Compute step, int lanes) {
        Operation operation = step.operation();
        MethodHandle handle = RegisterHandles.of(operation);
        List<Source> arguments = step.arguments();
        Register target = step.target();
        try {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) == 0) {
                    continue;
                }
                long result =
                        switch (arguments.size()) {
                            case 1 ->
                                    (long) handle.invokeExact(frame.value(arguments.get(0), lane));
                            case 2 ->
                                    (long)
                                            handle.invokeExact(
                                                    frame.value(arguments.get(0), lane),
                                                    frame.value(arguments.get(1), lane));
                            case 3 ->
                                    (long)
                                            handle.invokeExact(
                                                    frame.value(arguments.get(0), lane),
                                                    frame.value(arguments.get(1), lane),
                                                    frame.value(arguments.get(2), lane));
                            default ->
                                    (long)
                                            handle.invokeExact(
                                                    frame.value(arguments.get(0), lane),
                                                    frame.value(arguments.get(1), lane),
                                                    frame.value(arguments.get(2), lane),
                                                    frame.value(arguments.get(3), lane));
                        };
                frame.set(target, lane, result);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(operation.toString(), e);
        }
    }

    /// Sends lanes where an exit says: to blocks of this frame, to other frames, to wait, or out.
    public static void leave(Frame frame, Exit exit, int mask) {
        Warp warp = frame.warp;
        switch (exit) {
            case Exit.Jump(_, int target) -> frame.park(target, mask);
            case Exit.Branch(_, var guard, int taken, int next, _) -> {
                int there = frame.where(guard, mask);
                frame.park(taken, there);
                frame.park(next, mask & ~there);
            }
            case Exit.IndexedBranch branch -> warp.meetings().indexedBranch(frame, branch, mask);
            case Exit.Call call -> warp.calls().call(frame, call, mask);
            case Exit.Return(var site, var guard, int next) -> {
                int gone = frame.where(guard, mask);
                continueAt(frame, next, mask & ~gone);
                if (frame.caller == null) {
                    warp.endsAt(site, gone);
                }
                warp.calls().leave(frame, gone);
            }
            case Exit.Leave(var site, var guard, int next) -> {
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
            case Exit.Synchronize joint -> warp.meetings().arrive(frame, joint, mask);
        }
    }

    private static void continueAt(Frame frame, int next, int mask) {
        if (mask != 0) {
            frame.park(next, mask);
        }
    }
}
