package dev.heddle.vm.shadow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// What stores of several workers hold that are under way: a store has its stamps a moment before
/// memory has its bytes. So another one that is not in order with it, and compares what the two
/// store, may have to wait for that.
public final class StoresUnderWay {
    /// A worker may have to wait for a processor for so long, in nanoseconds.
    private static final long LONGEST = 200_000_000;

    private static final long PAUSE = 10_000;

    private final Map<Place, Byte> announced = new ConcurrentHashMap<>();
    private volatile boolean isVain;

    private record Place(long cta, long at) {}

    /// Whether nobody waits any more, since somebody has waited for a store that holds something
    /// else: there are races then.
    public boolean isVain() {
        return isVain;
    }

    /// A CTA is about to store a byte, and waits for another one's before that.
    public void announce(long cta, long at, byte value) {
        announced.put(new Place(cta, at), value);
    }

    /// It stores it now.
    public void withdraw(long cta, long at) {
        announced.remove(new Place(cta, at));
    }

    /// Whether what a CTA stores is a byte, as soon as that can be seen.
    public boolean holds(long cta, long at, byte value, MemorySegment memory) {
        Place place = new Place(cta, at);
        long start = System.nanoTime();
        while (memory.get(ValueLayout.JAVA_BYTE, at) != value) {
            Byte theirs = announced.get(place);
            if (theirs != null || isVain || System.nanoTime() - start > LONGEST) {
                boolean holds = theirs != null && theirs == value;
                isVain |= !holds;
                return holds;
            }
            LockSupport.parkNanos(PAUSE);
        }
        return true;
    }
}
