package dev.heddle.vm.shadow;

/// What lanes of a warp knew that began an operation together, and what they did before it.
///
/// @param known by any of them
/// @param clock of their warp
record LanesPast(VectorClock known, int warp, int lanes, int clock) implements Past {
    @Override
    public int of(int home, int cta, int thread) {
        boolean isOne = cta == home && thread / 32 == warp && (lanes >>> thread & 1) != 0;
        return isOne ? clock : known.of(home, cta, thread);
    }
}
