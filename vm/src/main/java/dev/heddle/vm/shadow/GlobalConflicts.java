package dev.heddle.vm.shadow;

import static dev.heddle.vm.shadow.GlobalStamp.SEVERAL;
import static dev.heddle.vm.shadow.GlobalStamp.WEAK;
import static dev.heddle.vm.shadow.GlobalStamp.WRITES;

import org.jspecify.annotations.Nullable;

/// How an access of lanes of a warp to global memory stands to those before it: which come before
/// it, which are morally strong with it, and which it races with (PTX ISA 8.7.1).
public final class GlobalConflicts {
    /// Judges what is not in order.
    public interface Judge {
        /// An access races with one before; throws where that is to be reported.
        ///
        /// @param other the stamp of the other thread's access
        /// @param wrote whether that is a write
        /// @param at the first byte of this access that both touch, or one before
        /// @param bytes how many of this access's
        /// @param lane of this access
        void judge(long other, boolean wrote, long at, int bytes, int lane);
    }

    private final GlobalStamp stamps;
    private final HappensBefore order;
    private final Locations locations;
    private final boolean followed;
    private final boolean reducing;

    // The bits of a stamp with its CTA, its warp and its clock.
    private final long momentMask;

    // The access, and the latest clock that is over for all its lanes, whoever's it is.
    private boolean write;
    private long now;
    private int kind;
    private int unit;
    private int limit;

    // The thread of lane 0; that of all lanes where an asynchronous operation has one lane.
    private int thread;
    private boolean isAside;
    private int firstOfGroup;
    private Judge judge = (other, wrote, at, bytes, lane) -> {};

    // The lanes that access the same, or none.
    private int sharers;

    // The last stamp of a warp of another CTA that was found to be over for all lanes. The next
    // words mostly have the same warp and clock.
    private long over;

    GlobalConflicts(GlobalShadow shadow, HappensBefore order, Locations locations) {
        this.order = order;
        this.locations = locations;
        stamps = shadow.stamps();
        followed = shadow.order().isFollowed();
        reducing = shadow.order().isReducing();
        momentMask = stamps.ctaMask() | GlobalStamp.WARPS | stamps.clockMask();
    }

    /// @param by the thread that it comes behind all accesses of, or -1: each lane's own
    /// @param group the first clock of the group that an asynchronous operation is of
    void begin(boolean writes, long stamp, int by, int group, Judge how) {
        write = writes;
        now = stamp;
        kind = GlobalStamp.kind(stamp);
        unit = GlobalStamp.unit(stamp);
        isAside = by >= 0;
        firstOfGroup = group;
        thread = isAside ? by : GlobalStamp.thread(stamp);
        limit = order.limit(thread / 32);
        over = GlobalStamp.NOBODY;
        judge = how;
    }

    /// From here on, these lanes access the same bytes; each its own, where there are none.
    void share(int lanes) {
        sharers = lanes;
    }

    boolean isFollowed() {
        return followed;
    }

    /// Whether it is of an asynchronous operation.
    boolean isAside(long old) {
        return GlobalStamp.thread(old) / 32 >= order.warps;
    }

    /// Whether a place has reads alone: that of an asynchronous operation, or several.
    boolean areReadsBeside(long old) {
        int state = GlobalStamp.state(old);
        return state == GlobalStamp.READ && isAside(old) && GlobalStamp.unit(old) == unit
                || state == GlobalStamp.MANY && (GlobalStamp.classes(old) & WRITES) == 0;
    }

    /// Whether it is of another CTA.
    boolean isElsewhere(long old) {
        return stamps.cta(old) != order.cta();
    }

    /// Whether what threads of the CTA did up to that is over for all lanes.
    boolean isLate(long old) {
        return stamps.clock(old) <= limit && stamps.cta(old) == order.cta() && !mayGoOn(old);
    }

    /// Whether it writes what a copy reads, which may be under way.
    private boolean mayGoOn(long old) {
        return write && GlobalStamp.isCopied(old);
    }

    /// Whether what races with an access because of its kind races with this one as well. With a
    /// bulk reduction a strong one does not, but one before it may, for want of a proxy fence.
    boolean isAsLax(long old) {
        return GlobalStamp.isCopied(old)
                || !GlobalStamp.isStrong(kind)
                || !reducing
                        && GlobalStamp.kind(old) == kind
                        && GlobalStamp.unit(old) == unit
                        && !(order.grid().isNarrow() && isElsewhere(old));
    }

    /// Whether an access may take the place of one that it comes after. Who has waited for a copy
    /// knows nothing of what came before it (PTX ISA 8.9.1.1): what a copy reads takes the place of
    /// its own thread's reads alone. And what a copy of `cp.async` reads goes on: nothing but a
    /// later copy of its thread, which is over no earlier, takes its place.
    boolean handsOn(long old, long mine) {
        return write || !isAside && !GlobalStamp.isCopied(old) || stamps.isOfSameThreads(old, mine);
    }

    /// The thread in whose place a lane's access is made.
    private int threadOf(int lane) {
        return isAside ? thread : thread + lane;
    }

    /// Whether a lane did the same at the same clock.
    ///
    /// What is strong may be observed where what comes before it is not.
    boolean isAgain(long old, int lane) {
        return !GlobalStamp.isStrong(kind)
                && sharers == 0
                && stamps.clock(old) == stamps.clock(now)
                && isOfSameThreads(old, lane);
    }

    boolean isOfSameThreads(long old, int lane) {
        return comesBehind(old, now + lane * GlobalStamp.ONE_LANE);
    }

    /// Whether an access comes behind one of the same threads. What an asynchronous operation
    /// writes does not, if both are of one group (PTX ISA 9.7.9.25.1.1): groups complete in their
    /// order.
    ///
    /// @param mine the stamp that the access leaves
    boolean comesBehind(long old, long mine) {
        return stamps.isOfSameThreads(old, mine) && !(isAside && write && isOfSameGroup(old, mine));
    }

    private boolean isOfSameGroup(long old, long mine) {
        int clock = stamps.clock(old);
        return clock >= firstOfGroup && clock != stamps.clock(mine);
    }

    /// How an access to a place stands to the one that the place keeps.
    Relation relation(long old, int size, int lane) {
        if (isLate(old) || sharers == 0 && isOfSameThreads(old, lane)) {
            return Relation.OVER;
        }
        if (!followed && isElsewhere(old)) {
            return areStores(old) && 1 << unit < size ? Relation.MIXED : Relation.UNORDERED;
        }
        if (1 << GlobalStamp.unit(old) < size || 1 << unit < size) {
            return Relation.MIXED;
        }
        boolean isOver =
                !mayGoOn(old) && isOverForWarp(old)
                        || unorderedLane(old, 1 << (GlobalStamp.thread(old) & 31), lane) < 0;
        return isOver ? Relation.OVER : Relation.UNORDERED;
    }

    /// Whether all that a warp of another CTA did by then is over for all lanes.
    private boolean isOverForWarp(long old) {
        if (((old ^ over) & momentMask) == 0) {
            return true;
        }
        int doer = GlobalStamp.thread(old) / 32;
        boolean isOver =
                isElsewhere(old)
                        && order.knowSame(thread / 32)
                        && order.areOver(stamps.cta(old), doer, -1, stamps.clock(old), thread);
        over = isOver ? old : over;
        return isOver;
    }

    /// Whether both are weak writes: where they hold the same they are no error, which is looked at
    /// lane by lane.
    private boolean areStores(long old) {
        return write
                && kind == WEAK
                && GlobalStamp.state(old) != GlobalStamp.READ
                && GlobalStamp.kind(old) == WEAK;
    }

    /// A lane of this access for which something of others is not over, or -1.
    ///
    /// @param mask lanes of the warp of the others
    /// @param lane of this access, unless it is shared
    private int unorderedLane(long old, int mask, int lane) {
        int lanes = sharers == 0 ? 1 << lane : sharers;
        int otherWarp = GlobalStamp.thread(old) / 32;
        if (isAside
                && mask == 1 << lane
                && otherWarp == GlobalStamp.thread(now) / 32
                && stamps.cta(old) == stamps.cta(now)
                && !isOfSameGroup(old, now)) {
            return -1;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int each = Integer.numberOfTrailingZeros(rest);
            if (!areOver(old, mask, threadOf(each))) {
                return each;
            }
        }
        return -1;
    }

    /// Whether an access, as some lanes of its warp made it, is over for a thread.
    private boolean areOver(long old, int mask, int by) {
        CopiedSources copied = mayGoOn(old) ? order.async().sources(stamps.cta(old)) : null;
        int warp = GlobalStamp.thread(old) / 32;
        int clock = stamps.clock(old);
        return copied == null
                ? order.areOver(stamps.cta(old), warp, mask, clock, by)
                : copied.areOver(warp, mask, clock, order, by);
    }

    /// An access that is not in order with the one that a place keeps.
    void conflict(long old, boolean wrote, long at, int size, int lane) {
        // Where both are of several lanes, the first stand for all.
        int mine = Math.max(lane, 0);
        if (sharers != 0) {
            int found = unorderedLane(old, 1 << (GlobalStamp.thread(old) & 31), lane);
            mine = found < 0 ? Integer.numberOfTrailingZeros(sharers) : found;
        }
        long own = at & -(1L << GlobalStamp.unit(old));
        if (!isExcused(old, wrote, own, mine)) {
            judge.judge(old, wrote, at, Math.min(size, 1 << unit), mine);
        }
    }

    private boolean isExcused(long old, boolean wrote, long at, int lane) {
        int other = GlobalStamp.kind(old);
        if (!GlobalStamp.isStrong(other)) {
            return false;
        }
        int cta = stamps.cta(old);
        int bytes = GlobalStamp.unit(old);
        return isStrongWith(old)
                || order.strong()
                        .isObserved(
                                locations,
                                at,
                                1 << bytes,
                                new Location.Strong(
                                        !wrote,
                                        Location.actor(cta, GlobalStamp.thread(old)),
                                        stamps.clock(old),
                                        GlobalStamp.scope(other)),
                                (actor, when) -> isOver(actor, when, lane));
    }

    /// Whether both accesses are morally strong, if they are of the same bytes at all.
    private boolean isStrongWith(long old) {
        int other = GlobalStamp.kind(old);
        int cta = stamps.cta(old);
        return GlobalStamp.isStrong(other)
                && GlobalStamp.isStrong(kind)
                && GlobalStamp.unit(old) == unit
                && isWithin(cta, other)
                && isWithin(cta, kind);
    }

    /// Whether what an actor did is over for a lane; what an asynchronous operation itself reads
    /// is.
    private boolean isOver(int actor, int clock, int lane) {
        int by = Location.cta(actor);
        int doer = Location.thread(actor);
        return order.isOver(by, doer, clock, threadOf(lane))
                || isAside
                        && by == stamps.cta(now)
                        && doer == GlobalStamp.thread(now) + lane
                        && clock == stamps.clock(now);
    }

    private boolean isWithin(int cta, int strength) {
        return order.reach().isWithin(cta, order.cta(), GlobalStamp.scope(strength));
    }

    /// Looks at the rows that touch a place, for one that this access races with. Returns whether
    /// all are over, and nothing races with them that does not race with this access.
    boolean areOver(@Nullable AccessRows rows, boolean wrote, long at, int size, int lane) {
        if (rows == null) {
            return true;
        }
        boolean areOver = true;
        int piece = Math.min(size, 1 << unit);
        for (long rest = rows.near(at); rest != 0; rest &= rest - 1) {
            int row = Long.numberOfTrailingZeros(rest);
            if (rows.lanes(row, at, at + size) == 0) {
                continue;
            }
            if (isLate(rows.stamp(row))) {
                areOver &= isAsLax(rows.stamp(row));
                continue;
            }
            if (isStrongWith(rows.stamp(row))) {
                areOver = false;
                continue;
            }
            for (int i = 0; i < size; i += piece) {
                areOver &= isOver(rows, row, wrote, at + i, piece, lane + (i >> unit));
            }
        }
        return areOver;
    }

    private boolean isOver(AccessRows rows, int row, boolean wrote, long at, int bytes, int lane) {
        long old = rows.stamp(row);
        int mask = rows.lanes(row, at, at + bytes);
        int mine = unorderedLane(old, mask, lane);
        if (mine < 0) {
            return isAsLax(old);
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int other = Integer.numberOfTrailingZeros(rest);
            int unordered = unorderedLane(old, 1 << other, lane);
            long one = old + other * GlobalStamp.ONE_LANE;
            if (unordered >= 0 && !isExcused(one, wrote, rows.at(row, other), unordered)) {
                judge.judge(one, wrote, at, bytes, unordered);
            }
        }
        return false;
    }

    /// Whether reads of the CTA that are not told apart, of which some are copies, are over for a
    /// write, whoever copied.
    boolean areCopiesOver(long old) {
        int clock = stamps.clock(old);
        return write
                && !isElsewhere(old)
                && clock <= limit
                && order.async().sources().areOverForWarp(clock, thread / 32);
    }

    /// A place with accesses of other CTAs that nothing orders: rows of them may have been
    /// forgotten. Returns whether there is none.
    ///
    /// @param areRowsOver whether nothing was found in those that are left
    boolean isOfOneCta(long old, long at, int size, int lane, boolean areRowsOver) {
        int classes = GlobalStamp.classes(old);
        boolean isOfSeveral = (classes & SEVERAL) != 0;
        if (followed || !isOfSeveral && !isElsewhere(old)) {
            return true;
        }
        int kinds = classes & ~SEVERAL;
        int racing = write ? kinds : kinds & WRITES;
        if (GlobalStamp.isStrong(kind)) {
            racing &= GlobalStamp.WEAK_CLASSES;
        }
        // Of several CTAs' accesses of several kinds nobody knows whose are which.
        boolean isSure = !isOfSeveral || (kinds & kinds - 1) == 0;
        // Where the last is of this CTA, some other is of another, and may have been told.
        boolean isUntold = areRowsOver || isOfSeveral && isElsewhere(old);
        if (isSure && racing != 0 && isUntold) {
            long other = isElsewhere(old) ? GlobalStamp.plain(old) : stamps.ofAnother(old);
            int piece = Math.min(size, 1 << unit);
            int first = sharers == 0 ? lane : Integer.numberOfTrailingZeros(sharers);
            boolean wrote = (racing & WRITES) != 0;
            for (int i = 0; i < size; i += piece) {
                judge.judge(other, wrote, at + i, piece, first + (i >> unit));
            }
        }
        return false;
    }
}
