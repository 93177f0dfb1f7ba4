package dev.heddle.vm.scheduling;

import java.util.function.LongSupplier;

/// Notices that a CTA runs in a circle: the same registers, at the same places, and nothing written
/// in between.
///
/// A state is kept and compared with those that follow; from time to time, at growing distances, it
/// is replaced, so that a circle of any length is found (Brent's algorithm).
final class SpinCycleDetector {
    private long kept;
    private long keptChanges = -1;
    private boolean isKept;
    private long circle;
    private long circleChanges;
    private int age;
    private int span = 1;

    public void clear() {
        keptChanges = -1;
        isKept = false;
        age = 0;
        span = 1;
    }

    /// Whether this state was there before and nothing was written since.
    ///
    /// @param registers a fingerprint of them, which takes long: it is asked for only where nothing
    ///     was written since the last time
    public boolean isCircle(LongSupplier registers, long changes) {
        if (keptChanges != changes) {
            keptChanges = changes;
            isKept = false;
            return false;
        }
        long fingerprint = registers.getAsLong();
        if (isKept && kept == fingerprint) {
            return true;
        }
        age++;
        if (!isKept || age >= span) {
            span = isKept ? 2 * span : 1;
            kept = fingerprint;
            isKept = true;
            age = 0;
        }
        return false;
    }

    /// Keeps the circle just found, to tell later whether it is still the same.
    public void remember() {
        circle = kept;
        circleChanges = keptChanges;
    }

    /// Whether the circle just found is the one remembered, with nothing written in between.
    public boolean isSameAsBefore() {
        return circle == kept && circleChanges == keptChanges;
    }
}
