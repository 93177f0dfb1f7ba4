package dev.heddle.bench;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

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
/// takes the first launch of every launch file; without any, it takes the anchor kernels. Each
/// launch warms up for a second and a half before. It prints rows of a table: milliseconds without
/// checks and with them, medians with the best in brackets.
public final class CheckCosts {
    /// Milliseconds of processor time: what the JIT compiles late counts most in small launches,
    /// and with half a second it was still compiling on two cores.
    private static final double WARM_UP = 1500;

    /// The same for all launches, before any is timed: what a kernel teaches the JIT, the next one
    /// may undo.
    private static final double FIRST_PASS = 200;

    private CheckCosts() {}

    public static void main(String[] arguments) throws IOException {
        int rounds = Integer.parseInt(arguments[0]);
        List<CorpusLaunch> launches = launches(arguments);
        for (CorpusLaunch one : launches) {
            measure(one, 0, FIRST_PASS);
        }
        System.out.println("| launch | off, ms | on, ms | on over off | limit |");
        System.out.println("| --- | --- | --- | --- | --- |");
        List<Cost> costs = new ArrayList<>();
        for (CorpusLaunch one : launches) {
            Cost cost = measure(one, rounds, WARM_UP);
            costs.add(cost);
            System.out.println(cost.row());
        }
        List<String> above =
                costs.stream()
                        .filter(Cost::isAboveLimit)
                        .sorted(Comparator.comparingDouble(Cost::ratio))
                        .map(cost -> cost.launch.name())
                        .toList();
        System.out.printf("%n%d launches, above their limit: %s%n", costs.size(), above);
    }

    private static List<CorpusLaunch> launches(String[] arguments) throws IOException {
        List<CorpusLaunch> launches = new ArrayList<>();
        if (arguments.length == 1) {
            for (AnchorKernel anchor : AnchorKernel.values()) {
                launches.add(new CorpusLaunch(anchor.name(), anchor.kernel(), anchor.launch(1)));
            }
        }
        for (int i = 1; i < arguments.length; i++) {
            Path path = Path.of(arguments[i]);
            if (Files.isDirectory(path)) {
                launches.addAll(CorpusLaunch.in(path));
            } else {
                launches.add(CorpusLaunch.read(Path.of(arguments[++i]), path));
            }
        }
        return launches;
    }

    /// Processor time in milliseconds, without checks and with them, of warm launches in order.
    private record Cost(CorpusLaunch launch, List<Double> off, List<Double> on) {
        /// How many times as long a launch with checks takes: of medians.
        double ratio() {
            return median(on) / median(off);
        }

        /// What checks may cost at most: twice for tensor cores, four times for others.
        int limit() {
            return launch.multiplies() ? 2 : 4;
        }

        boolean isAboveLimit() {
            return ratio() > limit();
        }

        String row() {
            return "| %s | %.3f (%.3f) | %.3f (%.3f) | %.2f (%.2f) | %d |"
                    .formatted(
                            launch.name(),
                            median(off),
                            off.getFirst(),
                            median(on),
                            on.getFirst(),
                            ratio(),
                            on.getFirst() / off.getFirst(),
                            limit());
        }

        private static double median(List<Double> times) {
            return times.get(times.size() / 2);
        }
    }

    private static Cost measure(CorpusLaunch one, int rounds, double warmUp) {
        Machine machine = Machine.compiler();
        Launch without = one.launch().withThreads(1).withChecks(Set.of());
        Launch with = one.launch().withThreads(1).withChecks(RuleGroup.CHECKS);
        for (double spent = 0; spent < warmUp; ) {
            spent += time(machine, one.kernel(), without) + time(machine, one.kernel(), with);
        }
        List<Double> off = new ArrayList<>();
        List<Double> on = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            off.add(time(machine, one.kernel(), without));
            on.add(time(machine, one.kernel(), with));
        }
        Collections.sort(off);
        Collections.sort(on);
        return new Cost(one, off, on);
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
