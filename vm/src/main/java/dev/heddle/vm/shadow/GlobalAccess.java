package dev.heddle.vm.shadow;

import static dev.heddle.vm.shadow.GlobalStamp.EMPTY;
import static dev.heddle.vm.shadow.GlobalStamp.MANY;
import static dev.heddle.vm.shadow.GlobalStamp.READ;
import static dev.heddle.vm.shadow.GlobalStamp.SPLIT;
import static dev.heddle.vm.shadow.GlobalStamp.UNKNOWN;
import static dev.heddle.vm.shadow.GlobalStamp.WRITTEN_AND_READ;

import dev.heddle.vm.shadow.GlobalConflicts.Judge;

/// An access of lanes of a warp to global memory, as it meets what was done there before. One
/// object for all of a warp, one after the other.
///
/// A place keeps its last write, or read, as long as all are in order (FastTrack's epoch); what it
/// has no room for stands in the rows of its page. Consecutive bytes of consecutive lanes are
/// looked at by sectors.
public final class GlobalAccess {
    private final GlobalShadow shadow;
    private final RecentPages pages;
    private final HappensBefore order;
    private final GlobalConflicts conflicts;
    private final FirstSight sight;
    private final ReducedSectors reduced;
    private final UnorderedPlaces unordered;
    private final ReadsTogether together;

    private boolean write;
    private long now;
    private int unit;
    private int sharers;
    private final NotedRow noted = new NotedRow();

    /// @param mergesReads whether a second run says whose reads were that something races with
    public GlobalAccess(GlobalShadow shadow, HappensBefore order, boolean mergesReads) {
        this.shadow = shadow;
        this.order = order;
        pages = new RecentPages(shadow);
        conflicts = new GlobalConflicts(shadow, order, order.strong().global());
        sight = new FirstSight(shadow.stamps(), conflicts, mergesReads);
        together = new ReadsTogether(shadow.stamps(), conflicts, order.warps);
        reduced = new ReducedSectors(shadow.stamps(), conflicts);
        unordered = new UnorderedPlaces(shadow.stamps(), conflicts, sight, noted);
    }

    /// Begins an access. Returns whether it can be followed.
    ///
    /// @param kind weak, or strong with a scope
    /// @param bytes of a lane, a power of two
    public boolean begin(boolean writes, int kind, int warp, int site, int bytes, Judge judge) {
        int clock = order.clock(warp);
        long stamp = shadow.stamps().of(order.cta(), warp, site, clock, kind);
        return begin(writes, stamp, clock, -1, clock, bytes, judge);
    }

    /// The same of an asynchronous operation, which has one lane: that of its own thread. It may
    /// begin once for each piece of what it accesses.
    ///
    /// @param by the thread that began it
    public boolean beginAside(
            boolean writes, int kind, Aside aside, int by, int site, int bytes, Judge judge) {
        int warp = aside.thread() / 32;
        long stamp = shadow.stamps().of(aside.cta(), warp, site, aside.clock(), kind);
        return write == writes && now == GlobalStamp.withUnit(stamp, bytes)
                || begin(writes, stamp, aside.clock(), by, aside.group(), bytes, judge);
    }

    private boolean begin(
            boolean writes, long stamp, int clock, int by, int group, int bytes, Judge judge) {
        if (!shadow.keepsClock(clock)) {
            shadow.lose();
            return false;
        }
        write = writes;
        unit = Integer.numberOfTrailingZeros(bytes);
        now = GlobalStamp.withUnit(stamp, bytes);
        conflicts.begin(writes, now, by, group, judge);
        sight.begin(writes, now);
        reduced.begin(writes, now);
        unordered.begin(writes, now);
        return true;
    }

    /// Consecutive lanes access consecutive bytes.
    ///
    /// @param lane the first
    public void row(long from, long to, int lane) {
        access(from, to, lane, false);
    }

    /// A lane accesses its bytes several times, one behind the other, each time by itself.
    ///
    /// @param from a multiple of the bytes of each time, as `to` is
    public void apart(long from, long to, int lane) {
        access(from, to, lane, true);
    }

    /// Lanes access elements that all before them have accessed alike, as atomic operations on
    /// one counter do. Returns those of some lanes for which that is all there is to it.
    ///
    /// @param at where the elements of each lane are, a multiple of the bytes of one
    /// @param size bytes of all elements of a lane
    public int alike(long[] at, int size, int lanes) {
        int first = Integer.numberOfTrailingZeros(lanes);
        int next = Integer.numberOfTrailingZeros(lanes & lanes - 1);
        if (next > 31 || at[first] != at[next] || !shadow.isAlone()) {
            return 0;
        }
        int same = LaneRows.same(at, lanes);
        for (long i = at[first]; i < at[first] + size; i += 1L << unit) {
            if (!unordered.joinsAlike(pages.page(i), i, same)) {
                return 0;
            }
        }
        return same;
    }

    private void access(long from, long to, int lane, boolean apart) {
        share(0);
        for (long at = from, end; at < to; at = end) {
            end = Math.min(to, (at | ShadowPage.BYTES - 1) + 1);
            lookAt(at, end, apart ? lane : lane + (int) (at - from >> unit), apart);
        }
    }

    private void apart(ShadowPage page, long from, long to, int lane) {
        for (long at = from, next; at < to; at = next) {
            next = sight.takeSectors(page, at, to, lane);
            if (next == at && reduced.take(page, at, to, sight.own(lane))) {
                next = at + ShadowPage.SECTOR;
            } else if (next == at && unordered.joinsAlike(page, at, 1 << lane)) {
                next = at + (1L << unit);
            } else if (next == at) {
                long joined = sight.endOfReads(page, at, to);
                next = Math.max(joined, at + (1L << unit));
                noted.beginApart(at, next, lane, unit);
                if (joined > at) {
                    long old = page.get(at, ShadowPage.SECTOR);
                    unordered.add(page, at, (int) (joined - at), lane, old);
                } else {
                    lookAt(page, at, next);
                }
            }
        }
    }

    private void share(int lanes) {
        sharers = lanes;
        conflicts.share(lanes);
        unordered.share(lanes);
    }

    /// Lanes read the same.
    public void together(long at, int lanes) {
        share(lanes);
        lookAt(at, at + (1L << unit), Integer.numberOfTrailingZeros(lanes), false);
    }

    /// Each of some lanes accesses as many bytes.
    ///
    /// @param at where those of each lane begin
    public void rows(long[] at, int bytes, int lanes) {
        boolean mayShare = !write && !LaneRows.areIncreasing(at, lanes);
        for (int rest = lanes; rest != 0; ) {
            int first = Integer.numberOfTrailingZeros(rest);
            int last = LaneRows.last(at, bytes, rest);
            int same = last == first && mayShare ? LaneRows.same(at, rest) : 1 << first;
            if (same != 1 << first) {
                together(at[first], same);
                rest &= ~same;
                continue;
            }
            boolean isAtSight =
                    last == first
                            && shadow.isAlone()
                            && sight.takesWord(pages.page(at[first]), at[first], first);
            if (!isAtSight) {
                row(at[first], at[last] + bytes, first);
            }
            rest &= last == 31 ? 0 : -1 << last + 1;
        }
    }

    private void lookAt(long from, long to, int lane, boolean apart) {
        ShadowPage page = pages.page(from);
        boolean isAlone = shadow.isAlone();
        if (!isAlone) {
            page.lock();
        }
        try {
            if (apart) {
                apart(page, from, to, lane);
            } else {
                noted.begin(from, to, lane, unit);
                lookAt(page, from, to);
            }
        } finally {
            if (!isAlone) {
                page.unlock();
            }
        }
    }

    private void lookAt(ShadowPage page, long from, long to) {
        for (long at = from, end; at < to; at = end) {
            end = Math.min(to, (at | ShadowPage.SECTOR - 1) + 1);
            if (end - at == ShadowPage.SECTOR) {
                piece(page, at, ShadowPage.SECTOR, noted.laneOf(at));
            } else if (!sight.isOneOfSeveral(page.get(at, ShadowPage.SECTOR))
                    && divide(page, at & -ShadowPage.SECTOR, ShadowPage.SECTOR)) {
                words(page, at, end);
            }
        }
    }

    private void words(ShadowPage page, long from, long to) {
        if (sharers == 0 && sight.isOfWords() && (from | to) % ShadowPage.WORD == 0) {
            wholeWords(page, from, to);
            return;
        }
        for (long at = from; at < to; ) {
            int size = ShadowPage.WORD;
            if (at % ShadowPage.WORD != 0 || at + ShadowPage.WORD > to) {
                size = divide(page, at & -ShadowPage.WORD, ShadowPage.WORD) ? 1 : 0;
            }
            if (size > 0) {
                piece(page, at, size, noted.laneOf(at));
            }
            at += Math.max(1, size);
        }
    }

    /// Words of lanes that access as much at least, mostly in order at first sight.
    private void wholeWords(ShadowPage page, long from, long to) {
        for (long at = from; at < to; at += ShadowPage.WORD) {
            long mine = sight.own(noted.laneOf(at));
            long old = page.get(at, ShadowPage.WORD);
            if (sight.replaces(old, mine)) {
                page.set(at, ShadowPage.WORD, mine);
            } else if (!sight.isOneOfSeveral(old)) {
                piece(page, at, ShadowPage.WORD, noted.laneOf(at));
            }
        }
        long last = page.get(to - ShadowPage.WORD, ShadowPage.WORD);
        sight.uniteReads(page, from & -ShadowPage.SECTOR, last);
    }

    /// Whether the parts of a place have places of their own, now at the latest.
    private static boolean divide(ShadowPage page, long at, int size) {
        int state = GlobalStamp.state(page.get(at, size));
        return state == SPLIT || state != UNKNOWN && page.split(at, size);
    }

    /// A place, mostly in order at first sight.
    private void piece(ShadowPage page, long at, int size, int lane) {
        long old = page.get(at, size);
        long mine = sight.own(lane);
        if (sharers == 0 && sight.replaces(old, mine)) {
            page.set(at, size, mine);
        } else if (!sight.isOneOfSeveral(old)
                && !sight.joinsReads(page, at, size, mine, sharers != 0)) {
            place(page, at, size, lane, together.tellApart(page, at, size, old));
        }
    }

    private void place(ShadowPage page, long at, int size, int lane, long old) {
        int state = GlobalStamp.state(old);
        if (state == UNKNOWN) {
            return;
        }
        boolean isDone =
                state != SPLIT
                        && (write
                                ? write(page, at, size, lane, old)
                                : read(page, at, size, lane, old));
        if (!isDone && (state == SPLIT || page.split(at, size))) {
            parts(page, at, size, lane);
        }
    }

    private void parts(ShadowPage page, long at, int size, int lane) {
        int part = size == ShadowPage.SECTOR ? ShadowPage.WORD : 1;
        boolean isWhole = sharers == 0;
        for (int i = 0; i < size; i += part) {
            int mine = lane + (i >> unit);
            piece(page, at + i, part, mine);
            isWhole &= page.get(at + i, part) == sight.own(mine);
        }
        if (isWhole) {
            page.unite(at, size, sight.own(lane));
        }
    }

    /// Reads a place. Returns whether it need not be split for that.
    private boolean read(ShadowPage page, long at, int size, int lane, long old) {
        int state = stateToRead(page, old, sight.own(lane));
        if (state == MANY) {
            boolean hasWrites = (GlobalStamp.classes(old) & GlobalStamp.WRITES) != 0;
            if (hasWrites && !unordered.isAlike(old)) {
                boolean areOver = conflicts.areOver(page.rows(true), true, at, size, lane);
                conflicts.isOfOneCta(old, at, size, lane, areOver);
            }
            unordered.add(page, at, size, lane, old);
            return true;
        }
        Relation relation = state == EMPTY ? Relation.OVER : conflicts.relation(old, size, lane);
        if (relation == Relation.MIXED) {
            return false;
        }
        boolean isOver = relation == Relation.OVER;
        if (state == EMPTY || state == READ) {
            boolean isReplaced =
                    state == EMPTY
                            || isOver
                                    && conflicts.isAsLax(old)
                                    && conflicts.handsOn(old, sight.own(lane));
            if (isReplaced && sharers == 0) {
                page.set(at, size, sight.own(lane));
            } else {
                unordered.add(page, at, size, lane, isReplaced ? GlobalStamp.NOBODY : old);
            }
            return true;
        }
        if (!isOver) {
            conflicts.conflict(old, true, at, size, lane);
        }
        if (!conflicts.isAgain(old, lane)) {
            noted.note(page, write, now, sharers);
            page.set(at, size, GlobalStamp.withState(old, WRITTEN_AND_READ));
        }
        return true;
    }

    /// Reads that are over for all lanes are as if there were none.
    private int stateToRead(ShadowPage page, long old, long mine) {
        int state = GlobalStamp.state(old);
        boolean isOver =
                state == MANY
                        && unordered.ownClass() == GlobalStamp.WEAK_READS
                        && (GlobalStamp.classes(old) & ~GlobalStamp.ANY_READS) == 0
                        && conflicts.handsOn(old, mine)
                        && conflicts.isLate(old)
                        && !hasCopies(page);
        return isOver ? EMPTY : state;
    }

    /// Whether some reads may go on as copies.
    private static boolean hasCopies(ShadowPage page) {
        AccessRows reads = page.rows(false);
        return reads != null && reads.hasCopies();
    }

    /// Writes a place. Returns whether it need not be split for that.
    private boolean write(ShadowPage page, long at, int size, int lane, long old) {
        int state = GlobalStamp.state(old);
        boolean isOver = true;
        if (state == MANY && unordered.isAlike(old)) {
            isOver = false;
        } else if (state == MANY) {
            isOver = conflicts.areOver(page.rows(false), false, at, size, lane);
            isOver &= conflicts.areOver(page.rows(true), true, at, size, lane);
            isOver &= conflicts.isOfOneCta(old, at, size, lane, isOver);
        } else if (state != EMPTY) {
            Relation relation = conflicts.relation(old, size, lane);
            if (relation == Relation.MIXED) {
                return false;
            }
            isOver = relation == Relation.OVER && conflicts.isAsLax(old);
            if (relation == Relation.UNORDERED) {
                conflicts.conflict(old, state != READ, at, size, lane);
            }
            if (state == WRITTEN_AND_READ) {
                isOver &= conflicts.areOver(page.rows(false), false, at, size, lane);
            }
        }
        if (isOver) {
            page.set(at, size, sight.own(lane));
        } else {
            unordered.add(page, at, size, lane, old);
        }
        return true;
    }
}
