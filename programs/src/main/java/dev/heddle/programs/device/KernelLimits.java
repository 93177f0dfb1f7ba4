package dev.heddle.programs.device;

import dev.heddle.vm.Kernel;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/// How much launches of each kernel may take: what all devices give, or what the program asked for.
public final class KernelLimits {
    private static final int PORTABLE_CLUSTER = 8;
    private static final int LARGEST_CLUSTER = 16;

    /// Dynamic shared memory that a CTA may take unasked.
    private static final int SHARED_AT_ONCE = 48 << 10;

    private final Map<Kernel, Integer> dynamicShared =
            Collections.synchronizedMap(new IdentityHashMap<>());
    private final Set<Kernel> largeClusters =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    KernelLimits() {}

    /// The most dynamic shared memory of a launch, in bytes.
    public long dynamicShared(Kernel kernel) {
        return dynamicShared.getOrDefault(
                kernel, Math.max(0, SHARED_AT_ONCE - kernel.code().ownSharedBytes()));
    }

    /// Lets launches take more.
    public void allowDynamicShared(Kernel kernel, int bytes) {
        dynamicShared.put(kernel, bytes);
    }

    /// CTAs of a cluster in which a kernel may be launched.
    public int mostOfCluster(Kernel kernel) {
        return allowsLargeClusters(kernel) ? LARGEST_CLUSTER : PORTABLE_CLUSTER;
    }

    /// Whether launches may have clusters that not all devices take.
    public boolean allowsLargeClusters(Kernel kernel) {
        return largeClusters.contains(kernel);
    }

    /// Lets launches have such clusters, or no more.
    public void allowLargeClusters(Kernel kernel, boolean allowed) {
        if (allowed) {
            largeClusters.add(kernel);
        } else {
            largeClusters.remove(kernel);
        }
    }
}
