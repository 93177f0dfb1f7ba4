package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.shadow.AsyncClocks;
import dev.heddle.vm.shadow.CopiedSources;
import dev.heddle.vm.shadow.CopiesUnderWay;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.WarpCopies;
import dev.heddle.vm.state.AsyncGroups;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/// Copies of `cp.async` into shared memory, which are over once the thread that began one has
/// waited for it. Where it hands them to an mbarrier, they count as writes of a thread that stands
/// for its copies, which are over for whoever waits for the phase.
public final class AwaitedCopies {
    private final Warp warp;
    private final Deque<WarpCopies> issued = new ArrayDeque<>();

    // What serves again.
    private final Deque<WarpCopies> spare = new ArrayDeque<>();
    private final CopiedSources.Parts parts = new Parts();

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
            int part = warp.groups().current(lane);
            shadow.copy((int) offsets[lane], bytes, warp.thread(lane), part, site.number());
        }
        shadow.order().async().sources().began(warp.index(), lanes, parts);
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
            shadow.order().async().sources().began(warp.index(), -1, parts);
        }
    }

    private WarpCopies issue(Site site, int bytes, int lanes) {
        WarpCopies copies = spare.isEmpty() ? new WarpCopies() : spare.removeLast();
        copies.begin(site.number(), warp.thread(0), warp.groups().current(0), bytes, lanes);
        issued.addLast(copies);
        return copies;
    }

    /// Lanes commit copies, or wait for some.
    public void apply(Step.AsyncGroup step, int lanes) {
        AsyncGroups groups = warp.groups();
        groups.apply(step, lanes, this::clock);
        if (step.kind() == Step.AsyncGroup.Kind.COMMIT) {
            changed();
            return;
        }
        AsyncClocks clocks = clocks();
        if (clocks != null) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                clocks.learn(warp.thread(lane), groups.lastWait(lane));
            }
        }
        finish();
    }

    /// All lanes have committed copies, by machine code.
    public void committed() {
        warp.groups().commit();
        changed();
    }

    private void changed() {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow != null) {
            shadow.order().async().sources().changed(warp.index(), parts);
        }
    }

    /// Lanes hand all their copies so far to an mbarrier.
    public void hand(int lanes, long object) {
        AsyncClocks clocks = clocks();
        if (clocks == null) {
            return;
        }
        AsyncGroups groups = warp.groups();
        groups.hand(lanes, this::clock);
        if (groups.areEven()) {
            clocks.arrive(object, warp.index(), lanes, groups.last(0));
        } else {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                clocks.arrive(object, warp.index(), 1 << lane, groups.last(lane));
            }
        }
        finish();
    }

    /// What stands for copies, where threads hand some to mbarriers; null elsewhere.
    private @Nullable AsyncClocks clocks() {
        SharedShadow shadow = warp.cta().shadow();
        AsyncClocks clocks = shadow == null ? null : shadow.order().async();
        return clocks != null && clocks.standForCopies() ? clocks : null;
    }

    /// The clock of copies of some lanes that are over from now on.
    private int clock(int lanes) {
        AsyncClocks clocks = clocks();
        return clocks == null ? warp.clock() : clocks.complete(warp.index(), lanes);
    }

    /// Where all lanes have waited together, or handed over, their copies are over at once. Of
    /// others that is found out by who touches the words.
    private void finish() {
        SharedShadow shadow = warp.cta().shadow();
        AsyncGroups groups = warp.groups();
        changed();
        while (!issued.isEmpty() && groups.areEven()) {
            WarpCopies copies = issued.getFirst();
            if (shadow == null || !groups.isOver(0, copies.part())) {
                return;
            }
            shadow.copies().end(copies, groups.overAt(0, copies.part()));
            spare.addLast(issued.removeFirst());
        }
    }

    private final class Parts implements CopiedSources.Parts {
        @Override
        public boolean areEven() {
            return warp.groups().areEven();
        }

        @Override
        public int current(int lane) {
            return warp.groups().current(lane);
        }

        @Override
        public int overAt(int lane, int part) {
            AsyncGroups groups = warp.groups();
            return groups.isOver(lane, part) ? groups.overAt(lane, part) : -1;
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
        int part = copies.part(at);
        int clock = clockWhenOver(copier, part);
        return clock < 0 ? copies.endOfCopy(at, end) : copies.end(at, end, clock);
    }

    /// Whether no copy into a byte is under way any more.
    boolean isComplete(SharedShadow shadow, int i) {
        int copier = shadow.copies().copier(i);
        int clock = copier < 0 ? 0 : clockWhenOver(copier, shadow.copies().part(i));
        if (clock >= 0) {
            shadow.copies().end(i, clock);
        }
        return clock >= 0;
    }

    /// The clock at which a thread had waited for a copy, or handed it over; 0 where nobody asks
    /// for it, or -1 as long as it has not.
    private int clockWhenOver(int copier, int part) {
        Cta cta = warp.cta();
        AsyncGroups groups = cta.groups(copier);
        if (groups.isOver(copier % 32, part)) {
            return groups.overAt(copier % 32, part);
        }
        return cta.grid().checks(RuleGroup.ASYNC) ? -1 : 0;
    }
}
