package dev.heddle.vm.scheduling;

/// Notices that a CTA runs in a circle: the same registers, at the same places, and nothing written
/// in between.
///
/// A state is kept and compared with those that follow; from time to time, at growing distances, it
/// is replaced, so that a circle of any length is found (Brent's algorithm).
final class SpinCycleDetector {
    private long kept;
    private long keptChanges = -1;
    private long circle;
    private long circleChanges;
    private int age;
    private int span = 1;

    public void clear() {
        keptChanges = -1;
        age = 0;
        span = 1;
    }

    /// Whether this state was there before and nothing was written since.
    public boolean isCircle(long fingerprint, long changes) {
        if (keptChanges == changes && kept == fingerprint) {
            return true;
        }
        age++;
        if (keptChanges != changes || age >= span) {
            span = keptChanges == changes ? 2 * span : 1;
            kept = fingerprint;
            keptChanges = changes;
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
