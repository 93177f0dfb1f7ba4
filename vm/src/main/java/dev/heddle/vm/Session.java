package dev.heddle.vm;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.SourceText;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.vm.VirtualMachine.Manner;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.lowering.Lowering;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.MemorySnapshot;
import dev.heddle.vm.report.FindingLog;
import dev.heddle.vm.report.Found;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.scheduling.Engine;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.OrderedMemory;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.GridShape;
import dev.heddle.vm.state.SharedSizes;
import dev.heddle.vm.state.Started;
import dev.heddle.vm.state.TimeLimit;
import dev.heddle.vm.texture.TextureTable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
    /// `cooperative_groups` keeps the state of its grid barrier in such a memory.
    private static final int WORKSPACE_BYTES = 256;

    /// Bytes of buffers whose copies would take longer than memory for the next launch.
    private static final long WORTH_KEEPING = 1 << 20;

    private final VirtualMachine machine;
    private final GlobalMemory memory;
    private final ArgumentEncoder arguments;
    private final Map<String, Buffer> buffers = new LinkedHashMap<>();

    Session(VirtualMachine machine, GlobalMemory memory) {
        this.machine = machine;
        this.memory = memory;
        arguments = new ArgumentEncoder(memory, this::buffer);
    }

    /// Its memory, in which to allocate what no launch names.
    public GlobalMemory memory() {
        return memory;
    }

    /// Its textures and surfaces, to which a host may add its own.
    public TextureTable textures() {
        return memory.textures();
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
    /// @throws InvalidModule where an assembler would reject the module
    /// @throws IllegalArgumentException where memory is full
    public LoadedModule load(Module module, SourceText source) {
        return load(BoundModule.of(module, source));
    }

    /// The same of a module that is known to be valid.
    public LoadedModule load(BoundModule bound) {
        int bytes = Lowering.variableBytes(bound.module());
        Buffer variables = memory.allocate("module variables", bytes);
        Program program = Lowering.lower(bound, variables.address());
        initialize(variables, program);
        return new LoadedModule(program, bound.source());
    }

    /// Takes the place that the variables of a lowered program are to have.
    void place(Program program) {
        Buffer variables = memory.allocate("module variables", program.image().length);
        if (variables.address() != program.base()) {
            throw new IllegalStateException(
                    "variables at 0x%x, the program wants them at 0x%x"
                            .formatted(variables.address(), program.base()));
        }
        initialize(variables, program);
    }

    private void initialize(Buffer variables, Program program) {
        memory.write(variables, MemorySegment.ofArray(program.image()));
        List<Buffer> all = program.symbols().stream().map(Buffer::of).toList();
        memory.divide(variables, program.constantBytes(), all);
    }

    /// Allocates the buffers of a launch that have no place yet.
    synchronized void allocate(Kernel kernel, Launch launch) {
        List<Argument> all = new ArrayList<>(launch.state().buffers());
        all.addAll(launch.arguments());
        all.removeIf(
                argument ->
                        argument instanceof Argument.Buffer one && buffers.containsKey(one.name()));
        long total = 0;
        for (Argument argument : all) {
            if (argument instanceof Argument.Buffer(_, long bytes, _)) {
                total += bytes + 1024;
            }
        }
        memory.reserve(total, kernel.program().allocates());
        for (Argument argument : all) {
            if (argument instanceof Argument.Buffer(String name, long bytes, byte[] contents)
                    && !buffers.containsKey(name)) {
                buffers.put(name, memory.allocate(name, bytes, contents));
            }
        }
    }

    /// The outcome of the last launch, with what all named buffers hold. Where that is much, they
    /// stay where they are: then it closes the session, and nobody else may.
    synchronized Outcome end(Found found, String output, Report report) {
        boolean stay = buffers.values().stream().mapToLong(Buffer::bytes).sum() >= WORTH_KEEPING;
        Map<String, MemorySegment> contents = new LinkedHashMap<>();
        buffers.forEach(
                (name, buffer) ->
                        contents.put(
                                name,
                                stay
                                        ? memory.view(buffer)
                                        : MemorySegment.ofArray(memory.read(buffer)).asReadOnly()));
        if (!stay) {
            close();
        }
        return new Outcome(found, contents, output, report, stay ? this::close : () -> {});
    }

    /// Runs a kernel to its end, or to the first thing that ends it.
    ///
    /// @param asked a kernel of a module that was loaded here
    /// @return an outcome without the contents of buffers: they stay in [#memory]
    /// @throws IllegalArgumentException where the launch does not fit the kernel, or asks for
    /// checks and the memory is not tracked, or the other way round
    public Outcome launch(Kernel asked, Launch launch, Observer observer) {
        return launch(asked, launch, new Watched(observer, null), Manner.of(machine.executors), 0);
    }

    /// The same, with memory as it was before. A launch that a value nobody defined has stopped is
    /// taken back and run again, slower, to see whether anything depends on it. Where there is no
    /// way back, the launch goes on, and such values are warnings.
    ///
    /// @param before a snapshot that was taken just now, while no other launch runs
    public Outcome launch(Kernel asked, Launch launch, Observer observer, MemorySnapshot before) {
        KernelLaunch own = new KernelLaunch(asked, launch);
        RestrictedRuns restricted = machine.restrictedRuns(List.of(own));
        if (!restricted.memories().isEmpty()) {
            before.want();
        }
        Manner usual = Manner.of(machine.executors);
        Outcome first = launch(asked, launch, new Watched(observer, before), usual, 0);
        if (before.isLost()) {
            return first;
        }
        if (!FollowedValues.mayExcuse(first, own)) {
            return completed(first, restricted, own, before);
        }
        memory.restore(before);
        try (MemorySnapshot again = memory.snapshot(before.costAgain())) {
            Outcome followed =
                    FollowedValues.judge(
                            first, follow(asked, launch, new Watched(observer, again)));
            Outcome explained =
                    again.isLost()
                            ? followed
                            : LaterWrites.explained(
                                    followed,
                                    launch,
                                    further -> {
                                        memory.restore(again);
                                        return follow(asked, further.apply(launch), Observer.NONE);
                                    });
            return completed(explained, restricted, own, again);
        }
    }

    /// The outcome with what further runs find, each of which begins with memory as it was before.
    private Outcome completed(
            Outcome first, RestrictedRuns runs, KernelLaunch own, MemorySnapshot before) {
        Deque<MemorySnapshot> starts = new ArrayDeque<>(List.of(before));
        try {
            return runs.completed(
                    first,
                    own.launch().reporting(),
                    ordered -> {
                        if (starts.getLast().isLost()) {
                            return null;
                        }
                        memory.restore(starts.getLast());
                        starts.add(memory.snapshot(before.costAgain()));
                        return launch(
                                own.kernel(),
                                RestrictedRuns.again(own.launch()),
                                new Watched(Observer.NONE, starts.getLast()),
                                RestrictedRuns.manner(ordered, own.launch(), machine.executors),
                                0);
                    });
        } finally {
            starts.forEach(MemorySnapshot::close);
        }
    }

    /// The same, slower, so that values which nobody defined are followed to where they matter.
    public Outcome follow(Kernel asked, Launch launch, Observer observer) {
        return follow(asked, launch, new Watched(observer, null));
    }

    private Outcome follow(Kernel asked, Launch launch, Watched watched) {
        return launch(asked, FollowedValues.again(launch), watched, FollowedValues.MANNER, 0);
    }

    /// The same, watched, and run in some manner.
    ///
    /// @param depth of the launch: 0 for the host's
    Outcome launch(Kernel asked, Launch launch, Watched watched, Manner manner, int depth) {
        asked.requireFit(launch);
        TimeLimit time = TimeLimit.fromNow(launch.limits().time());
        if (launch.checks().isEmpty() == memory.isTracked()) {
            throw new IllegalArgumentException(
                    "a session checks all launches or none: its memory is %stracked"
                            .formatted(memory.isTracked() ? "" : "not "));
        }
        allocate(asked, launch);
        arguments.bindAll();
        set(asked.program(), launch.state());
        Kernel kernel = asked.formFor(launch, machine.instrumented);
        long workspace = launch.shape().cooperative() ? workspace() : 0;
        Started started = new Started();
        // To close a shared one takes longer than a small kernel.
        try (Arena arena = launch.threads() == 1 ? Arena.ofConfined() : Arena.ofShared()) {
            MemorySegment parameters =
                    arena.allocate(Math.max(16, kernel.code().parameterBytes()), 16);
            pass(kernel.code(), launch, parameters);
            FindingLog log =
                    new FindingLog(
                            launch.reporting(),
                            kernel.code().name(),
                            FollowedValues.doubts(manner.executors(), watched.before()));
            Grid grid =
                    grid(
                            kernel,
                            launch,
                            manner.memory(),
                            parameters,
                            workspace,
                            started,
                            log,
                            arena);
            Executor executor = manner.executors().executor(kernel, watched.observer());
            Outcome own = run(grid, launch, executor, watched, time);
            boolean ends = !own.isClean() && launch.reporting().scope() == Reporting.Scope.FIRST;
            return started.isEmpty() || ends
                    ? own
                    : new NestedLaunches(
                                    asked,
                                    launch,
                                    memory,
                                    (child, as, deeper) ->
                                            launch(child, as, watched.nested(), manner, deeper))
                            .run(own, started, depth, time);
        }
    }

    private Outcome run(
            Grid grid, Launch launch, Executor executor, Watched watched, TimeLimit time) {
        Observer observer = watched.observer();
        Engine engine =
                new Engine(
                        grid,
                        executor,
                        launch.limits().steps(),
                        time,
                        done -> observer.ended(done, launch.grid().count()));
        observer.ended(0, launch.grid().count());
        engine.run(grid.isOrdered() ? 1 : launch.threads());
        GlobalShadow shadow = grid.shadow();
        if (shadow != null && grid.checks(RuleGroup.RACES)) {
            observer.accessed(() -> shadow.footprint(memory.live(), grid.program().sites()));
            watched.ends(grid.findings().found(), shadow);
        }
        return new Outcome(grid.findings().found(), Map.of(), engine.output(), engine.report());
    }

    private Grid grid(
            Kernel kernel,
            Launch launch,
            OrderedMemory ordered,
            MemorySegment parameters,
            long workspace,
            Started started,
            FindingLog log,
            Arena arena) {
        return new Grid(
                kernel.program(),
                kernel.code(),
                new GridShape(
                        launch.grid(),
                        launch.block(),
                        kernel.cluster(launch),
                        kernel.clustered(launch)),
                parameters,
                memory,
                new SharedSizes(
                        kernel.code().sharedBytes() + launch.dynamicShared(),
                        launch.dynamicShared(),
                        kernel.program().reservedShared(),
                        kernel.code().dynamicOffset() - kernel.code().sharedBytes()),
                launch.checks(),
                ordered,
                workspace,
                launch.limits().localBytes(),
                machine.tensorCores(kernel.program()),
                started,
                log,
                launch.checks().isEmpty()
                        ? null
                        : new GlobalShadow(
                                machine.use(kernel, launch),
                                kernel.program().sites().size(),
                                launch.grid(),
                                kernel.cluster(launch),
                                memory.segment().byteSize(),
                                arena),
                launch.checks().isEmpty() ? null : machine.productPaths.of(kernel.program()),
                machine.spares,
                arena);
    }

    /// Sets the variables that a launch sets.
    private void set(Program program, Launch.State state) {
        if (state.variables().isEmpty()) {
            return;
        }
        ModuleVariables variables = new ModuleVariables(program);
        state.variables()
                .forEach(
                        (name, value) -> {
                            Buffer variable = variables.find(name, value);
                            MemorySegment bytes =
                                    MemorySegment.ofArray(new byte[ModuleVariables.size(value)]);
                            arguments.put(value, bytes, 0);
                            memory.write(variable, bytes);
                        });
    }

    /// The address of fresh memory in which the CTAs of a cooperative launch meet.
    private long workspace() {
        Buffer workspace = memory.allocate("workspace of a cooperative launch", WORKSPACE_BYTES);
        memory.fill(workspace, (byte) 0);
        return workspace.address();
    }

    private void pass(Code code, Launch launch, MemorySegment parameters) {
        for (int i = 0; i < launch.arguments().size(); i++) {
            arguments.put(launch.arguments().get(i), parameters, code.parameters().get(i).offset());
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
