package dev.heddle.vm.sanitizer;

import dev.heddle.vm.shadow.FencesBefore;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.ProxyFences;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The proxy fences of all CTAs of a cluster for the shared memory of one of them, that come before
/// what a thread of one does.
final class ClusterFences implements FencesBefore {
    private final HappensBefore order;
    private final int thread;
    private final List<ProxyFences> all = new ArrayList<>();

    // By CTA, in the order of the fences; negative where nobody has asked.
    private final int[] limits;

    /// @param cta of the thread
    /// @param order of that CTA
    /// @param owner of the memory
    ClusterFences(Cta cta, HappensBefore order, int thread, Cta owner) {
        this.order = order;
        this.thread = thread;
        for (int rank = 0; rank < cta.cluster().size(); rank++) {
            SharedShadow shadow = cta.cluster().cta(rank).shadow();
            if (shadow != null) {
                all.add(shadow.proxyFences().of(rank == owner.rank()));
            }
        }
        limits = new int[all.size()];
        Arrays.fill(limits, -1);
    }

    @Override
    public boolean areBehind(int cta, int writer, int clock) {
        for (ProxyFences each : all) {
            if (each.isByItself(cta, writer, clock, order, thread)) {
                return true;
            }
        }
        for (ProxyFences each : all) {
            if (each.isBetween(cta, writer, clock, order, thread)) {
                return true;
            }
        }
        return false;
    }

    /// Mostly all threads of a CTA have fenced themselves behind what they wrote.
    @Override
    public int limit(int cta) {
        for (int i = 0; i < limits.length; i++) {
            ProxyFences each = all.get(i);
            if (each.home() == cta) {
                limits[i] = limits[i] < 0 ? each.limit(order, thread) : limits[i];
                return limits[i];
            }
        }
        return 0;
    }
}
