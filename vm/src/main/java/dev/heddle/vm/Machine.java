package dev.heddle.vm;

import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.x86.ExecutableMemory;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.UntouchedMemory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.util.List;

/// What runs kernels: the reference interpreter, the compiler to bytecode, or a GPU
/// (`dev.heddle.cuda.GpuMachine`). One contract: the same kernel and launch leave the same bits on
/// each, approximate functions apart.
///
/// ```java
/// Kernel kernel = Kernel.read(Path.of("vadd.ptx"));
/// Outcome outcome = Machine.compiler().run(kernel,
///         Launch.grid(4).block(128).passing(
///                 Argument.of("a", a), Argument.of("b", b),
///                 Argument.poison("c", 4 * 512), Argument.s32(512)));
/// float[] c = outcome.floats("c");
/// ```
public interface Machine {
    /// What messages and reports call it: `interpreter`, `compiler`, or the name of a GPU.
    String name();

    /// Runs kernels of one module one after the other, to the end of the last or to the first thing
    /// that ends one, and tells an observer on the way. Buffers of one name are one buffer, and
    /// what a kernel leaves in them and in the variables of the module the next one finds.
    ///
    /// @param launches at least one; memory is bounded as the first says
    /// @return what the last launch left; what all printed; the counts of all together
    /// @throws IllegalArgumentException where a launch does not fit its kernel
    Outcome run(List<KernelLaunch> launches, Observer observer);

    /// Runs a kernel to its end, or to the first thing that ends it, and tells an observer on the
    /// way.
    ///
    /// @throws IllegalArgumentException where the launch does not fit the kernel
    default Outcome run(Kernel kernel, Launch launch, Observer observer) {
        return run(List.of(new KernelLaunch(kernel, launch)), observer);
    }

    /// Runs a kernel to its end, or to the first thing that ends it.
    ///
    /// @throws IllegalArgumentException where the launch does not fit the kernel
    default Outcome run(Kernel kernel, Launch launch) {
        return run(kernel, launch, Observer.NONE);
    }

    /// A device whose memory stays from launch to launch.
    ///
    /// @param memory of the device; closed with the session
    /// @throws UnsupportedOperationException where this machine keeps none
    default Session open(GlobalMemory memory) {
        throw new UnsupportedOperationException(name() + " keeps nothing from launch to launch");
    }

    /// Has the JVM link the calls into the system that launches make: some tens of milliseconds of
    /// a young process, which may pass beside whatever comes before its first launch.
    static void link() {
        try (Arena arena = Arena.ofConfined()) {
            UntouchedMemory.take(1, arena);
        }
        if (Processor.runsMachineCode()) {
            ExecutableMemory.link();
        }
    }

    /// The reference interpreter.
    static Machine interpreter() {
        return interpreter(null);
    }

    /// The reference interpreter, with the tensor cores of one generation.
    ///
    /// @param generation null for the one that the module's `.target` names
    static Machine interpreter(@Nullable Generation generation) {
        return new VirtualMachine(
                MachineKind.INTERPRETER.word(),
                (kernel, observer) -> new Interpreter(observer.steps()),
                generation);
    }

    /// The compiler to bytecode. Use one machine for many launches: what is compiled stays with
    /// it. It does not tell an observer of single steps.
    static Machine compiler() {
        return compiler(new Compilations());
    }

    /// The compiler, with the tensor cores of one generation.
    ///
    /// @param generation null for the one that the module's `.target` names
    static Machine compiler(@Nullable Generation generation) {
        return compiler(new Compilations(), generation);
    }

    /// [#tiered(Generation)] with the tensor cores that the module's `.target` names.
    static Machine tiered() {
        return tiered(null);
    }

    /// The compiler where a launch should end soon: one of few warps is interpreted until it has
    /// run for some time, and compiled beside that. Results and findings are those of
    /// [#compiler()].
    ///
    /// @param generation null for the one that the module's `.target` names
    static Machine tiered(@Nullable Generation generation) {
        return compiler(Compilations.tiered(), generation);
    }

    /// The compiler, for tests and measurements of what it does when.
    static Machine compiler(Compilations compilations) {
        return compiler(compilations, null);
    }

    /// The compiler, for tests, with the tensor cores of one generation.
    ///
    /// @param generation null for the one that the module's `.target` names
    static Machine compiler(Compilations compilations, @Nullable Generation generation) {
        return new VirtualMachine(
                MachineKind.COMPILER.word(),
                (kernel, observer) -> compilations.of(kernel.program()),
                generation);
    }
}
