package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.CopiesUnderWay;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.WarpCopies;
import dev.heddle.vm.state.AsyncGroups;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/// Copies of `cp.async` into shared memory, which are over once the thread that began one has
/// waited for it.
public final class AwaitedCopies {
    private final Warp warp;
    private final Deque<WarpCopies> issued = new ArrayDeque<>();

    // What serves again.
    private final Deque<WarpCopies> spare = new ArrayDeque<>();

    AwaitedCopies(Warp warp) {
        this.warp = warp;
    }

    /// Copies of lanes write their bytes until each lane waits for its own.
    ///
    /// @param bytes of a lane
    public void begin(Site site, long[] offsets, int bytes, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int group = warp.groups().current(lane);
            shadow.copy((int) offsets[lane], bytes, warp.thread(lane), group, site.number());
        }
        if (warp.groups().areEven()) {
            Arrays.setAll(issue(site, bytes, lanes).offsets(), lane -> (int) offsets[lane]);
        }
    }

    /// Copies of all lanes have begun, of one group, as the shadow memory has them already.
    ///
    /// @param from where the offsets of the lanes stand, 32 ints
    /// @param place the first of them, in bytes
    /// @param bytes of a lane
    public void began(Site site, MemorySegment from, long place, int bytes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow != null) {
            WarpCopies copies = issue(site, bytes, -1);
            int[] at = copies.offsets();
            MemorySegment.copy(from, ValueLayout.JAVA_INT, place, at, 0, at.length);
            shadow.copies().began(copies, shadow.stamp(warp.index(), site.number()));
        }
    }

    private WarpCopies issue(Site site, int bytes, int lanes) {
        WarpCopies copies = spare.isEmpty() ? new WarpCopies() : spare.removeLast();
        copies.begin(site.number(), warp.thread(0), warp.groups().current(0), bytes, lanes);
        issued.addLast(copies);
        return copies;
    }

    /// Lanes have waited: where all have done so together, their copies are over at once. Of others
    /// that is found out by who touches the words.
    public void waited() {
        SharedShadow shadow = warp.cta().shadow();
        AsyncGroups groups = warp.groups();
        while (!issued.isEmpty() && groups.areEven()) {
            WarpCopies copies = issued.getFirst();
            if (shadow == null || !groups.isRetired(0, copies.group())) {
                return;
            }
            shadow.copies().end(copies, groups.retiredAt(0, copies.group()));
            spare.addLast(issued.removeFirst());
        }
    }

    /// The warp is at the start of a CTA.
    void clear() {
        spare.addAll(issued);
        issued.clear();
    }

    /// Copies into words of lanes that have been waited for are over: mostly all are, and words of
    /// a lane are of one copy.
    void finish(SharedShadow shadow, long[] offsets, int bytes, int lanes) {
        CopiesUnderWay copies = shadow.copies();
        for (int rest = copies.isEmpty() ? 0 : lanes; rest != 0; rest &= rest - 1) {
            int at = (int) offsets[Integer.numberOfTrailingZeros(rest)];
            int end = at + bytes;
            while (at < end) {
                at = copies.copier(at) < 0 ? at + Integer.BYTES : finish(shadow, at, end);
            }
        }
    }

    /// Returns the byte behind those of the copy into a word.
    private int finish(SharedShadow shadow, int at, int end) {
        CopiesUnderWay copies = shadow.copies();
        int copier = copies.copier(at);
        int group = copies.group(at);
        int clock = clockWhenOver(copier, group);
        return clock < 0 ? copies.endOfCopy(at, end) : copies.end(at, end, clock);
    }

    /// Whether no copy into a byte is under way any more.
    boolean isComplete(SharedShadow shadow, int i) {
        int copier = shadow.copies().copier(i);
        int clock = copier < 0 ? 0 : clockWhenOver(copier, shadow.copies().group(i));
        if (clock >= 0) {
            shadow.copies().end(i, clock);
        }
        return clock >= 0;
    }

    /// The clock at which a thread had waited for a copy; 0 where nobody asks, or -1 as long as it
    /// has not.
    private int clockWhenOver(int copier, int group) {
        Cta cta = warp.cta();
        if (cta.isRetired(copier, group)) {
            return cta.retiredAt(copier, group);
        }
        return cta.grid().checks(RuleGroup.ASYNC) ? -1 : 0;
    }
}
