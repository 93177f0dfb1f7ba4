package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.PerProgram;
import dev.heddle.vm.ir.Program;

/// Compiled programs, kept for later launches: the JIT's work is lost with them. The most recent
/// ones only.
public final class Compilations {
    private final PerProgram<CompiledExecutor> executors;

    /// Code that goes over to vectors where it pays.
    public Compilations() {
        this(CompiledExecutor.COLD_STEPS);
    }

    /// Code that goes over to vectors after so many steps of warps; at 0, vectors from the start.
    public Compilations(long coldSteps) {
        this(coldSteps, FunctionCompiler::compile);
    }

    /// For tests, with a compiler that may fail.
    Compilations(long coldSteps, CompiledFunction.PieceCompiler compiler) {
        this(coldSteps, compiler, CompileQueue.inPlace());
    }

    /// For tests, with a compiler that may wait.
    Compilations(long coldSteps, CompiledFunction.PieceCompiler compiler, CompileQueue queue) {
        executors =
                new PerProgram<>(
                        program -> new CompiledExecutor(program, coldSteps, compiler, queue));
    }

    /// Code that launches of few warps interpret until it has run for some time; it is compiled
    /// beside them.
    public static Compilations tiered() {
        return new Compilations(
                CompiledExecutor.COLD_STEPS, FunctionCompiler::compile, CompileQueue.beside());
    }

    /// Whether vectors know an operation, at least for some operands.
    public static boolean takesToVectors(Operation operation) {
        return VectorVariants.has(operation);
    }

    /// The executor of a program, compiled at the first call.
    public CompiledExecutor of(Program program) {
        return executors.of(program);
    }
}
