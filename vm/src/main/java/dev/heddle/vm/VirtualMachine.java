package dev.heddle.vm;

import dev.heddle.vm.interpreter.MatrixUnit;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.report.Verdict;
import dev.heddle.vm.scheduling.Engine;
import dev.heddle.vm.scheduling.Executor;
import dev.heddle.vm.scheduling.Grid;
import dev.heddle.vm.scheduling.Grid.Extent;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A GPU on the CPU.
final class VirtualMachine implements Machine {
    private static final long HEAP_BYTES = 8 << 20;

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
    public Outcome run(Kernel asked, Launch launch, Observer observer) {
        asked.requireFit(launch);
        Outcome gap = gap(asked, launch);
        if (gap != null) {
            return gap;
        }
        boolean checked = launch.checking() == Launch.Checking.ALL;
        Kernel kernel = checked ? asked.checked() : asked;
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
                            executors.executor(kernel, observer),
                            launch.limits().steps(),
                            launch.limits().time().toNanos(),
                            done -> observer.ended(done, launch.grid().count()));
            observer.ended(0, launch.grid().count());
            List<Finding> findings = engine.run(launch.threads());
            Map<String, byte[]> contents = new LinkedHashMap<>();
            buffers.forEach((name, buffer) -> contents.put(name, memory.read(buffer)));
            return new Outcome(findings, contents, engine.output(), engine.report());
        }
    }

    /// The outcome of a launch that this machine cannot start, or null.
    private static @Nullable Outcome gap(Kernel kernel, Launch launch) {
        for (Argument argument : launch.arguments()) {
            if (argument instanceof Argument.TensorMap map) {
                return unsupported("5.5.8", "argument %s is a tensor map".formatted(map.name()));
            }
        }
        Extent asked = launch.cluster();
        if (asked.count() > 1) {
            return unsupported(
                    "2.2.2",
                    "the launch asks for clusters of (%d,%d,%d) CTAs: clusters are not supported"
                            .formatted(asked.x(), asked.y(), asked.z()));
        }
        long size = kernel.clusterSize();
        return size > 1
                ? unsupported(
                        "11.7.1",
                        "kernel %s runs in clusters of %d CTAs: clusters are not supported"
                                .formatted(kernel.code().name(), size))
                : null;
    }

    private static Outcome unsupported(String section, String message) {
        return new Outcome(
                List.of(
                        new Finding(
                                Verdict.UNSUPPORTED, "", section, null, message, null, List.of())),
                Map.of(),
                "",
                new Report(0, new TreeMap<>(), Map.of()));
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
                case Argument.Value(byte[] bytes) ->
                        MemorySegment.copy(
                                bytes,
                                0,
                                parameters,
                                ValueLayout.JAVA_BYTE,
                                parameter.offset(),
                                bytes.length);
                case Argument.TensorMap map -> throw new IllegalStateException(map.name());
                case Argument.Buffer(String name, _, _) ->
                        parameters.set(
                                ValueLayout.JAVA_LONG_UNALIGNED,
                                parameter.offset(),
                                Objects.requireNonNull(buffers.get(name)).address());
            }
        }
    }
}
