package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.scheduling.Executor;
import dev.heddle.vm.scheduling.Frame;

/// Runs functions as bytecode made for them.
///
/// First lane by lane; a program that has run for long is compiled again, to vectors. Until the JIT
/// has compiled them, vectors are objects: warming them up takes about a second, and many a kernel
/// has ended before.
public final class CompiledExecutor implements Executor {
    /// Steps of a warp that take about as long, lane by lane, as vectors take to warm up.
    static final long COLD_STEPS = 1 << 25;

    private final Program program;
    private final Liveness[] liveness;
    private final EntryRegisters[] entries;
    private final long coldSteps;

    private volatile CompiledCode[] codes;
    private volatile boolean cold;

    // Workers may lose one another's steps: nothing depends on the exact number.
    private long steps;

    /// Compiles every function of a program.
    ///
    /// @param coldSteps after how many steps of warps it is compiled to vectors
    CompiledExecutor(Program program, long coldSteps) {
        this.program = program;
        this.coldSteps = coldSteps;
        liveness = new Liveness[program.codes().size()];
        entries = new EntryRegisters[liveness.length];
        for (Code code : program.codes()) {
            liveness[code.index()] = new Liveness(code);
            entries[code.index()] = new EntryRegisters(code, liveness[code.index()]);
        }
        cold = coldSteps > 0 && VectorTwins.available();
        codes = compiled(!cold);
    }

    private CompiledCode[] compiled(boolean vectors) {
        CompiledCode[] compiled = new CompiledCode[liveness.length];
        for (Code code : program.codes()) {
            int index = code.index();
            compiled[index] = FunctionCompiler.compile(code, liveness[index], vectors);
        }
        return compiled;
    }

    @Override
    public void run(Frame frame, int block, int mask) {
        CompiledCode code = codes[frame.code.index()];
        if (!cold) {
            code.run(frame, block, mask);
            return;
        }
        long before = frame.warp.steps();
        code.run(frame, block, mask);
        steps += frame.warp.steps() - before;
        if (steps >= coldSteps) {
            warm();
        }
    }

    private synchronized void warm() {
        if (cold) {
            cold = false;
            codes = compiled(true);
        }
    }

    @Override
    public void clear(Frame frame) {
        entries[frame.code.index()].clear(frame);
    }
}
