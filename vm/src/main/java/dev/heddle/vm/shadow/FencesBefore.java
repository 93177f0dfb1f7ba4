package dev.heddle.vm.shadow;

/// The proxy fences that come before an operation.
public interface FencesBefore {
    /// Whether one stands behind what a thread of some CTA did at a clock.
    boolean areBehind(int cta, int thread, int clock);

    /// A clock such that one stands behind whatever threads of some CTA did up to it; 0 where none
    /// is known.
    default int limit(int cta) {
        return 0;
    }
}
