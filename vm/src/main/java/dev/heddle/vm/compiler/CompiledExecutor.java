package dev.heddle.vm.compiler;

import dev.heddle.vm.execution.Executor;
import dev.heddle.vm.execution.Frame;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;

/// Runs functions as bytecode made for them.
public final class CompiledExecutor implements Executor {
    private final CompiledCode[] codes;
    private final EntryRegisters[] entries;

    /// Compiles every function of a program.
    CompiledExecutor(Program program, int vectorsAfter) {
        codes = new CompiledCode[program.codes().size()];
        entries = new EntryRegisters[codes.length];
        for (Code code : program.codes()) {
            Liveness liveness = new Liveness(code);
            codes[code.index()] = FunctionCompiler.compile(code, liveness, vectorsAfter);
            entries[code.index()] = new EntryRegisters(code, liveness);
        }
    }

    @Override
    public void run(Frame frame, int block, int mask) {
        codes[frame.code.index()].run(frame, block, mask);
    }

    @Override
    public void clear(Frame frame) {
        entries[frame.code.index()].clear(frame);
    }
}
