package dev.heddle.bench;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.LaunchCheck;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// What checks cost: launches with them and without, in turns, on one worker, by processor time of
/// the launching thread: `CheckCosts ROUNDS [FOLDER | KERNEL.ptx LAUNCH.json]...`. Of a folder it
/// takes every launch whose kernel multiplies on tensor cores; without any, it takes the
/// anchor kernels. Each launch warms up for a second and a half before.
public final class CheckCosts {
    /// Milliseconds of processor time: what the JIT compiles late counts most in small launches,
    /// and with half a second it was still compiling on two cores.
    private static final double WARM_UP = 1500;

    /// The same for all launches of a folder, before any is timed: what a kernel teaches the JIT,
    /// the next one may undo.
    private static final double FIRST_PASS = 200;

    private CheckCosts() {}

    public static void main(String[] arguments) throws IOException {
        int rounds = Integer.parseInt(arguments[0]);
        if (arguments.length == 1) {
            for (AnchorKernel anchor : AnchorKernel.values()) {
                print(measure(anchor.name(), anchor.kernel(), anchor.launch(1), rounds));
            }
        }
        List<Cost> costs = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            Path path = Path.of(arguments[i]);
            if (Files.isDirectory(path)) {
                List<TensorLaunch> all = TensorLaunch.in(path);
                for (TensorLaunch one : all) {
                    measure(one.name(), one.kernel(), one.launch(), 0, FIRST_PASS);
                }
                for (TensorLaunch one : all) {
                    costs.add(print(measure(one.name(), one.kernel(), one.launch(), rounds)));
                }
            } else {
                LaunchCheck check = LaunchCheck.read(Path.of(arguments[++i]), path);
                Launch launch = check.launches().getFirst().launch();
                costs.add(print(measure(name(path), check.kernel(), launch, rounds)));
            }
        }
        costs.sort(Comparator.comparingDouble(Cost::ratio));
        System.out.printf(
                "%d launches, above 2: %s%n",
                costs.size(),
                costs.stream().filter(cost -> cost.ratio() > 2).map(Cost::name).toList());
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /// Processor time in milliseconds, without checks and with them, of warm launches in order.
    private record Cost(String name, List<Double> off, List<Double> on) {
        /// How many times as long a launch with checks takes: of medians.
        double ratio() {
            return median(on) / median(off);
        }

        private static double median(List<Double> times) {
            return times.get(times.size() / 2);
        }
    }

    private static Cost print(Cost cost) {
        System.out.printf(
                "%-40s off: best %.2f ms, median %.2f; on: best %.2f, median %.2f; on over off:"
                        + " best %.2f, median %.2f%n",
                cost.name,
                cost.off.getFirst(),
                Cost.median(cost.off),
                cost.on.getFirst(),
                Cost.median(cost.on),
                cost.on.getFirst() / cost.off.getFirst(),
                cost.ratio());
        return cost;
    }

    private static Cost measure(String name, Kernel kernel, Launch launch, int rounds) {
        return measure(name, kernel, launch, rounds, WARM_UP);
    }

    private static Cost measure(
            String name, Kernel kernel, Launch launch, int rounds, double warmUp) {
        Machine machine = Machine.compiler();
        Launch without = launch.withThreads(1).withChecks(Set.of());
        Launch with = launch.withThreads(1).withChecks(RuleGroup.CHECKS);
        for (double spent = 0; spent < warmUp; ) {
            spent += time(machine, kernel, without) + time(machine, kernel, with);
        }
        List<Double> off = new ArrayList<>();
        List<Double> on = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            off.add(time(machine, kernel, without));
            on.add(time(machine, kernel, with));
        }
        Collections.sort(off);
        Collections.sort(on);
        return new Cost(name, off, on);
    }

    private static double time(Machine machine, Kernel kernel, Launch launch) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try (Outcome outcome = machine.run(kernel, launch)) {
            if (!outcome.isClean()) {
                throw new IllegalStateException(outcome.findings().toString());
            }
            return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) * 1e-6;
        }
    }
}
