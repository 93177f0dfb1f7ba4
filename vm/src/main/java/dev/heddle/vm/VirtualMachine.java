package dev.heddle.vm;

import dev.heddle.vm.interpreter.MatrixUnit;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.scheduling.Executor;

/// A GPU on the CPU.
final class VirtualMachine implements Machine {
    private final String name;
    private final ExecutorSource executors;
    private final MatrixUnit matrices;

    /// Makes the executor for a launch.
    @FunctionalInterface
    interface ExecutorSource {
        /// The executor that runs this kernel's program.
        Executor executor(Kernel kernel, Observer observer);
    }

    VirtualMachine(String name, ExecutorSource executors, MatrixUnit matrices) {
        this.name = name;
        this.executors = executors;
        this.matrices = matrices;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Session open(GlobalMemory memory) {
        return new Session(executors, matrices, memory);
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
