package dev.heddle.ptx;

import dev.heddle.formats.InputException;

import java.time.Duration;

/// What a module may take until it can be run or judged: to be parsed, checked and lowered.
///
/// The text may come from anywhere. Whoever goes over it calls [#check] at every statement or
/// block, and ends where the time is over; so does a full Java heap. Outside of [#within] there is
/// no limit.
public final class LoadLimit {
    private static final ScopedValue<LoadLimit> CURRENT = ScopedValue.newInstance();

    private final String module;
    private final Duration time;
    private final long begin = System.nanoTime();

    private LoadLimit(String module, Duration time) {
        this.module = module;
        this.time = time;
    }

    /// What cannot be loaded within the limits.
    public static final class Exceeded extends InputException {
        private static final long serialVersionUID = 1;

        private Exceeded(String message) {
            super(message);
        }
    }

    /// Does something with a module, within a time.
    ///
    /// @param module its name, for messages
    /// @throws Exceeded where the time or the Java heap does not suffice
    public static <T, X extends Exception> T within(
            String module, Duration time, ScopedValue.CallableOp<T, X> work) throws X {
        try {
            return ScopedValue.where(CURRENT, new LoadLimit(module, time)).call(work);
        } catch (OutOfMemoryError e) {
            throw new Exceeded(
                    "%s: the Java heap is full (%s), before the module could be run or judged: -Xmx gives the JVM more"
                            .formatted(module, e.getMessage()));
        }
    }

    /// Ends what goes on if its time is over.
    ///
    /// @throws Exceeded where it is
    public static void check() {
        if (CURRENT.isBound()) {
            CURRENT.get().require();
        }
    }

    private void require() {
        if (System.nanoTime() - begin > time.toNanos()) {
            throw new Exceeded(
                    "%s: parsing, checking and lowering it takes more than %.1f s: --timeout gives more"
                            .formatted(module, time.toNanos() / 1e9));
        }
    }
}
