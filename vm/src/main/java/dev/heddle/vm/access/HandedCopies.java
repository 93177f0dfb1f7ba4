package dev.heddle.vm.access;

import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;
import dev.heddle.vm.state.BarrierObject;

/// Copies of `cp.async` that lanes hand to an mbarrier, which says from then on when they are
/// complete.
record HandedCopies(MemoryUnit memory) {
    /// Lanes operate on an object, one after the other. Those that are told of together hand their
    /// copies so far to it at once: that is one time for all who wait for the phase.
    ///
    /// @param object where it is
    void hand(Action action, BarrierObject state, long object, int lanes) {
        int told =
                switch (action) {
                    case ASYNC_ARRIVE -> lanes;
                    case ASYNC_ARRIVE_NO_INCREMENT -> beforeEnd(state, lanes);
                    default -> 0;
                };
        if (told != 0) {
            memory.checks().shared().copies().hand(told, object);
        }
    }

    /// Those of some lanes whose arrivals are of the phase that is now.
    private static int beforeEnd(BarrierObject state, int lanes) {
        long most = Math.min(state.pending(), Integer.SIZE);
        return Integer.expand((int) ((1L << most) - 1), lanes);
    }
}
