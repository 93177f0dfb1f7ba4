package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Program;

import java.util.IdentityHashMap;

/// Compiled programs, kept for later launches: the JIT's work is lost with them. The most recent
/// ones only.
public final class Compilations {
    private static final int KEPT = 16;

    private final IdentityHashMap<Program, CompiledExecutor> executors = new IdentityHashMap<>();

    private final long coldSteps;
    private final CompiledFunction.PieceCompiler compiler;

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
        this.coldSteps = coldSteps;
        this.compiler = compiler;
    }

    /// Whether vectors know an operation, at least for some operands.
    public static boolean takesToVectors(Operation operation) {
        return VectorTwins.has(operation);
    }

    /// The executor of a program, compiled at the first call.
    public CompiledExecutor of(Program program) {
        synchronized (executors) {
            if (executors.size() >= KEPT && !executors.containsKey(program)) {
                executors.clear();
            }
            return executors.computeIfAbsent(
                    program, key -> new CompiledExecutor(key, coldSteps, compiler));
        }
    }
}
