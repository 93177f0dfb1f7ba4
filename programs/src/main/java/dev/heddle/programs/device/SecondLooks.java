package dev.heddle.programs.device;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.memory.GlobalMemory;

import java.util.HashMap;
import java.util.Map;

/// Before which launches memory is copied, so that they can be run again from the start.
final class SecondLooks {
    /// What costs less than a launch itself.
    private static final long ALWAYS = 64 << 10;

    /// What the first launches of a kernel may cost.
    private static final long AT_FIRST = 256 << 20;

    private static final int FIRST = 3;

    private final Map<String, Integer> launches = new HashMap<>();

    synchronized boolean isAffordable(Kernel kernel, Launch launch, GlobalMemory memory) {
        if (!launch.checks().contains(RuleGroup.DEFINEDNESS)) {
            return false;
        }
        int before = launches.merge(kernel.code().name(), 1, Integer::sum) - 1;
        long used = memory.used();
        return used <= ALWAYS || before < FIRST && used <= AT_FIRST;
    }
}
