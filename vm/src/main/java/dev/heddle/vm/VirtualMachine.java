package dev.heddle.vm;

import dev.heddle.isa.Target;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.interpreter.TensorCores;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.scheduling.Executor;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A GPU on the CPU.
final class VirtualMachine implements Machine {
    private final String name;
    private final ExecutorSource executors;
    private final @Nullable Generation generation;
    private final Map<Generation, TensorCores> tensorCores = new ConcurrentHashMap<>();

    /// Makes the executor for a launch.
    @FunctionalInterface
    interface ExecutorSource {
        /// The executor that runs this kernel's program.
        Executor executor(Kernel kernel, Observer observer);
    }

    /// @param generation whose tensor cores compute; null for the one that each module names
    VirtualMachine(String name, ExecutorSource executors, @Nullable Generation generation) {
        this.name = name;
        this.executors = executors;
        this.generation = generation;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Session open(GlobalMemory memory) {
        return new Session(executors, this::tensorCores, memory);
    }

    private TensorCores tensorCores(Program program) {
        return tensorCores.computeIfAbsent(
                generation == null ? named(program) : generation, TensorCores::new);
    }

    /// The generation that runs code for a module's target; the first where none is named.
    private static Generation named(Program program) {
        Target target = program.module().target().target();
        return Generation.running(target == null ? 0 : target.number());
    }

    @Override
    public Outcome run(Kernel kernel, Launch launch, Observer observer) {
        kernel.requireFit(launch);
        Outcome gap = Session.gap(kernel, launch);
        if (gap != null) {
            return gap;
        }
        boolean checked = launch.checking() == Launch.Checking.ALL;
        try (Session session = open(new GlobalMemory(launch.limits().memoryBytes(), checked))) {
            session.place(kernel.program());
            session.allocate(launch.arguments());
            Outcome outcome = session.launch(kernel, launch, observer);
            return new Outcome(
                    outcome.findings(), session.contents(), outcome.output(), outcome.report());
        }
    }
}
