package dev.heddle.programs.device;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.memory.GlobalMemory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Before which launches memory is copied, so that they can be run again from the start.
final class SecondLooks {
    /// What costs less than a launch itself.
    private static final long ALWAYS = 64 << 10;

    /// What the first launches of a kernel may cost.
    private static final long AT_FIRST = 256 << 20;

    private static final int FIRST = 3;

    /// Bytes that are copied in a nanosecond, at least.
    private static final long RATE = 1;

    /// What part of a launch the copy before it may take.
    private static final long SHARE = 10;

    private final Map<String, Integer> launches = new HashMap<>();
    private final Set<String> needed = new HashSet<>();
    private final Map<String, Long> nanoseconds = new HashMap<>();

    synchronized boolean isAffordable(Kernel kernel, Launch launch, GlobalMemory memory) {
        if (!launch.checks().contains(RuleGroup.DEFINEDNESS)) {
            return false;
        }
        String name = kernel.code().name();
        int before = launches.merge(name, 1, Integer::sum) - 1;
        long used = memory.used();
        return used <= ALWAYS
                || used <= AT_FIRST
                        && (before < FIRST
                                || needed.contains(name)
                                || used <= nanoseconds.getOrDefault(name, 0L) * RATE / SHARE);
    }

    /// How long a launch of this kernel took.
    synchronized void took(Kernel kernel, long time) {
        nanoseconds.put(kernel.code().name(), time);
    }

    /// A launch of this kernel was run again: its next ones may have to be, too.
    synchronized void needs(Kernel kernel) {
        needed.add(kernel.code().name());
    }
}
