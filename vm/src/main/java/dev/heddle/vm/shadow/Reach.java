package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Scope;

/// Which CTAs of a grid a scope spans (PTX ISA 8.5).
record Reach(Extent extent, Extent cluster) {
    /// Whether a scope of a thread of one CTA holds those of another.
    boolean isWithin(int cta, int other, Scope scope) {
        return cta == other
                || switch (scope) {
                    case CTA -> false;
                    case CLUSTER -> clusterOf(cta) == clusterOf(other);
                    case GPU, SYS -> true;
                };
    }

    /// Whether clusters have more CTAs than one.
    boolean hasPeers() {
        return cluster.count() > 1;
    }

    private long clusterOf(int cta) {
        if (!hasPeers()) {
            return cta;
        }
        if (extent.x() == extent.count()) {
            return cta / cluster.x();
        }
        long x = cta % extent.x() / cluster.x();
        long y = cta / extent.x() % extent.y() / cluster.y();
        long z = cta / extent.x() / extent.y() / cluster.z();
        return x + extent.x() * (y + extent.y() * z);
    }
}
