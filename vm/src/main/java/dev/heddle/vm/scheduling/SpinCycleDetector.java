package dev.heddle.vm.scheduling;

import java.util.function.LongSupplier;

/// Notices that a CTA runs in a circle: the same registers, at the same places, and nothing written
/// in between.
///
/// A state is kept and compared with those that follow; from time to time, at growing distances, it
/// is replaced, so that a circle of any length is found (Brent's algorithm).
final class SpinCycleDetector {
    private long keptPlace;
    private long kept;
    private long keptChanges = -1;
    private boolean isPlaceKept;
    private boolean isKept;
    private long circle;
    private long circleChanges;
    private int age;
    private int span = 1;

    public void clear() {
        keptChanges = -1;
        forget();
        age = 0;
        span = 1;
    }

    private void forget() {
        isPlaceKept = false;
        isKept = false;
    }

    /// Whether this state was there before and nothing was written since.
    ///
    /// @param place a fingerprint of where its lanes are
    /// @param registers one of all, which takes long: it is asked for only where nothing was
    ///     written since the last time, and lanes have stood there before
    public boolean isCircle(LongSupplier place, LongSupplier registers, long changes) {
        if (keptChanges != changes) {
            keptChanges = changes;
            forget();
            return false;
        }
        long here = place.getAsLong();
        boolean isThere = isPlaceKept && keptPlace == here;
        long fingerprint = isThere ? registers.getAsLong() : 0;
        if (isThere && isKept && kept == fingerprint) {
            return true;
        }
        age++;
        if (isThere && !isKept) {
            keep(fingerprint);
        } else if (!isPlaceKept || age >= span) {
            span = isPlaceKept ? 2 * span : 1;
            keptPlace = here;
            isPlaceKept = true;
            isKept = false;
            age = 0;
            if (isThere) {
                keep(fingerprint);
            }
        }
        return false;
    }

    private void keep(long fingerprint) {
        kept = fingerprint;
        isKept = true;
        age = 0;
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
