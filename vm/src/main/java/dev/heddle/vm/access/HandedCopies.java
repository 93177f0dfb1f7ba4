package dev.heddle.vm.access;

import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;
import dev.heddle.vm.state.BarrierObject;
import dev.heddle.vm.state.Warp;

/// Copies of `cp.async` that lanes hand to an mbarrier, which says from then on when they are
/// complete.
record HandedCopies(Warp warp, MemoryUnit memory) {
    /// Lanes operate on an object, one after the other. Those that are told of together hand their
    /// copies so far to it at once: that is one time for all who wait for the phase.
    void hand(Action action, BarrierObject state, int lanes) {
        int told =
                switch (action) {
                    case ASYNC_ARRIVE -> lanes;
                    case ASYNC_ARRIVE_NO_INCREMENT -> beforeEnd(state, lanes);
                    default -> 0;
                };
        if (told != 0) {
            warp.groups().hand(told, warp.clock());
            memory.checks().shared().copies().waited();
        }
    }

    /// Those of some lanes whose arrivals are of the phase that is now.
    private static int beforeEnd(BarrierObject state, int lanes) {
        long most = Math.min(state.pending(), Integer.SIZE);
        return Integer.expand((int) ((1L << most) - 1), lanes);
    }
}
