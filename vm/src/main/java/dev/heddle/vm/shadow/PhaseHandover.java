package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;

/// What threads of a CTA hand over by the phases of mbarriers (PTX ISA 9.7.13.15): of its own, and
/// of those of other CTAs of the cluster where it arrives.
public final class PhaseHandover {
    private final HappensBefore order;
    private final StrongAccesses strong;

    PhaseHandover(HappensBefore order, StrongAccesses strong) {
        this.order = order;
        this.strong = strong;
    }

    private static Location location(Locations in, long object) {
        return in.at(object, Long.BYTES);
    }

    /// An mbarrier object is made: whoever accesses its memory otherwise is to look closer.
    public void make(long object) {
        location(strong.shared(), object);
    }

    /// Arrivals of lanes of a warp by one instruction; the last ends the phase, or not. Those that
    /// release do so for the cluster, which is all that can wait for the object: earlier fences add
    /// nothing, and what was released here stays so for later phases.
    ///
    /// @param in the shared memory that has the object, of this CTA or another of the cluster
    public void arrive(
            Locations in, long object, int warp, int lanes, boolean releases, boolean completes) {
        Location location = location(in, object);
        if (releases) {
            location.arrivals().add(order, warp, lanes);
            order.tick(warp);
        }
        for (int rest = releases ? 0 : lanes; rest != 0; rest &= rest - 1) {
            int thread = 32 * warp + Integer.numberOfTrailingZeros(rest);
            Message own = strong.release(location, thread, MemoryOrder.RELAXED, Scope.CLUSTER);
            if (own != null) {
                location.arrive(own);
            }
        }
        if (completes) {
            location.complete();
        }
    }

    /// The last arrival ends the phase.
    public void complete(long object) {
        location(strong.shared(), object).complete();
    }

    /// Copies of lanes of a warp arrive once they are complete, and nothing else that the threads
    /// did (PTX ISA 8.9.1.1).
    ///
    /// @param copier the warp that stands for the copies
    void arriveAside(long object, int copier, int lanes, int clock) {
        location(strong.shared(), object).arrivals().addAside(order, copier, lanes, clock);
    }

    /// A reduction arrives at an mbarrier of another CTA, for those who wait for the phase.
    ///
    /// @param aside the thread that stands for it
    public void arriveAside(Locations in, long object, int aside) {
        location(in, object).arrivals().addAside(order, aside);
    }

    /// An operation that no thread waits for arrives at an mbarrier; that ends the phase, or not.
    ///
    /// @param aside the thread that stands for it
    void arrive(long object, int aside, boolean completes) {
        arriveAside(strong.shared(), object, aside);
        if (completes) {
            complete(object);
        }
    }

    /// Lanes of a warp have seen a phase end.
    ///
    /// @param relaxed the instruction if it acquires nothing, else [Stamp#NO_SITE]
    public void waited(long object, int warp, int lanes, int relaxed) {
        Phase phase = location(strong.shared(), object).phase();
        if (phase == null) {
            return;
        }
        if (relaxed == Stamp.NO_SITE) {
            order.learn(warp, lanes, phase.learnt(strong));
            return;
        }
        strong.relaxed().waited(warp, lanes, relaxed, phase.learnt(strong));
        order.grid().starts().observed(order.cta());
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            strong.observe(32 * warp + Integer.numberOfTrailingZeros(rest), phase.released());
        }
    }
}
