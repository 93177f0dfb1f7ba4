package dev.heddle.bench;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.LaunchCheck;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;

/// Times one launch file: `ExampleTimes KERNEL.ptx LAUNCH.json [THREADS [ROUNDS [CHECKS]]]`.
public final class ExampleTimes {
    private ExampleTimes() {}

    public static void main(String[] arguments) throws IOException {
        Path ptx = Path.of(arguments[0]);
        LaunchCheck check = LaunchCheck.read(Path.of(arguments[1]), ptx);
        int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        int rounds = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 5;
        Kernel kernel = check.kernel();
        Launch launch =
                check.launches()
                        .getFirst()
                        .launch()
                        .withChecks(arguments.length > 4 ? RuleGroup.CHECKS : Set.of())
                        .withThreads(threads);
        Machine machine = Machine.compiler();
        for (int i = 0; i < rounds; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            try (Outcome outcome = machine.run(kernel, launch)) {
                long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                System.out.printf(
                        "round %d, %d threads: wall %.4f s, processor time of the first thread"
                                + " %.4f s%n",
                        i, threads, outcome.report().nanoseconds() * 1e-9, (end - start) * 1e-9);
            }
        }
    }
}
