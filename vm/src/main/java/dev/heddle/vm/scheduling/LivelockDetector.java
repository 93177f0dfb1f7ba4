package dev.heddle.vm.scheduling;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/// Notices that no worker of a launch gets anywhere.
///
/// Whenever a CTA gets on, the launch's progress grows. A worker that has looked at all its CTAs,
/// has found each of them running in a circle, and has seen no progress since it began to look,
/// says so. Once all have said so of the same progress, nothing will ever change.
final class LivelockDetector {
    private static final long NEVER = -1;
    private static final long GONE = Long.MAX_VALUE;

    private final AtomicLong progress = new AtomicLong();
    private final long[] seen;

    public LivelockDetector(int workers) {
        seen = new long[workers];
        Arrays.fill(seen, NEVER);
    }

    /// How often a CTA got on.
    public long progress() {
        return progress.get();
    }

    /// A CTA got on.
    public long advance() {
        return progress.incrementAndGet();
    }

    /// A worker saw nothing but circles since the launch's progress was this. Returns whether that
    /// holds for all workers.
    public synchronized boolean isOver(int worker, long since) {
        seen[worker] = since;
        for (long each : seen) {
            if (each != GONE && each != progress.get()) {
                return false;
            }
        }
        return true;
    }

    /// A worker has no CTAs left.
    public synchronized void leave(int worker) {
        seen[worker] = GONE;
    }
}
