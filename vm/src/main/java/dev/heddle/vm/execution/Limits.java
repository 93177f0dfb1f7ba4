package dev.heddle.vm.execution;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicLong;

/// The limits that end a runaway launch, shared by all workers; each asks from time to time.
final class Limits {
    private final long steps;
    private final long deadline;
    private final long timeoutNanos;
    private final AtomicLong taken = new AtomicLong();
    private volatile boolean stopped;

    Limits(long steps, long timeoutNanos) {
        this.steps = steps;
        this.timeoutNanos = timeoutNanos;
        deadline = System.nanoTime() + timeoutNanos;
    }

    /// Why a worker must stop.
    record Refusal(String message) {}

    /// Counts thread-steps that a worker has taken since it last asked.
    @Nullable Refusal take(long portion) {
        if (stopped) {
            return new Refusal("the launch was stopped");
        }
        if (taken.addAndGet(portion) > steps) {
            return new Refusal("the launch ran for more than %d thread-steps".formatted(steps));
        }
        if (System.nanoTime() - deadline > 0) {
            return new Refusal("the launch ran for more than %.1f s".formatted(timeoutNanos / 1e9));
        }
        return null;
    }

    void stop() {
        stopped = true;
    }
}
