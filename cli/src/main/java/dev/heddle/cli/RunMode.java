package dev.heddle.cli;

import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Machines;
import dev.heddle.formats.InputException;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Machine;
import dev.heddle.vm.MachineKind;
import dev.heddle.vm.Observer;
import dev.heddle.vm.advice.Advisor;
import dev.heddle.vm.launch.LaunchResult;
import dev.heddle.vm.state.StepListener;
import dev.heddle.vm.trace.TraceFilter;
import dev.heddle.vm.trace.Tracer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// How `heddle run` runs a launch.
///
/// @param chosen      the machine that was asked for, or null where the launch may say
/// @param compared    the machines to compare with one another; empty for none
/// @param generation  whose tensor cores compute on the CPU; null for that of the `.target`
/// @param trace       what to follow, or null
/// @param advises     whether what it costs is counted
/// @param wholeReport whether every instruction is listed
/// @param json        whether programs read it
record RunMode(
        @Nullable MachineKind chosen,
        List<MachineKind> compared,
        @Nullable Generation generation,
        @Nullable TraceFilter trace,
        boolean advises,
        boolean wholeReport,
        boolean json) {

    static final String ADVISE = "--advise";

    static RunMode of(ParseResult given) {
        String executor = Command.value(given, "--executor");
        String on = Command.value(given, "--on");
        if (on != null) {
            if (!on.equals(MachineKind.GPU.word())) {
                throw new UsageError("--on " + on + ": expected gpu");
            }
            if (executor != null) {
                throw new UsageError(
                        "--on gpu and --executor " + executor + ": expected one of them");
            }
        }
        MachineKind named = executor == null ? null : executor(executor);
        String trace = Command.value(given, "--trace");
        if (trace != null && (on != null || named == MachineKind.COMPILER)) {
            throw new UsageError(
                    "--trace: only the interpreter traces; leave out --on, --executor");
        }
        boolean advises = Command.has(given, ADVISE);
        if (advises && (trace != null || on != null || named == MachineKind.COMPILER)) {
            throw new UsageError(
                    "--advise: only the interpreter counts; leave out --on, --executor, --trace");
        }
        return new RunMode(
                trace != null || advises
                        ? MachineKind.INTERPRETER
                        : on != null ? MachineKind.GPU : named,
                compared(Command.value(given, "--compare")),
                generation(Command.value(given, "--arch")),
                trace == null ? null : filter(trace),
                advises,
                Command.has(given, "--report"),
                Command.has(given, "--json"));
    }

    private static MachineKind executor(String name) {
        String message = "--executor " + name + ": expected interpreter or compiler";
        return MachineKind.of(name)
                .filter(kind -> kind != MachineKind.GPU)
                .orElseThrow(() -> new UsageError(message));
    }

    private static List<MachineKind> compared(@Nullable String names) {
        List<MachineKind> machines = new ArrayList<>();
        if (names != null) {
            for (String name : names.split(",", -1)) {
                String message = "--compare " + name + ": expected interpreter, compiler or gpu";
                machines.add(
                        MachineKind.of(name.strip()).orElseThrow(() -> new UsageError(message)));
            }
        }
        return machines;
    }

    private static @Nullable Generation generation(@Nullable String target) {
        try {
            return target == null ? null : Generation.of(target);
        } catch (InputException e) {
            throw new UsageError("--arch: " + e.getMessage());
        }
    }

    private static TraceFilter filter(String text) {
        try {
            return TraceFilter.parse(text);
        } catch (InputException e) {
            throw new UsageError("--trace: " + e.getMessage());
        }
    }

    /// The machines for a launch, the first being what the others are compared with.
    List<MachineKind> machines(LaunchPlan plan) {
        MachineKind own = chosen == null ? plan.check().file().machine() : chosen;
        MachineKind first = own == null ? MachineKind.DEFAULT : own;
        if (compared.isEmpty()) {
            return List.of(first);
        }
        if (compared.size() > 1) {
            return compared;
        }
        // What is to be compared is never compared with itself.
        MachineKind only = compared.getFirst();
        return List.of(first == only ? otherThan(only) : first, only);
    }

    private static MachineKind otherThan(MachineKind machine) {
        return machine == MachineKind.INTERPRETER ? MachineKind.COMPILER : MachineKind.INTERPRETER;
    }

    /// The machines of this process. Where a machine is named, it does as its name says from the
    /// first step on.
    Machines open() {
        return chosen == null && compared.isEmpty()
                ? Machines.tiered(generation)
                : new Machines(generation);
    }

    /// Opens the GPU where the options ask for it: there may be none.
    ///
    /// @throws UsageError where there is none
    void requireGpu(Machines machines) {
        if (chosen == MachineKind.GPU || compared.contains(MachineKind.GPU)) {
            machine(machines, MachineKind.GPU);
        }
    }

    private static Machine machine(Machines machines, MachineKind kind) {
        try {
            return machines.get(kind);
        } catch (DriverUnavailableException | DriverException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    /// Runs a launch on all machines asked for.
    List<Execution> execute(LaunchPlan plan, Machines machines, PrintWriter out, PrintWriter err) {
        List<MachineKind> kinds = machines(plan);
        kinds.forEach(kind -> machine(machines, kind));
        List<Execution> executions = new ArrayList<>();
        for (MachineKind kind : kinds) {
            try (ProgressLine progress = ProgressLine.start(err, "CTAs")) {
                Advisor advisor = advises && kind == MachineKind.INTERPRETER ? new Advisor() : null;
                Observer observer =
                        advisor == null ? observer(plan, progress, kind, out) : watching(advisor);
                LaunchResult result = plan.check().run(machine(machines, kind), observer);
                executions.add(
                        new Execution(plan, result, advisor == null ? null : advisor.advice()));
            }
        }
        return executions;
    }

    private Observer observer(
            LaunchPlan plan, ProgressLine progress, MachineKind machine, PrintWriter out) {
        TraceFilter filter = trace;
        if (filter == null || machine != MachineKind.INTERPRETER) {
            return progress;
        }
        Tracer tracer = new Tracer(filter, plan.kernel().source(), out::println);
        return watching(tracer);
    }

    private static Observer watching(StepListener listener) {
        return new Observer() {
            @Override
            public StepListener steps() {
                return listener;
            }
        };
    }

    /// The first execution beside each of the others.
    static List<MachineComparison> compare(List<Execution> executions) {
        return executions.stream()
                .skip(1)
                .map(other -> MachineComparison.of(executions.getFirst(), other))
                .toList();
    }
}
