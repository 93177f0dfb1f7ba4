package dev.heddle.junit;

import dev.heddle.cuda.CudaException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.GpuMachine;
import dev.heddle.vm.Machine;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The machines of a test run: opened at their first use, closed with it. What the compiler has
/// compiled stays for the tests that follow.
final class Opened implements AutoCloseable {
    private final Map<On, Machine> machines = new ConcurrentHashMap<>();

    /// Those of this test run.
    static Opened of(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Opened.class))
                .computeIfAbsent(Opened.class, _ -> new Opened(), Opened.class);
    }

    /// The machine.
    ///
    /// @throws TestAbortedException for the GPU where there is none
    Machine get(On on) {
        return machines.computeIfAbsent(
                on,
                _ ->
                        switch (on) {
                            case INTERPRETER -> Machine.interpreter();
                            case COMPILER -> Machine.compiler();
                            case GPU -> gpu();
                        });
    }

    private static Machine gpu() {
        try {
            return GpuMachine.open();
        } catch (DriverUnavailableException | CudaException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        machines.values()
                .forEach(
                        machine -> {
                            if (machine instanceof GpuMachine gpu) {
                                gpu.close();
                            }
                        });
    }
}
