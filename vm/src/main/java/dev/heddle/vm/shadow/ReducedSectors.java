package dev.heddle.vm.shadow;

/// Sectors of global memory into which CTAs reduce words, one after the other: as tensor copies do
/// that add up what CTAs have computed. All these accesses are morally strong, and so in order.
///
/// Of places of several CTAs not even the rows of a page keep whose all accesses were, so that none
/// are noted here.
final class ReducedSectors {
    private static final int WORD_UNIT = 2;

    private final GlobalStamp stamps;
    private final GlobalConflicts conflicts;
    private boolean isReduction;

    ReducedSectors(GlobalStamp stamps, GlobalConflicts conflicts) {
        this.stamps = stamps;
        this.conflicts = conflicts;
    }

    /// @param stamp of lane 0, without the state of a place
    void begin(boolean writes, long stamp) {
        isReduction =
                writes && !conflicts.isFollowed() && GlobalStamp.alikeAlone(stamp) == WORD_UNIT;
    }

    /// A lane reduces into each word of a sector. Returns whether that is all there is to it;
    /// where not, nothing is stamped.
    ///
    /// @param at the first byte of the sector, if it begins there
    /// @param own the stamp that the lane leaves
    boolean take(ShadowPage page, long at, long end, long own) {
        if (!isReduction || at % ShadowPage.SECTOR != 0 || at + ShadowPage.SECTOR > end) {
            return false;
        }
        int state = GlobalStamp.state(page.get(at, ShadowPage.SECTOR));
        if (state == GlobalStamp.EMPTY) {
            page.split(at, ShadowPage.SECTOR);
        } else if (state != GlobalStamp.SPLIT) {
            return false;
        } else if (areOfSeveral(page, at)) {
            return true;
        } else if (!areOfOthers(page, at, own)) {
            return false;
        }
        for (long word = at; word < at + ShadowPage.SECTOR; word += ShadowPage.WORD) {
            long old = page.get(word, ShadowPage.WORD);
            if (old == GlobalStamp.NOBODY) {
                page.set(word, ShadowPage.WORD, own);
            } else if (!isOfSeveral(old)) {
                int classes = GlobalStamp.SEVERAL | GlobalStamp.STRONG_WRITES;
                page.set(word, ShadowPage.WORD, stamps.many(own, old, classes, WORD_UNIT));
            }
        }
        return true;
    }

    private static boolean isOfSeveral(long old) {
        return (old & GlobalStamp.CLASSES) == GlobalStamp.REDUCED_BY_SEVERAL;
    }

    private static boolean areOfSeveral(ShadowPage page, long at) {
        boolean all = true;
        for (long word = at; word < at + ShadowPage.SECTOR; word += ShadowPage.WORD) {
            all &= isOfSeveral(page.get(word, ShadowPage.WORD));
        }
        return all;
    }

    /// Whether nobody accessed a word of a sector, or other CTAs did the same to it.
    private boolean areOfOthers(ShadowPage page, long at, long own) {
        for (long word = at; word < at + ShadowPage.SECTOR; word += ShadowPage.WORD) {
            long old = page.get(word, ShadowPage.WORD);
            boolean isAlike = (old & GlobalStamp.CLASSES) == (own & GlobalStamp.CLASSES);
            if (old != GlobalStamp.NOBODY
                    && !isOfSeveral(old)
                    && !(isAlike && conflicts.isElsewhere(old))) {
                return false;
            }
        }
        return true;
    }
}
