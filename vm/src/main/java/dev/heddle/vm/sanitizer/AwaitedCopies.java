package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.CopiesUnderWay;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

/// Copies of `cp.async` into shared memory, which are over once the thread that began one has
/// waited for it.
public final class AwaitedCopies {
    /// Of one copy.
    private static final int MOST_BYTES = 16;

    private final Warp warp;

    AwaitedCopies(Warp warp) {
        this.warp = warp;
    }

    /// Copies of lanes write their bytes until each lane waits for its own.
    ///
    /// @param bytes of a lane
    public void begin(Site site, long[] offsets, int bytes, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        for (int rest = lanes; shadow != null && rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int group = warp.groups().current(lane);
            shadow.copy((int) offsets[lane], bytes, warp.thread(lane), group, site.number());
        }
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

    /// Whether a copy into a word was under way and is no more, together with others of it.
    boolean isOver(SharedShadow shadow, int word) {
        int at = word * Integer.BYTES;
        if (shadow.copies().copier(at) < 0) {
            return false;
        }
        finish(shadow, at, at + MOST_BYTES);
        return shadow.copies().copier(at) < 0;
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
