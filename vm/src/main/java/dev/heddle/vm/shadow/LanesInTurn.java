package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

/// What lanes of a warp know that have learnt of each other in turn, each of those before it, and
/// knew the same before. Mostly they meet right behind, and nobody asks what one of them knew.
final class LanesInTurn {
    private final VectorClock before;
    private final int warp;
    private final int lanes;
    private final int clock;

    // By lane, what was asked for.
    private @Nullable VectorClock @Nullable [] known;

    /// @param before what all know
    /// @param lanes of the warp that others have learnt of
    /// @param clock up to which these are over
    LanesInTurn(VectorClock before, int warp, int lanes, int clock) {
        this.before = before;
        this.warp = warp;
        this.lanes = lanes;
        this.clock = clock;
    }

    /// What one thread knows.
    static LanesInTurn of(VectorClock known) {
        return new LanesInTurn(known, 0, 0, 0);
    }

    /// What the first lane knows, and so do all.
    VectorClock first() {
        return before;
    }

    /// What a lane knows, and so do those behind it.
    VectorClock of(int lane) {
        int others = lanes & (1 << lane) - 1;
        if (others == 0) {
            return before;
        }
        if (known == null) {
            known = new VectorClock[32];
        }
        VectorClock own = known[lane];
        if (own == null) {
            own = before.with(warp, others, clock);
            known[lane] = own;
        }
        return own;
    }

    /// What who comes behind all knows.
    VectorClock all() {
        return before.with(warp, lanes, clock);
    }
}
