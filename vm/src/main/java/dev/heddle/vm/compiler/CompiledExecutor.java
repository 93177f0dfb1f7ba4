package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/// Runs functions as bytecode made for them.
///
/// First lane by lane; a program that has run for long is compiled again, to vectors. Until the JIT
/// has compiled them, vectors are objects: warming them up takes about a second, and many a kernel
/// has ended before.
public final class CompiledExecutor implements Executor {
    /// Steps of a warp that take about as long, lane by lane, as vectors take to warm up.
    static final long COLD_STEPS = 1 << 25;

    /// Steps that are compiled before a launch starts; what is beyond waits until lanes reach it.
    private static final int PREPARED_STEPS = 10_000;

    /// Warps of a launch that is interpreted first. With more it pays to compile before: both at
    /// once take longest where there are two cores.
    private static final int FEW_WARPS = 64;

    private final Program program;
    private final long coldSteps;
    private final boolean isTiered;

    private volatile CompiledFunction[] functions;
    private volatile boolean cold;

    private final AtomicLong steps = new AtomicLong();

    /// An executor for a program.
    ///
    /// @param coldSteps after how many steps of warps it is compiled to vectors
    /// @param compiler of pieces of functions
    /// @param queue where it compiles them
    CompiledExecutor(
            Program program,
            long coldSteps,
            CompiledFunction.PieceCompiler compiler,
            CompileQueue queue) {
        this.program = program;
        this.coldSteps = coldSteps;
        isTiered = queue.isBeside();
        cold = coldSteps > 0 && VectorVariants.available();
        functions =
                program.codes().stream()
                        .map(code -> new CompiledFunction(code, !cold, compiler, queue))
                        .toArray(CompiledFunction[]::new);
    }

    @Override
    public void prepare(Code kernel, long warps) {
        if (isTiered && warps <= FEW_WARPS) {
            return;
        }
        int left = PREPARED_STEPS;
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>();
        seen.set(kernel.index());
        work.add(kernel.index());
        while (!work.isEmpty()) {
            int index = work.remove();
            left -= functions[index].size();
            if (left < 0) {
                return;
            }
            functions[index].compile();
            for (Block block : program.codes().get(index).blocks()) {
                if (block.exit() instanceof Exit.Call call
                        && call.callee() >= 0
                        && !seen.get(call.callee())) {
                    seen.set(call.callee());
                    work.add(call.callee());
                }
            }
        }
    }

    @Override
    public boolean runsCtas(Cta cta) {
        MachineCode code = machineCode(cta);
        return code != null && code.takes(cta);
    }

    @Override
    public long runCtas(Cta cta, long first, long count) {
        MachineCode code = machineCode(cta);
        return code == null ? 0 : code.run(cta, first, count, this);
    }

    private @Nullable MachineCode machineCode(Cta cta) {
        Grid grid = cta.grid();
        return grid.shape().cluster().count() > 1
                ? null
                : functions[grid.kernel().index()].machineCode(grid.checked());
    }

    @Override
    public void run(Frame frame, int block, int mask) {
        CompiledFunction function = functions[frame.code.index()];
        if (!cold) {
            function.run(frame, block, mask);
            return;
        }
        long before = frame.warp.steps();
        function.run(frame, block, mask);
        if (steps.addAndGet(frame.warp.steps() - before) >= coldSteps) {
            warm();
        }
    }

    private synchronized void warm() {
        if (cold) {
            cold = false;
            functions =
                    Arrays.stream(functions)
                            .map(CompiledFunction::withVectors)
                            .toArray(CompiledFunction[]::new);
        }
    }

    @Override
    public void clear(Frame frame) {
        functions[frame.code.index()].clear(frame);
    }

    @Override
    public SortedMap<String, String> interpreted() {
        SortedMap<String, String> found = new TreeMap<>();
        for (Code code : program.codes()) {
            String trouble = functions[code.index()].trouble();
            if (trouble != null) {
                found.put(code.name(), trouble);
            }
        }
        return found;
    }
}
