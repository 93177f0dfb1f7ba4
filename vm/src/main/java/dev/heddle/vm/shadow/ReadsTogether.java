package dev.heddle.vm.shadow;

/// Weak reads of a CTA by several lanes, of which a place does not keep whose they are
/// ([GlobalStamp#READS]).
///
/// @param warps of the CTA
record ReadsTogether(GlobalStamp stamps, GlobalConflicts conflicts, int warps) {
    /// Lists the reads of a place as rows, unless they are over: they may be of all lanes.
    /// Returns the stamp that the place has then.
    long tellApart(ShadowPage page, long at, int size, long old) {
        if (GlobalStamp.state(old) != GlobalStamp.READS) {
            return old;
        }
        if (GlobalStamp.isCopied(old) ? conflicts.areCopiesOver(old) : conflicts.isLate(old)) {
            return GlobalStamp.NOBODY;
        }
        boolean isOfWarps = (old & GlobalStamp.OF_WARPS) != 0;
        int warp = GlobalStamp.thread(old) / 32;
        int last = isOfWarps ? warps - 1 : warp;
        for (int each = isOfWarps ? 0 : warp; each <= last; each++) {
            page.reads().addTogether(stamps.read(old, each, size), at, -1);
        }
        long many = stamps.many(old, GlobalStamp.NOBODY, GlobalStamp.WEAK_READS);
        page.set(at, size, many);
        return many;
    }
}
