package dev.heddle.programs.device;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.memory.MemorySnapshot;

import java.util.HashMap;
import java.util.Map;

/// How much memory is kept as it was before a launch, so that the launch can be run again from the
/// start. What it does not write costs nothing.
final class SecondLooks {
    /// What costs less than a launch itself.
    private static final long ALWAYS = 256 << 10;

    /// What the first launches of a kernel may cost: with their marks, as much as Java gives to its
    /// heap, which is a quarter of the machine's memory.
    private static final long AT_FIRST = Runtime.getRuntime().maxMemory() / 2;

    private static final int FIRST = 3;

    /// Bytes that are copied in a nanosecond, at least.
    private static final long RATE = 1;

    /// What part of a launch the copy may take.
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

    /// What may be copied for a launch that begins now.
    synchronized MemorySnapshot.Cost cost(Kernel kernel) {
        Kept of = of(kernel);
        long most =
                of.launches++ < FIRST || of.isNeeded
                        ? AT_FIRST
                        : Math.clamp(of.nanoseconds * RATE / SHARE, ALWAYS, AT_FIRST);
        return new MemorySnapshot.Cost(most, AT_FIRST);
    }

    /// How long a launch of this kernel took.
    synchronized void took(Kernel kernel, long time) {
        of(kernel).nanoseconds = time;
    }

    /// A launch of this kernel was run again, or should have been: its next ones may have to be,
    /// too.
    synchronized void needs(Kernel kernel) {
        of(kernel).isNeeded = true;
    }

    /// Whether they may have to be.
    synchronized boolean isNeeded(Kernel kernel) {
        return of(kernel).isNeeded;
    }
}
