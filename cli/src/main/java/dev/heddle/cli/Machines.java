package dev.heddle.cli;

import dev.heddle.cuda.CudaException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.GpuMachine;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Machine;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The machines of a command, opened at their first use.
final class Machines implements AutoCloseable {
    static final String GPU = "gpu";
    static final String INTERPRETER = "interpreter";
    static final String COMPILER = "compiler";

    /// What runs a kernel where nothing is said.
    static final String DEFAULT = COMPILER;

    private static final List<String> NAMES = List.of(INTERPRETER, COMPILER, GPU);

    private final Map<String, Machine> open = new HashMap<>();
    private final @Nullable Generation generation;
    private @Nullable GpuMachine gpu;

    /// Machines on the CPU that compute as one generation.
    ///
    /// @param generation null for that of the GPU that they are compared with, else that of each
    /// module's `.target`
    Machines(@Nullable Generation generation) {
        this.generation = generation;
    }

    /// Refuses a name that is no machine's.
    static String require(String option, String name) {
        if (!NAMES.contains(name)) {
            throw new UsageError(option + " " + name + ": expected interpreter, compiler or gpu");
        }
        return name;
    }

    /// The machine of that name.
    ///
    /// @throws UsageError for the GPU where there is none
    Machine get(String name) {
        return open.computeIfAbsent(
                name,
                _ ->
                        switch (name) {
                            case INTERPRETER -> Machine.interpreter(generation());
                            case COMPILER -> Machine.compiler(generation());
                            default -> openGpu();
                        });
    }

    private @Nullable Generation generation() {
        return generation == null && gpu != null ? ofGpu(gpu.architecture()) : generation;
    }

    /// The GPU's, where the table of numerics has it.
    private static @Nullable Generation ofGpu(String architecture) {
        try {
            return Generation.of(architecture);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private Machine openGpu() {
        try {
            GpuMachine opened = GpuMachine.open();
            gpu = opened;
            return opened;
        } catch (DriverUnavailableException | CudaException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        if (gpu != null) {
            gpu.close();
        }
    }
}
