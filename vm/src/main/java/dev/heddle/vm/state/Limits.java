package dev.heddle.vm.state;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicLong;

/// The limits that end a runaway launch, shared by all workers; each asks from time to time.
public final class Limits {
    /// Characters that a launch may print.
    public static final long MOST_PRINTED = 16 << 20;

    /// Steps of their warps that all workers together may take unseen where steps are bounded.
    private static final long TOGETHER = 1024;

    private static final long LEAST = 16;
    private static final long UNBOUNDED = Long.MAX_VALUE / 4;

    private final long steps;
    private final TimeLimit time;
    private final long memoryBytes;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong resident = new AtomicLong();
    private final AtomicLong printed = new AtomicLong();
    private volatile boolean stopped;
    private volatile long portion = LEAST;

    public Limits(long steps, TimeLimit time, long memoryBytes) {
        this.memoryBytes = memoryBytes;
        this.steps = steps;
        this.time = time;
    }

    /// Why a worker must stop.
    public record Refusal(String message) {}

    /// Counts thread-steps that a worker has taken since it last asked.
    public @Nullable Refusal take(long portion) {
        if (stopped) {
            return new Refusal("the launch was stopped");
        }
        if (taken.addAndGet(portion) > steps) {
            return new Refusal("the launch ran for more than %d thread-steps".formatted(steps));
        }
        if (time.isOver()) {
            return new Refusal("the launch ran for more than %.1f s".formatted(time.seconds()));
        }
        return null;
    }

    /// So many workers share the limits.
    public void shareAmong(int workers) {
        portion = steps >= UNBOUNDED ? Long.MAX_VALUE : Math.max(LEAST, TOGETHER / workers);
    }

    /// Steps of a warp after which a worker asks again.
    public long portion() {
        return portion;
    }

    /// Takes memory for what runs: registers, local and shared memory. Returns whether there is
    /// enough.
    public boolean takeMemory(long bytes) {
        if (resident.addAndGet(bytes) <= memoryBytes) {
            return true;
        }
        resident.addAndGet(-bytes);
        return false;
    }

    public void giveMemory(long bytes) {
        resident.addAndGet(-bytes);
    }

    public long memoryBytes() {
        return memoryBytes;
    }

    /// Counts printed characters. Returns whether they are within what a launch may print.
    public boolean print(int characters) {
        return printed.addAndGet(characters) <= MOST_PRINTED;
    }

    public void stop() {
        stopped = true;
    }
}
