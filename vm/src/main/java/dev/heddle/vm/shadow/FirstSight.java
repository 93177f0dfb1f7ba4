package dev.heddle.vm.shadow;

/// Which places of global memory an access is in order with at first sight, as it is with nearly
/// all: by the stamp that a place keeps, and no more.
final class FirstSight {
    private static final int WORD_UNIT = 2;

    private final GlobalConflicts conflicts;
    private final GlobalStamp stamps;
    private final boolean mergesReads;

    private boolean write;
    private int unit;
    private boolean isWeak;

    // The stamp that lane 0 leaves.
    private long now;

    /// @param mergesReads whether a second run says whose reads were that something races with
    FirstSight(GlobalStamp stamps, GlobalConflicts conflicts, boolean mergesReads) {
        this.mergesReads = mergesReads;
        this.conflicts = conflicts;
        this.stamps = stamps;
    }

    /// @param stamp of lane 0, without the state of a place
    void begin(boolean writes, long stamp) {
        write = writes;
        unit = GlobalStamp.unit(stamp);
        isWeak = !GlobalStamp.isStrong(GlobalStamp.kind(stamp));
        now = GlobalStamp.withState(stamp, writes ? GlobalStamp.WRITTEN : GlobalStamp.READ);
    }

    /// Whether lanes access whole words, and weakly.
    boolean isOfWords() {
        return isWeak && unit >= WORD_UNIT;
    }

    /// The stamp that a lane leaves.
    long own(int lane) {
        return now + lane * GlobalStamp.ONE_LANE;
    }

    /// Whether the access may take the place of the one that a place keeps.
    ///
    /// @param mine the stamp that it leaves
    boolean replaces(long old, long mine) {
        int state = GlobalStamp.state(old);
        if (state == GlobalStamp.EMPTY) {
            return true;
        }
        return (state == GlobalStamp.READ || state == GlobalStamp.WRITTEN && write)
                && conflicts.isAsLax(old)
                && conflicts.handsOn(old, mine)
                && (conflicts.isLate(old) || conflicts.comesBehind(old, mine));
    }

    /// Whether others have read a place, and this access reads it, too: then whose reads these are
    /// is not kept.
    ///
    /// @param mine the stamp that the access would leave
    /// @param together whether several lanes read the place
    boolean joinsReads(ShadowPage page, long at, int size, long mine, boolean together) {
        if (!mergesReads || !isWeak || write) {
            return false;
        }
        long old = page.get(at, size);
        long joined =
                together && replaces(old, mine)
                        ? GlobalStamp.withState(mine, GlobalStamp.READS)
                        : joined(old, mine);
        if (joined != GlobalStamp.NOBODY) {
            page.set(at, size, joined);
        }
        return joined != GlobalStamp.NOBODY;
    }

    private long joined(long old, long mine) {
        boolean isOfWeakReads =
                GlobalStamp.state(old) == GlobalStamp.READS
                        || GlobalStamp.state(old) == GlobalStamp.READ
                                && !GlobalStamp.isStrong(GlobalStamp.kind(old));
        if (!isOfWeakReads) {
            return GlobalStamp.NOBODY;
        }
        if (conflicts.isElsewhere(old)) {
            int classes = GlobalStamp.SEVERAL | GlobalStamp.WEAK_READS;
            return conflicts.isFollowed() ? GlobalStamp.NOBODY : stamps.many(mine, old, classes);
        }
        boolean isByThreads = !conflicts.isAside(old) && !conflicts.isAside(mine);
        return isByThreads ? stamps.reads(mine, old) : GlobalStamp.NOBODY;
    }

    /// Whether nothing is to be kept of a read of a place, because several CTAs have read it.
    boolean isOneOfSeveral(long old) {
        return (old & GlobalStamp.CLASSES) == GlobalStamp.READ_BY_SEVERAL
                && isWeak
                && !write
                && !conflicts.isFollowed();
    }

    /// Looks at sectors that a lane accesses as a whole, one behind the other. Returns where those
    /// end that are in order.
    ///
    /// @param to where what the lane accesses ends
    long takeSectors(ShadowPage page, long from, long to, int lane) {
        if (1 << unit != ShadowPage.SECTOR) {
            return from;
        }
        long mine = own(lane);
        // Most have the stamp of the one before.
        long replaced = GlobalStamp.NOBODY;
        long at = from;
        for (; at + ShadowPage.SECTOR <= to; at += ShadowPage.SECTOR) {
            long old = page.get(at, ShadowPage.SECTOR);
            if (old == replaced || replaces(old, mine)) {
                replaced = old;
                page.set(at, ShadowPage.SECTOR, mine);
            } else if (!isOneOfSeveral(old)
                    && !joinsReads(page, at, ShadowPage.SECTOR, mine, false)) {
                return at;
            }
        }
        return at;
    }

    /// Where sectors end that have one stamp, of nothing but reads that this access is kept beside:
    /// a copy takes the place of its own thread's alone, which [#takeSectors] has passed.
    long endOfReads(ShadowPage page, long from, long to) {
        long old = page.get(from, ShadowPage.SECTOR);
        boolean isKept =
                !write
                        && isWeak
                        && 1 << unit == ShadowPage.SECTOR
                        && conflicts.isAside(now)
                        && conflicts.areReadsBeside(old);
        long at = from;
        while (isKept && at + ShadowPage.SECTOR <= to && page.get(at, ShadowPage.SECTOR) == old) {
            at += ShadowPage.SECTOR;
        }
        return at;
    }

    /// Looks at a word of a lane that has a place of its own. Returns whether it is in order.
    boolean takesWord(ShadowPage page, long at, int lane) {
        if (!isWeak || unit != WORD_UNIT || at % ShadowPage.WORD != 0) {
            return false;
        }
        long sector = page.get(at, ShadowPage.SECTOR);
        if (GlobalStamp.state(sector) != GlobalStamp.SPLIT) {
            return isOneOfSeveral(sector);
        }
        long old = page.get(at, ShadowPage.WORD);
        long mine = own(lane);
        if (replaces(old, mine)) {
            page.set(at, ShadowPage.WORD, mine);
            return true;
        }
        return isOneOfSeveral(old);
    }

    /// Where several CTAs have read all words of a sector, it is one place again.
    ///
    /// @param one the stamp of one of them
    void uniteReads(ShadowPage page, long sector, long one) {
        boolean areAll = isOneOfSeveral(one);
        for (int i = 0; areAll && i < ShadowPage.SECTOR; i += ShadowPage.WORD) {
            areAll = isOneOfSeveral(page.get(sector + i, ShadowPage.WORD));
        }
        if (areAll) {
            page.unite(sector, ShadowPage.SECTOR, page.get(sector, ShadowPage.WORD));
        }
    }
}
