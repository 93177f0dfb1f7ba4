package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.SharedGap;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

/// Looks for accesses to shared memory that run over the end of a variable, into the gap behind it.
/// Words of gaps always ask for a closer look: so no access in order pays for this.
public record VariableBounds(Warp warp) {
    private static final Access BYTES = Access.weak(Space.SHARED, 1);

    /// The gap that some of these bytes are in, or null.
    @Nullable SharedGap gap(long at, long bytes) {
        return warp.cta().grid().kernel().gapAt(at, bytes);
    }

    /// The lanes of whose bytes some are in gaps.
    int inGaps(long[] offsets, int bytes, int lanes) {
        long from = Long.MAX_VALUE;
        long end = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            long at = offsets[Integer.numberOfTrailingZeros(rest)];
            from = Math.min(from, at);
            end = Math.max(end, at + bytes);
        }
        int inGaps = 0;
        for (int rest = gap(from, end - from) == null ? 0 : lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            inGaps |= gap(offsets[lane], bytes) == null ? 0 : 1 << lane;
        }
        return inGaps;
    }

    /// Bytes that a lane's bulk copy touches must be in variables.
    public void require(Site site, int lane, long at, long bytes, AccessKind kind) {
        isOutside(new SharedAccess(site, BYTES, kind, lane, (int) at, (int) bytes, 0), at, bytes);
    }

    /// Whether bytes of an access are in no variable, which is told.
    boolean isOutside(SharedAccess look, long at, long bytes) {
        SharedGap gap = gap(at, bytes);
        if (gap == null || !warp.cta().grid().checks(RuleGroup.MEMORY)) {
            return false;
        }
        warp.faults().tell(Rule.OUT_OF_BOUNDS, look.site(), null, () -> fault(look, gap));
        return true;
    }

    KernelFault fault(SharedAccess look, SharedGap gap) {
        return warp.faults()
                .undefined(
                        Rule.OUT_OF_BOUNDS,
                        look.site(),
                        1 << look.lane(),
                        "%s shared address 0x%x, %s"
                                .formatted(
                                        AccessFaults.words(look.site(), look.kind(), look.bytes()),
                                        look.at(),
                                        gap.place(look.at(), look.bytes())));
    }
}
