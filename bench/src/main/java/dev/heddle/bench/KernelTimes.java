package dev.heddle.bench;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Times the anchor kernels on a machine that others use too: processor time beside wall time.
///
/// `KernelTimes [THREADS [ROUNDS [KERNEL...]]]`
public final class KernelTimes {
    private KernelTimes() {}

    public static void main(String[] arguments) {
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 40;
        List<AnchorKernel> kernels = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            kernels.add(AnchorKernel.valueOf(arguments[i]));
        }
        for (AnchorKernel anchor : kernels.isEmpty() ? List.of(AnchorKernel.values()) : kernels) {
            time(anchor, threads, rounds);
        }
    }

    private static void time(AnchorKernel anchor, int threads, int rounds) {
        Machine machine = Machine.compiler();
        Kernel kernel = anchor.kernel();
        Launch launch = anchor.launch(threads);
        List<Double> processor = new ArrayList<>();
        List<Double> wall = new ArrayList<>();
        long instructions = 0;
        for (int i = 0; i < rounds; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            try (Outcome outcome = machine.run(kernel, launch)) {
                long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                processor.add((end - start) * 1e-6);
                wall.add(outcome.report().nanoseconds() * 1e-6);
                instructions =
                        outcome.report().instructions().values().stream()
                                .mapToLong(Long::longValue)
                                .sum();
            }
        }
        anchor.verify(machine, kernel, launch);
        double first = processor.getFirst();
        double firstWall = wall.getFirst();
        Collections.sort(processor);
        Collections.sort(wall);
        double median = processor.get(rounds / 2);
        System.out.printf(
                "%-10s ms of the first thread, of the launch: best %.1f, median %.1f, first %.0f;"
                        + " wall of the run: best %.1f, median %.1f, first %.0f;"
                        + " %.2f G thread-instructions/s%n",
                anchor,
                processor.getFirst(),
                median,
                first,
                wall.getFirst(),
                wall.get(rounds / 2),
                firstWall,
                instructions / (wall.getFirst() * 1e6));
    }
}
