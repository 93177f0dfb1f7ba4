package dev.heddle.vm.interpreter;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.semantics.RegisterHandles;
import dev.heddle.vm.state.ExecutionUnits;
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
        ExecutionUnits units = frame.warp.units();
        StepListener watcher = units.watcher();
        for (Step step : block.steps()) {
            if (listener != null) {
                listener.before(frame, step, mask);
            }
            if (watcher != null) {
                watcher.before(frame, step, mask);
            }
            units.step(frame, step, mask);
        }
        if (listener != null) {
            listener.before(frame, block.exit(), mask);
        }
        if (watcher != null) {
            watcher.before(frame, block.exit(), mask);
        }
        units.leave(frame, block.exit(), mask);
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

    /// Computes a value in each of these lanes.
    static void compute(Frame frame, Step.Compute step, int lanes) {
        Operation operation = step.operation();
        MethodHandle handle = RegisterHandles.of(operation);
        List<Source> arguments = step.arguments();
        int count = arguments.size();
        Register target = step.target();
        try {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) == 0) {
                    continue;
                }
                long a = frame.value(arguments.get(0), lane);
                long b = count > 1 ? frame.value(arguments.get(1), lane) : 0;
                long c = count > 2 ? frame.value(arguments.get(2), lane) : 0;
                long d = count > 3 ? frame.value(arguments.get(3), lane) : 0;
                long result =
                        switch (count) {
                            case 1 -> (long) handle.invokeExact(a);
                            case 2 -> (long) handle.invokeExact(a, b);
                            case 3 -> (long) handle.invokeExact(a, b, c);
                            default -> (long) handle.invokeExact(a, b, c, d);
                        };
                frame.set(target, lane, result);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(operation.toString(), e);
        }
    }
}
