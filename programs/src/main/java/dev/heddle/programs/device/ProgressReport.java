package dev.heddle.programs.device;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Tells how far a long launch is: a line on standard error after ten seconds, and again each time
/// it has taken twice as long.
final class ProgressReport implements AutoCloseable {
    private static final Duration FIRST = Duration.ofSeconds(10);

    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private final String launch;
    private final Consumer<String> lines;
    private final long begin = System.nanoTime();
    private volatile long done;
    private volatile long total;
    private ScheduledFuture<?> next;
    private boolean ended;

    /// Starts to watch.
    ///
    /// @param launch in words
    /// @param first when to tell for the first time
    /// @param lines where to
    ProgressReport(String launch, Duration first, Consumer<String> lines) {
        this.launch = launch;
        this.lines = lines;
        synchronized (this) {
            next = CLOCK.schedule(this::tell, first.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /// Starts to watch, and tells on standard error.
    static ProgressReport of(String launch) {
        return new ProgressReport(launch, FIRST, System.err::println);
    }

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("heddle-progress").factory());
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }

    /// So many CTAs have ended, of so many.
    void ended(long ctas, long all) {
        done = ctas;
        total = all;
    }

    private synchronized void tell() {
        if (ended) {
            return;
        }
        long taken = System.nanoTime() - begin;
        lines.accept(
                "heddle: %s: %d of %d CTAs, %.0f s".formatted(launch, done, total, taken / 1e9));
        next = CLOCK.schedule(this::tell, taken, TimeUnit.NANOSECONDS);
    }

    @Override
    public synchronized void close() {
        ended = true;
        next.cancel(false);
    }
}
