package dev.heddle.vm;

import dev.heddle.isa.Target;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.ir.PerProgram;
import dev.heddle.vm.ir.ProductPaths;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.RestrictedFences;
import dev.heddle.vm.lowering.DefinednessInstrumentation;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Found;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.shadow.GlobalUse;
import dev.heddle.vm.shadow.GridOrder;
import dev.heddle.vm.shadow.OrderedMemory;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.SpareClusters;
import dev.heddle.vm.state.TensorCores;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/// A GPU on the CPU.
final class VirtualMachine implements Machine {
    private final String name;
    final ExecutorSource executors;
    private final @Nullable Generation generation;
    private final Map<Generation, TensorCores> tensorCores = new ConcurrentHashMap<>();
    final PerProgram<Program> instrumented = new PerProgram<>(DefinednessInstrumentation::of);
    final SpareClusters spares = new SpareClusters();
    final PerProgram<ProductPaths> productPaths = new PerProgram<>(ProductPaths::new);
    private final PerProgram<RestrictedFences> restrictedFences =
            new PerProgram<>(RestrictedFences::of);
    private final PerProgram<GlobalUse> uses =
            new PerProgram<>(program -> GlobalUse.of(program, false));
    private final PerProgram<GlobalUse> usesOfClusters =
            new PerProgram<>(program -> GlobalUse.of(program, true));

    /// Makes the executor for a launch.
    @FunctionalInterface
    interface ExecutorSource {
        /// The executor that runs this kernel's program.
        Executor executor(Kernel kernel, Observer observer);
    }

    /// How a launch is run.
    ///
    /// @param executors what runs its code
    /// @param memory where races are looked for
    record Manner(ExecutorSource executors, OrderedMemory memory) {
        /// With races looked for in all memory.
        static Manner of(ExecutorSource executors) {
            return new Manner(executors, OrderedMemory.ALL);
        }
    }

    /// @param generation whose tensor cores compute; null for the one that each module names
    VirtualMachine(String name, ExecutorSource executors, @Nullable Generation generation) {
        this.name = name;
        this.executors = executors;
        this.generation = generation;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Session open(GlobalMemory memory) {
        return new Session(this, memory);
    }

    /// What the code of a launch does with memory that other threads see.
    GlobalUse use(Kernel kernel, Launch launch) {
        boolean hasClusters = GridOrder.hasClusters(launch.grid(), kernel.cluster(launch));
        return (hasClusters ? usesOfClusters : uses).of(kernel.program());
    }

    TensorCores tensorCores(Program program) {
        return tensorCores.computeIfAbsent(
                generation == null ? named(program) : generation, TensorCores::new);
    }

    /// The generation that runs code for a module's target; the first where none is named.
    static Generation named(Program program) {
        Target target = program.target();
        return Generation.running(target == null ? 0 : target.number());
    }

    @Override
    public Outcome run(List<KernelLaunch> launches, Observer observer) {
        KernelLaunch.requireFit(launches);
        KernelLaunch first = launches.getFirst();
        return restrictedRuns(launches)
                .completed(
                        judged(launches, observer),
                        first.launch().reporting(),
                        memory ->
                                run(
                                        with(launches, RestrictedRuns::again),
                                        Observer.NONE,
                                        RestrictedRuns.manner(memory, first.launch(), executors)));
    }

    /// The further runs that a program's restricted fences ask for.
    RestrictedRuns restrictedRuns(List<KernelLaunch> launches) {
        return RestrictedRuns.of(launches, restrictedFences);
    }

    private Outcome judged(List<KernelLaunch> launches, Observer observer) {
        Outcome outcome = run(launches, observer, Manner.of(executors));
        if (!FollowedValues.mayExcuse(outcome, launches.getFirst())) {
            return outcome;
        }
        List<KernelLaunch> again = with(launches, FollowedValues::again);
        Outcome followed =
                FollowedValues.judge(outcome, run(again, observer, FollowedValues.MANNER));
        return LaterWrites.explained(
                followed,
                launches.getFirst().launch(),
                further -> run(with(again, further), Observer.NONE, FollowedValues.MANNER));
    }

    private static List<KernelLaunch> with(
            List<KernelLaunch> launches, UnaryOperator<Launch> other) {
        return launches.stream()
                .map(one -> new KernelLaunch(one.kernel(), other.apply(one.launch())))
                .toList();
    }

    private static Finding.Note which(KernelLaunch launch, int number) {
        String kernel = launch.kernel().code().sourceName();
        return new Finding.Note(null, "in launch %d, of %s".formatted(number, kernel));
    }

    private Outcome run(List<KernelLaunch> launches, Observer observer, Manner manner) {
        Launch first = launches.getFirst().launch();
        boolean tracked = !first.checks().isEmpty();
        GlobalMemory memory = new GlobalMemory(first.limits().memoryBytes(), tracked);
        Session session = new Session(this, memory);
        try {
            session.place(launches.getFirst().kernel().program());
            launches.forEach(one -> session.allocate(one.kernel(), one.launch()));
            Found found = Found.NOTHING;
            StringBuilder output = new StringBuilder();
            List<Report> reports = new ArrayList<>();
            for (KernelLaunch one : launches) {
                Watched watched = new Watched(observer, null);
                Outcome outcome = session.launch(one.kernel(), one.launch(), watched, manner, 0);
                found =
                        found.and(
                                launches.size() == 1
                                        ? outcome.found()
                                        : outcome.found().noting(which(one, reports.size())));
                output.append(outcome.output());
                reports.add(outcome.report());
                if (one.launch().reporting().ends(outcome.found())) {
                    break;
                }
            }
            return session.end(found, output.toString(), Report.sum(reports));
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
    }
}
