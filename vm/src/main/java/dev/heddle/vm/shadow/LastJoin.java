package dev.heddle.vm.shadow;

/// The last join of two clocks, kept: lanes of a warp mostly know the same and learn the same.
final class LastJoin {
    private VectorClock known;
    private VectorClock learnt;
    private VectorClock joined;

    /// @param nothing the clock of who knows nothing
    LastJoin(VectorClock nothing) {
        known = nothing;
        learnt = nothing;
        joined = nothing;
    }

    @SuppressWarnings("ReferenceEquality") // saves work only
    VectorClock of(VectorClock own, VectorClock more) {
        if (own != known || more != learnt) {
            known = own;
            learnt = more;
            joined = own.join(more);
        }
        return joined;
    }
}
