package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// What threads hand over at the barrier of their cluster (PTX ISA 9.7.13.3). Who waits knows what
/// the others did before they arrived, not what they did between that and their wait; of those
/// whose arrival is relaxed, what a fence before it has released, and that their CTA has started.
public final class ClusterHandover {
    private @Nullable Message arrived;
    private @Nullable Message over;

    // By the index of a CTA, what its threads know by the phase that is over; and what all know by
    // it, where that is one.
    private final Map<Integer, VectorClock> learnt = new HashMap<>();
    private @Nullable GridClock common;

    /// Forgets everything.
    public void clear() {
        arrived = null;
        complete();
    }

    /// Lanes of a warp arrive.
    ///
    /// @param order that of the warp's CTA
    public void arrive(HappensBefore order, int warp, int lanes, boolean releases) {
        Message brought =
                releases
                        ? Message.of(order.cta(), Scope.CLUSTER, order.gathered(warp, lanes))
                        : relaxed(order, warp, lanes);
        arrived = Message.both(arrived, brought);
        order.tick(warp);
    }

    private static Message relaxed(HappensBefore order, int warp, int lanes) {
        Message started = Message.started(order);
        Message fenced = order.strong().fences().released(warp, lanes);
        return Message.both(fenced, started);
    }

    /// All have arrived: the phase is over.
    public void complete() {
        over = arrived;
        arrived = null;
        learnt.clear();
        common = null;
    }

    /// Lanes of a warp have waited for the phase that is over.
    ///
    /// @param order that of the warp's CTA
    public void waited(HappensBefore order, int warp, int lanes) {
        Message brought = over;
        if (brought != null) {
            VectorClock more = learnt.computeIfAbsent(order.cta(), _ -> learnt(order, brought));
            order.learn(warp, lanes, more);
        }
    }

    private VectorClock learnt(HappensBefore order, Message brought) {
        if (common == null) {
            common = order.strong().withinCluster(brought);
        }
        return common == null
                ? order.strong().within(brought, Scope.CLUSTER)
                : VectorClock.of(common, order.cta(), order.nothing());
    }
}
