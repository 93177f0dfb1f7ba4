package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

/// Finds what was right before Volta: lanes that ran together handed values over by volatile
/// accesses alone.
record VolatileHabits(Warp warp, SharedFaults faults) {
    /// A lane is about to load by a volatile access.
    ///
    /// @param lanes that load at once
    void look(SharedShadow shadow, SharedAccess look, int lanes) {
        for (int i = look.at(), extent; i < look.end(); i += extent) {
            extent = shadow.extent(i, look.end());
            long write = shadow.unorderedWrite(i, look.now(), other -> isTogether(other, lanes));
            if (write != Stamp.NOBODY) {
                Site other = faults.site(write);
                warp.faults()
                        .warn(
                                Rule.UNORDERED_VOLATILE,
                                look.site(),
                                other,
                                () -> faults.unordered(look, write));
                return;
            }
        }
    }

    /// Whether a lane of this warp stored something, by a volatile access, that loads now, too.
    private boolean isTogether(long write, int lanes) {
        int thread = Stamp.thread(write);
        Site site = faults.site(write);
        return thread / 32 == warp.index()
                && (lanes >>> thread % 32 & 1) != 0
                && site != null
                && site.is(Site.Mark.VOLATILE);
    }
}
