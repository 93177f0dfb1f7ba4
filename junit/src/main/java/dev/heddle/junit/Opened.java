package dev.heddle.junit;

import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Machines;
import dev.heddle.vm.Machine;
import dev.heddle.vm.MachineKind;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/// The machines of a test run: opened at their first use, closed with it.
final class Opened implements AutoCloseable {
    private final Machines machines = new Machines();

    /// Those of this test run.
    static Opened of(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Opened.class))
                .computeIfAbsent(Opened.class, _ -> new Opened(), Opened.class);
    }

    /// The machine.
    ///
    /// @throws TestAbortedException for the GPU where there is none
    Machine get(MachineKind on) {
        try {
            return machines.get(on);
        } catch (DriverUnavailableException | DriverException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        machines.close();
    }
}
