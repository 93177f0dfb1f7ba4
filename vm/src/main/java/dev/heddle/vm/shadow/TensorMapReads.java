package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.AsyncOperation.Completion.BulkGroup;

/// The tensor maps in global memory that tensor copies of a CTA read: until its thread has waited
/// for the group of a copy, with `.read` or without, or somebody for an mbarrier that counts its
/// bytes (PTX ISA 9.7.9.27.1.2, 9.7.9.27.2.2). To change the map before is undefined (9.7.9.25.1).
public final class TensorMapReads {
    private final HappensBefore order;
    private final AsyncOrder operations = new AsyncOrder();

    /// @param order of the threads of the CTA
    public TensorMapReads(HappensBefore order) {
        this.order = order;
    }

    public void clear() {
        operations.clear();
    }

    /// A copy is about to read its map. Returns what stands for that.
    ///
    /// @param thread that begins the copy
    /// @param group the thread's bulk group then: also loads, which mbarriers count, are of one as
    ///     far as their map is concerned
    public Aside begin(Site site, int thread, BulkGroup group) {
        int lane = lane(group, thread);
        int clock = order.async().begin(lane);
        operations.began(group, thread, site, clock);
        return new Aside(order.cta(), order.asyncThread(lane), clock, clock);
    }

    /// Who waits for an mbarrier that counts the bytes of the copy has waited for its map.
    ///
    /// @param counting the order of the CTA that has the object
    public void arrive(Aside reader, HappensBefore counting, long object) {
        order.strong().phases().arriveAside(counting.strong().shared(), object, reader.thread());
    }

    /// A thread has waited for its groups up to this one.
    public void waited(int thread, BulkGroup retired) {
        int clock = operations.waited(retired, thread);
        if (clock > 0) {
            order.learnAsync(thread, 1, lane(retired, thread), clock);
        }
    }

    private int lane(BulkGroup group, int thread) {
        return AsyncOrder.ofMaps(operations.lane(group, thread));
    }
}
