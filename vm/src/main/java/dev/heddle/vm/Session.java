package dev.heddle.vm;

import dev.heddle.ptx.Module;
import dev.heddle.ptx.SourceText;
import dev.heddle.vm.interpreter.TensorCores;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.lowering.Lowering;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.report.Verdict;
import dev.heddle.vm.scheduling.Engine;
import dev.heddle.vm.scheduling.Grid;
import dev.heddle.vm.scheduling.Grid.Extent;
import dev.heddle.vm.scheduling.TimeLimit;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// A device whose memory and modules stay from launch to launch.
///
/// ```java
/// try (Session session = Machine.compiler().open(new GlobalMemory(1 << 30, true))) {
///     LoadedModule module = session.load(parsed.module(), parsed.source());
///     session.launch(module.kernel("first"), Launch.grid(4).block(128).passing(a), Observer.NONE);
///     session.launch(module.kernel("second"), Launch.grid(1).block(32).passing(a), Observer.NONE);
///     byte[] result = session.memory().read(session.buffer("a"));
/// }
/// ```
///
/// Buffers that launches name are allocated, and get their first contents, when they are first met.
/// All methods may be called from several threads; which launches may run side by side is the
/// caller's to decide.
public final class Session implements AutoCloseable {
    private final VirtualMachine.ExecutorSource executors;
    private final Function<Program, TensorCores> tensorCores;
    private final GlobalMemory memory;
    private final Map<String, Buffer> buffers = new LinkedHashMap<>();

    Session(
            VirtualMachine.ExecutorSource executors,
            Function<Program, TensorCores> tensorCores,
            GlobalMemory memory) {
        this.executors = executors;
        this.tensorCores = tensorCores;
        this.memory = memory;
    }

    /// Its memory, in which to allocate what no launch names.
    public GlobalMemory memory() {
        return memory;
    }

    /// The buffer that a launch named.
    ///
    /// @throws IllegalArgumentException where none did
    public synchronized Buffer buffer(String name) {
        Buffer buffer = buffers.get(name);
        if (buffer == null) {
            throw new IllegalArgumentException("no buffer " + name + " among " + buffers.keySet());
        }
        return buffer;
    }

    /// Loads a module: its variables take their first values.
    ///
    /// @throws IllegalArgumentException where memory is full
    public LoadedModule load(Module module, SourceText source) {
        int bytes = Lowering.variableBytes(module);
        Buffer variables = memory.allocate("module variables", bytes);
        Program program = Lowering.lower(module, variables.address());
        memory.write(variables, MemorySegment.ofArray(program.image()));
        return new LoadedModule(program, source, variables);
    }

    /// Takes the place that the variables of a lowered program are to have.
    void place(Program program) {
        Buffer variables = memory.allocate("module variables", program.image().length);
        if (variables.address() != program.base()) {
            throw new IllegalStateException(
                    "variables at 0x%x, the program wants them at 0x%x"
                            .formatted(variables.address(), program.base()));
        }
        memory.write(variables, MemorySegment.ofArray(program.image()));
    }

    /// Allocates the buffers among the arguments that have no place yet.
    synchronized void allocate(List<Argument> arguments) {
        long total = 0;
        for (Argument argument : arguments) {
            if (argument instanceof Argument.Buffer(_, long bytes, _)) {
                total += bytes + 1024;
            }
        }
        memory.reserve(total);
        for (Argument argument : arguments) {
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
    }

    /// What all named buffers hold.
    synchronized Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        buffers.forEach((name, buffer) -> contents.put(name, memory.read(buffer)));
        return contents;
    }

    /// Runs a kernel to its end, or to the first thing that ends it.
    ///
    /// @param asked a kernel of a module that was loaded here
    /// @return an outcome without the contents of buffers: they stay in [#memory]
    /// @throws IllegalArgumentException where the launch does not fit the kernel, or asks for
    /// checks and the memory is not tracked, or the other way round
    public Outcome launch(Kernel asked, Launch launch, Observer observer) {
        asked.requireFit(launch);
        Outcome gap = gap(asked, launch);
        if (gap != null) {
            return gap;
        }
        TimeLimit time = TimeLimit.fromNow(launch.limits().time());
        boolean checked = launch.checking() == Launch.Checking.ALL;
        if (checked != memory.isTracked()) {
            throw new IllegalArgumentException(
                    "a session checks all launches or none: its memory is %stracked"
                            .formatted(memory.isTracked() ? "" : "not "));
        }
        allocate(launch.arguments());
        Kernel kernel = checked ? asked.checked() : asked;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment parameters =
                    arena.allocate(Math.max(16, kernel.code().parameterBytes()), 16);
            pass(kernel.code(), launch, parameters);
            Engine engine =
                    new Engine(
                            grid(kernel, launch, parameters, checked),
                            executors.executor(kernel, observer),
                            launch.limits().steps(),
                            time,
                            done -> observer.ended(done, launch.grid().count()));
            observer.ended(0, launch.grid().count());
            List<Finding> findings = engine.run(launch.threads());
            return new Outcome(findings, Map.of(), engine.output(), engine.report());
        }
    }

    private Grid grid(Kernel kernel, Launch launch, MemorySegment parameters, boolean checked) {
        return new Grid(
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
                tensorCores.apply(kernel.program()));
    }

    private void pass(Code code, Launch launch, MemorySegment parameters) {
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
                                Objects.requireNonNull(buffer(name)).address());
            }
        }
    }

    /// The outcome of a launch that the machine cannot start, or null.
    static @Nullable Outcome gap(Kernel kernel, Launch launch) {
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
                Report.EMPTY);
    }

    @Override
    public void close() {
        memory.close();
    }
}
