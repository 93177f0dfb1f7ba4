package dev.heddle.vm.state;

import java.time.Duration;

/// How long a launch may take, from when its preparation began.
///
/// @param whole the time it has in all
/// @param begin `System.nanoTime()` when it began
public record TimeLimit(Duration whole, long begin) {

    /// So much time from now on.
    public static TimeLimit fromNow(Duration whole) {
        return new TimeLimit(whole, System.nanoTime());
    }

    /// Whether the time is over.
    public boolean isOver() {
        return System.nanoTime() - begin > whole.toNanos();
    }

    /// The time that is left; not positive where it is over.
    public Duration left() {
        return whole.minusNanos(System.nanoTime() - begin);
    }

    /// The time in all, in seconds.
    public double seconds() {
        return whole.toNanos() / 1e9;
    }
}
