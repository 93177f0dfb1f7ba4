package dev.heddle.cli;

import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Observer;
import dev.heddle.vm.scheduling.StepListener;
import dev.heddle.vm.trace.TraceFilter;
import dev.heddle.vm.trace.Tracer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// How `heddle run` runs a launch.
///
/// @param executor    the machine that was asked for; empty where the launch may say
/// @param compared    the machines to compare with one another; empty for none
/// @param generation  whose tensor cores compute on the CPU; null for that of the `.target`
/// @param trace       what to follow, or null
/// @param wholeReport whether every instruction is listed
/// @param json        whether programs read it
record RunMode(
        String executor,
        List<String> compared,
        @Nullable Generation generation,
        @Nullable TraceFilter trace,
        boolean wholeReport,
        boolean json) {

    static RunMode of(ParseResult given) {
        String executor = Command.value(given, "--executor");
        String on = Command.value(given, "--on");
        if (on != null) {
            if (!on.equals(Machines.GPU)) {
                throw new UsageError("--on " + on + ": expected gpu");
            }
            if (executor != null) {
                throw new UsageError(
                        "--on gpu and --executor " + executor + ": expected one of them");
            }
        }
        if (executor != null
                && !executor.equals(Machines.INTERPRETER)
                && !executor.equals(Machines.COMPILER)) {
            throw new UsageError("--executor " + executor + ": expected interpreter or compiler");
        }
        String trace = Command.value(given, "--trace");
        if (trace != null && (on != null || Machines.COMPILER.equals(executor))) {
            throw new UsageError(
                    "--trace: only the interpreter traces; leave out --on, --executor");
        }
        String chosen =
                trace != null
                        ? Machines.INTERPRETER
                        : on != null ? on : executor == null ? "" : executor;
        return new RunMode(
                chosen,
                compared(Command.value(given, "--compare")),
                generation(Command.value(given, "--arch")),
                trace == null ? null : filter(trace),
                Command.has(given, "--report"),
                Command.has(given, "--json"));
    }

    private static List<String> compared(@Nullable String names) {
        List<String> machines = new ArrayList<>();
        if (names != null) {
            for (String name : names.split(",", -1)) {
                machines.add(Machines.require("--compare", name.strip()));
            }
        }
        return machines;
    }

    private static @Nullable Generation generation(@Nullable String target) {
        try {
            return target == null ? null : Generation.of(target);
        } catch (IllegalArgumentException e) {
            throw new UsageError("--arch: " + e.getMessage());
        }
    }

    private static TraceFilter filter(String text) {
        try {
            return TraceFilter.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError("--trace: " + e.getMessage());
        }
    }

    /// The machines for a launch, the first being what the others are compared with.
    List<String> machines(LaunchPlan plan) {
        String own = executor.isEmpty() ? plan.file().executor() : executor;
        if (!own.isEmpty()) {
            Machines.require("executor", own);
        }
        String first = own.isEmpty() ? Machines.DEFAULT : own;
        if (compared.isEmpty()) {
            return List.of(first);
        }
        if (compared.size() > 1) {
            return compared;
        }
        // What is to be compared is never compared with itself.
        String only = compared.getFirst();
        String other = first.equals(only) ? otherThan(only) : first;
        return List.of(other, only);
    }

    private static String otherThan(String machine) {
        return machine.equals(Machines.INTERPRETER) ? Machines.COMPILER : Machines.INTERPRETER;
    }

    /// Opens the GPU where the options ask for it: there may be none.
    ///
    /// @throws UsageError where there is none
    void requireGpu(Machines machines) {
        if (executor.equals(Machines.GPU) || compared.contains(Machines.GPU)) {
            machines.get(Machines.GPU);
        }
    }

    /// Runs a launch on all machines asked for.
    List<Execution> execute(LaunchPlan plan, Machines machines, PrintWriter out, PrintWriter err)
            throws IOException {
        List<String> names = machines(plan);
        names.forEach(machines::get);
        List<Execution> executions = new ArrayList<>();
        for (String name : names) {
            try (ProgressLine progress = ProgressLine.start(err)) {
                executions.add(
                        Execution.run(
                                plan, machines.get(name), observer(plan, progress, name, out)));
            }
        }
        return executions;
    }

    private Observer observer(
            LaunchPlan plan, ProgressLine progress, String machine, PrintWriter out) {
        TraceFilter filter = trace;
        if (filter == null || !machine.equals(Machines.INTERPRETER)) {
            return progress;
        }
        Tracer tracer = new Tracer(filter, plan.kernel().source(), out::println);
        return new Observer() {
            @Override
            public StepListener steps() {
                return tracer;
            }
        };
    }

    /// The first execution beside each of the others.
    static List<Comparison> compare(List<Execution> executions) {
        return executions.stream()
                .skip(1)
                .map(other -> Comparison.of(executions.getFirst(), other))
                .toList();
    }
}
