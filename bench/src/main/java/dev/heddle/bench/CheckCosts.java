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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// What checks cost: launches with them and without, in turns, on one worker, by processor time of
/// the launching thread: `CheckCosts ROUNDS [KERNEL.ptx LAUNCH.json]...`; first the anchor kernels.
public final class CheckCosts {
    private CheckCosts() {}

    public static void main(String[] arguments) throws IOException {
        int rounds = Integer.parseInt(arguments[0]);
        for (AnchorKernel anchor : AnchorKernel.values()) {
            compare(anchor.name(), anchor.kernel(), anchor.launch(1), rounds);
        }
        for (int i = 1; i + 1 < arguments.length; i += 2) {
            Path ptx = Path.of(arguments[i]);
            LaunchCheck check = LaunchCheck.read(Path.of(arguments[i + 1]), ptx);
            Launch launch = check.launches().getFirst().launch().withThreads(1);
            compare(ptx.getFileName().toString(), check.kernel(), launch, rounds);
        }
    }

    private static void compare(String name, Kernel kernel, Launch launch, int rounds) {
        Machine machine = Machine.compiler();
        List<Double> off = new ArrayList<>();
        List<Double> on = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            off.add(time(machine, kernel, launch.withChecks(Set.of())));
            on.add(time(machine, kernel, launch.withChecks(RuleGroup.CHECKS)));
        }
        double coldOff = off.getFirst();
        double coldOn = on.getFirst();
        Collections.sort(off);
        Collections.sort(on);
        System.out.printf(
                "%-34s off: best %.1f ms, median %.1f; on: best %.1f, median %.1f; on over off:"
                        + " best %.2f, median %.2f, first %.2f%n",
                name,
                off.getFirst(),
                off.get(rounds / 2),
                on.getFirst(),
                on.get(rounds / 2),
                on.getFirst() / off.getFirst(),
                on.get(rounds / 2) / off.get(rounds / 2),
                coldOn / coldOff);
    }

    private static double time(Machine machine, Kernel kernel, Launch launch) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try (Outcome outcome = machine.run(kernel, launch)) {
            if (!outcome.isClean()) {
                throw new IllegalStateException("something was found");
            }
            return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) * 1e-6;
        }
    }
}
