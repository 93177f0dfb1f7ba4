package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

/// A phase of an mbarrier object that is over.
final class Phase {
    private final Message released;
    private @Nullable VectorClock learnt;

    /// @param released what those release that have arrived by its end
    Phase(Message released) {
        this.released = released;
    }

    Message released() {
        return released;
    }

    /// What who waits for it learns. Only threads of the CTA that has the object can.
    VectorClock learnt(StrongAccesses waiting) {
        if (learnt == null) {
            learnt = waiting.within(released, Scope.CLUSTER);
        }
        return learnt;
    }
}
