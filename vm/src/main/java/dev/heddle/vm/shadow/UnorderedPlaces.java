package dev.heddle.vm.shadow;

import static dev.heddle.vm.shadow.GlobalStamp.SEVERAL;

/// Places of global memory with accesses that are not in order with each other: each stands in the
/// rows of its page, and the place knows of what classes they are.
///
/// Where they are alike, as atomic operations for the whole device mostly are, one more of these is
/// morally strong with all of them, and nothing is searched.
final class UnorderedPlaces {
    private final GlobalStamp stamps;
    private final GlobalConflicts conflicts;
    private final FirstSight sight;
    private final NotedRow noted;

    private boolean write;
    private long now;
    private int unit;
    private int ownClass;
    private int ownAlike;

    // The lanes that access the same, or none.
    private int sharers;

    /// @param noted the row of the access
    UnorderedPlaces(
            GlobalStamp stamps, GlobalConflicts conflicts, FirstSight sight, NotedRow noted) {
        this.stamps = stamps;
        this.conflicts = conflicts;
        this.sight = sight;
        this.noted = noted;
    }

    /// @param stamp of lane 0, without the state of a place
    void begin(boolean writes, long stamp) {
        write = writes;
        now = stamp;
        unit = GlobalStamp.unit(stamp);
        ownClass = GlobalStamp.classOf(writes, GlobalStamp.kind(stamp));
        ownAlike = GlobalStamp.alikeAlone(stamp);
    }

    /// From here on, these lanes access the same bytes; each its own, where there are none.
    void share(int lanes) {
        sharers = lanes;
    }

    /// The class of the access.
    int ownClass() {
        return ownClass;
    }

    /// Whether this access is morally strong with all that a place has.
    boolean isAlike(long old) {
        return ownAlike != GlobalStamp.NOT_ALIKE && GlobalStamp.alike(old) == ownAlike;
    }

    /// Lanes access the same bytes, all of whose places have accesses alike. Returns whether that
    /// is so; where not, nothing is kept.
    boolean joinsAlike(ShadowPage page, long at, int lanes) {
        if (ownAlike == GlobalStamp.NOT_ALIKE) {
            return false;
        }
        int size = page.sizeOfPlace(at);
        long end = at + (1L << unit);
        for (long place = at; place < end; place += size) {
            if (size > 1 << unit || !areAlike(page.get(place, size))) {
                return false;
            }
        }
        int lane = Integer.numberOfTrailingZeros(lanes);
        noted.beginApart(at, end, lane, unit);
        share((lanes & lanes - 1) == 0 ? 0 : lanes);
        for (long place = at; place < end; place += size) {
            addToMany(page, place, size, lane, page.get(place, size));
        }
        share(0);
        return true;
    }

    private boolean areAlike(long old) {
        return GlobalStamp.state(old) == GlobalStamp.MANY && isAlike(old);
    }

    /// A place, or sectors alike, have this access beside what they keep.
    void add(ShadowPage page, long at, int size, int lane, long old) {
        if (GlobalStamp.state(old) == GlobalStamp.MANY) {
            addToMany(page, at, size, lane, old);
        } else {
            begin(page, at, size, lane, old);
        }
    }

    private void addToMany(ShadowPage page, long at, int size, int lane, long old) {
        int classes = GlobalStamp.classes(old);
        boolean isToldApart = GlobalStamp.alike(old) == GlobalStamp.NOT_ALIKE || isAlike(old);
        if (!conflicts.isFollowed() && isToldApart && classes == (SEVERAL | ownClass)) {
            return;
        }
        noted.note(page, write, now, sharers);
        set(page, at, size, lane, old, classes);
    }

    /// A place has accesses that are not in order, from here on.
    ///
    /// @param old what it kept, or nobody's
    private void begin(ShadowPage page, long at, int size, int lane, long old) {
        noted.note(page, write, now, sharers);
        int classes = 0;
        if (old != GlobalStamp.NOBODY) {
            AccessRows rows =
                    GlobalStamp.state(old) == GlobalStamp.READ ? page.reads() : page.writes();
            rows.addPlace(old, at, size, conflicts.isAside(old));
            classes = GlobalStamp.classesOfOne(old);
        }
        set(page, at, size, lane, old, classes);
    }

    private void set(ShadowPage page, long at, int size, int lane, long old, int classes) {
        boolean isFirst = old == GlobalStamp.NOBODY;
        boolean isSeveral = !isFirst && conflicts.isElsewhere(old);
        int all = classes | ownClass | (isSeveral ? SEVERAL : 0);
        int alike = isFirst || isAlike(old) ? ownAlike : GlobalStamp.NOT_ALIKE;
        long stamp = stamps.many(sight.own(lane), old, all, alike);
        for (int i = 0; i < size; i += ShadowPage.SECTOR) {
            page.set(at + i, Math.min(size, ShadowPage.SECTOR), stamp);
        }
    }
}
