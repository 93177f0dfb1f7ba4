package dev.heddle.vm.compiler;

import dev.heddle.vm.execution.Executor;
import dev.heddle.vm.execution.Frame;
import dev.heddle.vm.execution.Interpreter;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;

import org.jspecify.annotations.Nullable;

/// Runs functions as bytecode made for them.
public final class CompiledExecutor implements Executor {
    private final @Nullable CompiledCode[] codes;
    private final EntryRegisters[] entries;
    private final Interpreter interpreter = new Interpreter();

    /// Compiles every function of a program.
    public CompiledExecutor(Program program) {
        codes = new CompiledCode[program.codes().size()];
        entries = new EntryRegisters[codes.length];
        for (Code code : program.codes()) {
            Liveness liveness = new Liveness(code);
            codes[code.index()] = FunctionCompiler.compile(code, liveness);
            entries[code.index()] = new EntryRegisters(code, liveness);
        }
    }

    @Override
    public void run(Frame frame, int block, int mask) {
        CompiledCode code = codes[frame.code.index()];
        if (code == null) {
            interpreter.run(frame, block, mask);
        } else {
            code.run(frame, block, mask);
        }
    }

    @Override
    public void clear(Frame frame) {
        entries[frame.code.index()].clear(frame);
    }
}
