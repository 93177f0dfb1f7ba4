package dev.heddle.vm;

import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.execution.Engine;
import dev.heddle.vm.execution.Executor;
import dev.heddle.vm.execution.Grid;
import dev.heddle.vm.execution.Interpreter;
import dev.heddle.vm.execution.MatrixUnit;
import dev.heddle.vm.execution.TensorCoreUnit;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A GPU on the CPU: runs kernels.
///
/// ```java
/// Kernel kernel = Kernel.of(Files.readString(path), "vadd.ptx", "vadd");
/// Outcome outcome = Machine.interpreter().run(kernel,
///         Launch.of(new Extent(4, 1, 1), new Extent(128, 1, 1),
///                 Argument.buffer("a", a), Argument.buffer("b", b), Argument.poison("c", 2048),
/// Argument.s32(512)));
/// byte[] c = outcome.buffer("c");
/// ```
public final class Machine {
    private static final long HEAP_BYTES = 8 << 20;

    private final ExecutorSource executors;
    private final MatrixUnit matrices;

    /// Makes the executor for a kernel.
    @FunctionalInterface
    public interface ExecutorSource {
        /// The executor that runs this kernel's program.
        Executor executor(Kernel kernel, boolean checked);
    }

    /// A machine with this executor and this matrix unit.
    public Machine(ExecutorSource executors, MatrixUnit matrices) {
        this.executors = executors;
        this.matrices = matrices;
    }

    /// The reference interpreter.
    public static Machine interpreter() {
        return new Machine(
                (kernel, checked) -> new Interpreter(), new TensorCoreUnit(Generation.SM_90));
    }

    /// The compiler to bytecode. Use one machine for many launches: what is compiled stays with
    /// it.
    public static Machine compiler() {
        Compilations compilations = new Compilations();
        return new Machine(
                (kernel, checked) -> compilations.of(kernel.program()),
                new TensorCoreUnit(Generation.SM_90));
    }

    /// Runs a kernel to its end, or to the first thing that ends it.
    ///
    /// @throws IllegalArgumentException where the launch does not fit the kernel
    public Outcome run(Kernel kernel, Launch launch) {
        boolean checked = launch.checking() == Launch.Checking.ALL;
        requireArguments(kernel.code(), launch);
        try (GlobalMemory memory = new GlobalMemory(launch.limits().memoryBytes(), checked);
                Arena arena = Arena.ofShared()) {
            byte[] image = kernel.program().image();
            Buffer variables = memory.allocate("module variables", image.length);
            Map<String, Buffer> buffers = allocate(memory, launch);
            memory.reserveHeap(HEAP_BYTES);
            memory.write(variables, MemorySegment.ofArray(image));
            MemorySegment parameters =
                    arena.allocate(Math.max(16, kernel.code().parameterBytes()), 16);
            pass(kernel.code(), launch, buffers, parameters);
            Grid grid =
                    new Grid(
                            kernel.program(),
                            kernel.code(),
                            launch.grid(),
                            launch.block(),
                            parameters,
                            memory,
                            kernel.code().sharedBytes() + launch.dynamicShared(),
                            launch.dynamicShared(),
                            checked,
                            launch.limits().localBytes(),
                            matrices);
            Engine engine =
                    new Engine(
                            grid,
                            executors.executor(kernel, checked),
                            launch.limits().steps(),
                            launch.limits().time().toNanos());
            List<Finding> findings = engine.run(launch.threads());
            Map<String, byte[]> contents = new LinkedHashMap<>();
            buffers.forEach((name, buffer) -> contents.put(name, memory.read(buffer)));
            return new Outcome(findings, contents, engine.output(), engine.report());
        }
    }

    private static void requireArguments(Code code, Launch launch) {
        int expected = code.parameters().size();
        if (launch.arguments().size() != expected) {
            throw new IllegalArgumentException(
                    "kernel %s takes %d arguments %s, the launch gives %d"
                            .formatted(
                                    code.name(),
                                    expected,
                                    code.parameters().stream().map(Code.Parameter::name).toList(),
                                    launch.arguments().size()));
        }
        if (launch.block().count() > 1024) {
            throw new IllegalArgumentException(
                    "a CTA of %d threads: at most 1024".formatted(launch.block().count()));
        }
    }

    private static Map<String, Buffer> allocate(GlobalMemory memory, Launch launch) {
        Map<String, Buffer> buffers = new LinkedHashMap<>();
        long total = 1024;
        for (Argument argument : launch.arguments()) {
            if (argument instanceof Argument.Buffer(_, long bytes, _)) {
                total += bytes + 1024;
            }
        }
        memory.reserve(Math.min(total, launch.limits().memoryBytes()) + HEAP_BYTES);
        for (Argument argument : launch.arguments()) {
            if (argument instanceof Argument.Buffer(String name, long bytes, byte[] contents)
                    && !buffers.containsKey(name)) {
                Buffer buffer = memory.allocate(name, bytes);
                buffers.put(name, buffer);
                if (contents == null) {
                    memory.poison(buffer);
                } else {
                    memory.write(buffer, MemorySegment.ofArray(contents));
                }
            }
        }
        return buffers;
    }

    private static void pass(
            Code code, Launch launch, Map<String, Buffer> buffers, MemorySegment parameters) {
        for (int i = 0; i < launch.arguments().size(); i++) {
            Code.Parameter parameter = code.parameters().get(i);
            switch (launch.arguments().get(i)) {
                case Argument.Value(byte[] bytes) -> {
                    if (bytes.length != parameter.bytes()) {
                        throw new IllegalArgumentException(
                                "argument %d of %s: parameter %s has %d bytes, the argument %d"
                                        .formatted(
                                                i,
                                                code.name(),
                                                parameter.name(),
                                                parameter.bytes(),
                                                bytes.length));
                    }
                    MemorySegment.copy(
                            bytes,
                            0,
                            parameters,
                            ValueLayout.JAVA_BYTE,
                            parameter.offset(),
                            bytes.length);
                }
                case Argument.Buffer(String name, _, _) -> {
                    Buffer buffer = buffers.get(name);
                    if (buffer == null || parameter.bytes() != 8) {
                        throw new IllegalArgumentException(
                                "argument %d of %s: parameter %s is no address"
                                        .formatted(i, code.name(), parameter.name()));
                    }
                    parameters.set(
                            ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset(), buffer.address());
                }
            }
        }
    }
}
