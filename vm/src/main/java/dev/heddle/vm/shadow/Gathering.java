package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

/// What the threads that have arrived at a barrier bring along.
///
/// Mostly they are whole warps that know the same, because they met before: then it is enough to
/// keep their clocks.
final class Gathering {
    private final int[] clocks;

    // What all knew, and the warps that have arrived since; or null.
    private @Nullable VectorClock base;
    private long arrived;

    // All that arrived before, in full.
    private @Nullable VectorClock whole;

    Gathering(int warps) {
        clocks = new int[warps];
    }

    void clear() {
        base = null;
        whole = null;
        arrived = 0;
    }

    /// A whole warp arrives, whose threads all know the same. Returns whether that could be kept.
    @SuppressWarnings("ReferenceEquality") // saves work only
    boolean add(int warp, VectorClock known, int clock) {
        if (whole != null || warp >= Long.SIZE || base != null && base != known) {
            return false;
        }
        base = known;
        arrived |= 1L << warp;
        clocks[warp] = clock;
        return true;
    }

    /// Threads arrive that bring this along.
    void add(VectorClock own) {
        VectorClock before = all();
        whole = before == null ? own : before.join(own);
        base = null;
        arrived = 0;
    }

    /// What all bring along, or null where nobody has arrived.
    @Nullable VectorClock all() {
        if (base != null) {
            whole = base.with(arrived, clocks);
            base = null;
            arrived = 0;
        }
        return whole;
    }
}
