package dev.heddle.cli;

import dev.heddle.cuda.CudaException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.GpuMachine;
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
    private @Nullable GpuMachine gpu;

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
                            case INTERPRETER -> Machine.interpreter();
                            case COMPILER -> Machine.compiler();
                            default -> openGpu();
                        });
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
