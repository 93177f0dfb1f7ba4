package dev.heddle.vm.state;

import org.jspecify.annotations.Nullable;

/// Notices that a warp, left to itself, runs in a circle without end: registers and places as they
/// were, and nothing written in between.
///
/// A warp that goes on long enough without giving way is looked at block by block for a while; at
/// growing distances, and then longer, so that looking costs little and a circle of any length is
/// found.
final class EndlessLoopDetector {
    private static final long FIRST_DISTANCE = 1 << 17;
    private static final int FIRST_LOOK = 16;

    private @Nullable Warp warp;
    private long turn;
    private long changes;
    private long since;
    private long distance;
    private int look;
    private int left;
    private long kept;

    /// Whether a warp is where it was before, with nothing written since.
    ///
    /// @param clock steps of warps so far
    boolean repeats(Warp running, int block, int mask, long clock) {
        if (running != warp || running.turn() != turn || running.changes() != changes) {
            warp = running;
            turn = running.turn();
            changes = running.changes();
            since = clock;
            distance = FIRST_DISTANCE;
            look = FIRST_LOOK;
            left = 0;
            return false;
        }
        if (left > 0) {
            left--;
            return kept == state(running, block, mask);
        }
        if (clock - since >= distance) {
            kept = state(running, block, mask);
            since = clock;
            distance *= 2;
            left = look;
            look *= 2;
        }
        return false;
    }

    private static long state(Warp running, int block, int mask) {
        return Warp.mix(running.fingerprint(block), mask);
    }

    /// Whether it wants to be asked at every block.
    boolean isLooking() {
        return left > 0;
    }
}
