package dev.heddle.cuda;

import dev.heddle.formats.InputException;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Machine;
import dev.heddle.vm.MachineKind;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/// The machines of a process, each opened at its first use. What the compiler has compiled stays
/// for the launches that follow.
public final class Machines implements AutoCloseable {
    private final Map<MachineKind, Machine> open = new EnumMap<>(MachineKind.class);
    private final @Nullable Generation generation;
    private final Function<@Nullable Generation, Machine> compiler;

    /// Machines whose tensor cores are those of each module's `.target`.
    public Machines() {
        this(null);
    }

    /// Machines on the CPU that compute as one generation.
    ///
    /// @param generation null for that of the GPU, if that was opened before, else that of each
    ///     module's `.target`
    public Machines(@Nullable Generation generation) {
        this(generation, Machine::compiler);
    }

    private Machines(
            @Nullable Generation generation, Function<@Nullable Generation, Machine> compiler) {
        this.generation = generation;
        this.compiler = compiler;
    }

    /// The same where launches should end soon: the compiler works beside them
    /// ([Machine#tiered]).
    ///
    /// @param generation as above
    public static Machines tiered(@Nullable Generation generation) {
        return new Machines(generation, Machine::tiered);
    }

    /// The machine of a kind.
    ///
    /// @throws DriverUnavailableException for the GPU, if there is no driver
    /// @throws CudaException for the GPU, if the driver finds none
    public synchronized Machine get(MachineKind kind) {
        Machine machine = open.get(kind);
        if (machine == null) {
            machine =
                    switch (kind) {
                        case INTERPRETER -> Machine.interpreter(generation());
                        case COMPILER -> compiler.apply(generation());
                        case GPU -> GpuMachine.open();
                    };
            open.put(kind, machine);
        }
        return machine;
    }

    private @Nullable Generation generation() {
        return generation == null && open.get(MachineKind.GPU) instanceof GpuMachine gpu
                ? ofGpu(gpu.architecture())
                : generation;
    }

    /// The GPU's, where the table of numerics has it.
    private static @Nullable Generation ofGpu(String architecture) {
        try {
            return Generation.of(architecture);
        } catch (InputException _) {
            return null;
        }
    }

    @Override
    public synchronized void close() {
        if (open.remove(MachineKind.GPU) instanceof GpuMachine gpu) {
            gpu.close();
        }
    }
}
