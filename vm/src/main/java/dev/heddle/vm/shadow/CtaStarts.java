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

    /// Whether a thread can count on it that another CTA has started.
    ///
    /// @param by the order of the thread's CTA
    public static boolean knows(HappensBefore by, int thread, int cta) {
        GridOrder grid = by.grid();
        return by.known(thread).others().of(cta) != null
                || grid.starts().observers.get(by.cta())
                || grid.isTooLarge();
    }

    /// A thread of one CTA does something that an mbarrier of another counts: who waits for the
    /// phase can count on it that the first has started.
    ///
    /// @param by the order of the first
    /// @param there that of the other
    public static void tell(HappensBefore by, HappensBefore there, long object) {
        there.strong().shared().at(object, Long.BYTES).arrive(Message.started(by), false);
    }
}
