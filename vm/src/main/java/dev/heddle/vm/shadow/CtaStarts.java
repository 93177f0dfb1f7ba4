package dev.heddle.vm.shadow;

import java.util.BitSet;

/// Which CTAs have started, as far as threads of others can count on it.
///
/// A thread can where anything that it knows came from a thread of that CTA, at whatever clock:
/// that goes from thread to thread as clocks do. What it observes in no order may tell it the same,
/// or that a third CTA was told so. Of a CTA that has observed something so, no more is asked.
public final class CtaStarts {
    private final boolean followed;

    // The CTAs with threads that have observed what others did, in no order.
    private final BitSet observers = new BitSet();

    /// @param followed whether CTAs reach each other's shared memory
    CtaStarts(boolean followed) {
        this.followed = followed;
    }

    /// A thread of a CTA has read a place by a strong operation.
    void observed(Location location, int cta) {
        if (followed && location.isOfOthers(cta)) {
            observers.set(cta);
        }
    }

    /// A thread of a CTA has observed the end of a phase, and acquires nothing.
    void observed(int cta) {
        if (followed) {
            observers.set(cta);
        }
    }

    /// Another CTA has arrived at an mbarrier of this one, or begun a copy that it may wait for,
    /// and releases nothing.
    public static void told(HappensBefore order) {
        order.grid().starts().observed(order.cta());
    }

    /// Whether threads of a CTA may know more of others than what is ordered.
    public static boolean isUnsure(HappensBefore order) {
        GridOrder grid = order.grid();
        return grid.starts().observers.get(order.cta()) || grid.isTooLarge();
    }

    /// Whether a thread can count on it that another CTA has started.
    ///
    /// @param by the order of the thread's CTA
    public static boolean knows(HappensBefore by, int thread, int cta) {
        return by.known(thread).others().of(cta) != null || isUnsure(by);
    }
}
