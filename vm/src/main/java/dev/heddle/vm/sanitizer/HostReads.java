package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/// Looks at what functions of the machine read in memory, their arguments and what these lead to:
/// the host sees it, or goes by it, so that each byte must have been written.
public final class HostReads {
    private final Warp warp;
    private final UnwrittenReads unwritten;
    private final SharedFaults inShared;
    private final @Nullable Definedness definedness;
    private final boolean looks;

    HostReads(
            Warp warp,
            UnwrittenReads unwritten,
            SharedFaults inShared,
            @Nullable Definedness definedness) {
        this.warp = warp;
        this.unwritten = unwritten;
        this.inShared = inShared;
        this.definedness = definedness;
        looks = warp.cta().grid().checks(RuleGroup.DEFINEDNESS);
    }

    /// A lane's call reads bytes. The first that nobody wrote is told.
    ///
    /// @param at where they are in the segment of the space
    public void require(Site site, Space space, long at, int bytes, int lane) {
        if (looks) {
            switch (space) {
                case GLOBAL -> requireGlobal(site, at, bytes, lane);
                case SHARED -> requireShared(site, (int) at, bytes, lane);
                case LOCAL -> requireLocal(site, (int) at, bytes, lane);
                case CLUSTER, PARAM, CONST, GENERIC -> {}
            }
        }
    }

    private void requireGlobal(Site site, long at, int bytes, int lane) {
        GlobalMemory global = warp.cta().grid().global();
        MemorySegment written = global.written();
        for (int i = 0; i < bytes; i++) {
            if (written.get(ValueLayout.JAVA_BYTE, at + i) == 0) {
                int first = i;
                tell(
                        site,
                        () ->
                                unwritten.unwrittenGlobal(
                                        site, AccessKind.LOAD, lane, at, bytes, first));
                return;
            }
        }
    }

    private void requireLocal(Site site, int at, int bytes, int lane) {
        byte[] written = warp.local().written();
        for (int i = 0; i < bytes; i++) {
            if (written[at + i] == 0) {
                int first = i;
                tell(site, () -> unwritten.unwrittenLocal(site, lane, at, bytes, first));
                return;
            }
        }
    }

    private void requireShared(Site site, int at, int bytes, int lane) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        int first = shadow.firstUnwritten(at, at + bytes);
        if (first >= 0) {
            Access access = Access.weak(Space.SHARED, bytes);
            long now = shadow.stamp(warp.index(), site.number()) + lane;
            SharedAccess look =
                    new SharedAccess(site, access, AccessKind.LOAD, lane, at, bytes, now);
            tell(site, () -> inShared.unwritten(look, first));
        } else if (definedness != null) {
            definedness.memory().decide(shadow.undefined(), site, at, at + bytes);
        }
    }

    private void tell(Site site, Supplier<KernelFault> fault) {
        warp.faults().tell(Rule.UNINITIALIZED_READ, site, null, fault);
    }
}
