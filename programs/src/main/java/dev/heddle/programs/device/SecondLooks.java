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

    /// Bytes that are copied in a nanosecond, at least.
    private static final long RATE = 1;

    /// What part of a launch the copy before it may take.
    private static final long SHARE = 10;

    private final Map<Key, Kept> kept = new HashMap<>();

    /// Modules may have kernels of one name: each has a code of its own, which is not kept here, so
    /// that an unloaded module is not.
    private record Key(String name, int identity) {}

    /// What is known of a kernel.
    private static final class Kept {
        private int launches;
        private boolean isNeeded;
        private long nanoseconds;
    }

    private Kept of(Kernel kernel) {
        Key key = new Key(kernel.code().name(), System.identityHashCode(kernel.code()));
        return kept.computeIfAbsent(key, _ -> new Kept());
    }

    synchronized boolean isAffordable(Kernel kernel, Launch launch, GlobalMemory memory) {
        if (!launch.checks().contains(RuleGroup.DEFINEDNESS)) {
            return false;
        }
        Kept of = of(kernel);
        int before = of.launches++;
        long used = memory.used();
        return used <= ALWAYS
                || used <= AT_FIRST
                        && (before < FIRST || of.isNeeded || used <= of.nanoseconds * RATE / SHARE);
    }

    /// How long a launch of this kernel took.
    synchronized void took(Kernel kernel, long time) {
        of(kernel).nanoseconds = time;
    }

    /// A launch of this kernel was run again: its next ones may have to be, too.
    synchronized void needs(Kernel kernel) {
        of(kernel).isNeeded = true;
    }
}
