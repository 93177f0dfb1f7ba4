package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

/// The last fence of a thread that released for a scope.
final class Fence {
    private final Scope scope;
    private final LanesInTurn known;
    private final int clock;
    private final @Nullable Fence before;
    private @Nullable Message released;

    /// @param known what was over for the thread
    /// @param clock up to when it releases what it did itself
    /// @param before of a larger scope, but earlier
    Fence(Scope scope, LanesInTurn known, int clock, @Nullable Fence before) {
        this.scope = scope;
        this.known = known;
        this.clock = clock;
        this.before = before;
    }

    /// The last of some that reaches further than a scope: those of no larger one are of no more
    /// use.
    static @Nullable Fence largerThan(Scope scope, @Nullable Fence last) {
        Fence larger = last;
        while (larger != null && larger.scope.compareTo(scope) <= 0) {
            larger = larger.before;
        }
        return larger;
    }

    int clock() {
        return clock;
    }

    @Nullable Fence before() {
        return before;
    }

    /// What it releases.
    ///
    /// @param thread whose it is
    Message released(int cta, int thread) {
        if (released == null) {
            VectorClock all = known.of(thread % 32).with(thread / 32, 1 << thread % 32, clock);
            released = Message.of(cta, scope, all);
        }
        return released;
    }
}
