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

    // By the index of a CTA, what its threads know by the phase that is over.
    private final Map<Integer, VectorClock> learnt = new HashMap<>();

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
        arrived = arrived == null ? brought : arrived.join(brought);
        order.tick(warp);
    }

    private static Message relaxed(HappensBefore order, int warp, int lanes) {
        Message started = Message.started(order);
        Message fenced = order.strong().fenced(warp, lanes);
        return fenced == null ? started : started.join(fenced);
    }

    /// All have arrived: the phase is over.
    public void complete() {
        over = arrived;
        arrived = null;
        learnt.clear();
    }

    /// Lanes of a warp have waited for the phase that is over.
    ///
    /// @param order that of the warp's CTA
    public void waited(HappensBefore order, int warp, int lanes) {
        Message brought = over;
        if (brought != null) {
            VectorClock more =
                    learnt.computeIfAbsent(
                            order.cta(), _ -> order.strong().within(brought, Scope.CLUSTER));
            order.learn(warp, lanes, more);
        }
    }
}
