package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.GlobalAccess;
import dev.heddle.vm.shadow.GlobalConflicts;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.StrongAccesses;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Supplier;

/// Looks at a warp's accesses to global memory for races (PTX ISA 8.7.1), with threads of its own
/// CTA and of others.
public final class GlobalChecks {
    /// What a lane accesses is looked at by so many bytes.
    private static final int WIDE = 32;

    private final Warp warp;
    private final GlobalFaults faults;
    private final GlobalMoves moves;
    private final Sanitizer sanitizer;
    private final @Nullable Definedness definedness;
    private final WatchedGlobal watched;
    private final GlobalConflicts.Judge judge;
    private final UnsettledStores unsettled;

    // What is looked at.
    private @Nullable Site site;
    private Access access = Access.weak(Space.GLOBAL, 4);
    private AccessKind kind = AccessKind.LOAD;
    private int bytes;
    private long[] offsets = {};
    private @Nullable Stored stored;

    private GlobalChecks(
            Warp warp,
            SymbolNames names,
            Sanitizer sanitizer,
            @Nullable Definedness definedness,
            WatchedGlobal watched) {
        this.sanitizer = sanitizer;
        this.definedness = definedness;
        this.warp = warp;
        this.watched = watched;
        judge = watched.of(this::judge);
        faults = new GlobalFaults(warp, names, watched.stamps());
        moves = new GlobalMoves(warp, this, faults, watched);
        unsettled = new UnsettledStores(watched.shadow(), warp.cta());
    }

    /// Those of a warp, or null where the order of accesses is not looked at.
    ///
    /// @param definedness that follows the warp's values, or null
    static @Nullable GlobalChecks of(
            Warp warp, SymbolNames names, Sanitizer sanitizer, @Nullable Definedness definedness) {
        Grid grid = warp.cta().grid();
        GlobalShadow global = grid.shadow();
        SharedShadow own = warp.cta().shadow();
        if (global == null || own == null || !grid.looksAtOrder()) {
            return null;
        }
        WatchedGlobal all = WatchedGlobal.of(global, own, warp, definedness);
        return new GlobalChecks(warp, names, sanitizer, definedness, all);
    }

    /// A load, before it is made.
    ///
    /// @param size bytes of a lane
    /// @param row how many lanes each access one behind the other, or 0
    void load(Site by, Access how, long[] at, int size, int lanes, int row) {
        StrongAccesses strong = watched.strong();
        int observers = how.isStrong() ? lanes : 0;
        for (int rest = observers; strong != null && rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int one = how.bytes();
            int thread = warp.thread(lane);
            for (long i = at[lane]; i < at[lane] + size; i += one) {
                strong.read(strong.global(), i, one, thread, how.order(), how.scope());
            }
        }
        look(by, how, AccessKind.LOAD, at, size, lanes, row, null);
    }

    /// A store, before it is made.
    ///
    /// @param row how many lanes each access one behind the other, or 0
    /// @param values that are stored, or null where they are not at hand
    void store(
            Site by, Access how, long[] at, int size, int lanes, int row, @Nullable Stored values) {
        StrongAccesses strong = watched.strong();
        if (strong == null || !how.isStrong()) {
            unsettled.begin();
            look(by, how, AccessKind.STORE, at, size, lanes, row, values);
            unsettled.settle();
        }
        if (strong == null || !how.isStrong() && strong.global().count() == 0) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (!how.isStrong()) {
                strong.global().overwrite(at[lane], at[lane] + size);
                continue;
            }
            // Each lane by itself: what one releases ends the clock that its store is stamped with.
            look(by, how, AccessKind.STORE, at, size, 1 << lane, 0, values);
            int thread = warp.thread(lane);
            for (long i = at[lane]; i < at[lane] + size; i += how.bytes()) {
                strong.write(strong.global(), i, how.bytes(), thread, how.order(), how.scope());
            }
        }
    }

    /// `atom` and `red`, before they are made.
    ///
    /// @param acquires whether the old values are wanted: `red` does not acquire
    void update(Site by, Access how, long[] at, int size, int lanes, boolean acquires) {
        StrongAccesses strong = watched.strong();
        if (strong == null) {
            look(by, how, AccessKind.ATOMIC, at, size, lanes, 0, null);
            return;
        }
        // What acquires or releases begins a new time for the next lane.
        boolean isOfOneTime = !how.order().acquires() && !how.order().releases();
        boolean isBegun = false;
        int seen = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int thread = warp.thread(lane);
            for (long i = at[lane]; i < at[lane] + size; i += how.bytes()) {
                strong.readToUpdate(
                        strong.global(),
                        i,
                        how.bytes(),
                        thread,
                        how.order(),
                        how.scope(),
                        acquires);
            }
            if (!isOfOneTime || rest == lanes) {
                isBegun = begin(by, how, AccessKind.ATOMIC, at, size, how.bytes(), null);
            }
            if (isOfOneTime && isBegun && (seen >>> lane & 1) == 0) {
                seen |= watched.accesses().alike(at, size, rest & ~seen);
            }
            if (isBegun && (seen >>> lane & 1) == 0) {
                elements(at, how.bytes(), lane);
            }
            for (long i = at[lane]; i < at[lane] + size; i += how.bytes()) {
                strong.update(strong.global(), i, how.bytes(), thread, how.order(), how.scope());
            }
        }
    }

    /// What asynchronous operations do.
    GlobalMoves moves() {
        return moves;
    }

    /// An access begins. Returns whether it can be followed.
    ///
    /// @param unit bytes of an element
    private boolean begin(
            Site by,
            Access how,
            AccessKind what,
            long[] at,
            int size,
            int unit,
            @Nullable Stored values) {
        site = by;
        access = how;
        kind = what;
        offsets = at;
        bytes = size;
        stored = values;
        int strength =
                by.kind() == InstructionKind.ASYNC_COPY
                        ? GlobalStamp.COPIED
                        : GlobalStamp.kindOf(how.isStrong(), how.scope());
        return watched.accesses()
                .begin(what.writes(), strength, warp.index(), by.number(), unit, judge);
    }

    private void look(
            Site by,
            Access how,
            AccessKind what,
            long[] at,
            int size,
            int lanes,
            int row,
            @Nullable Stored values) {
        boolean isWhole = !how.isStrong() && (size & size - 1) == 0 && size <= WIDE;
        int unit = how.isStrong() ? how.bytes() : Math.min(WIDE, size & -size);
        GlobalAccess all = watched.accesses();
        if (!begin(by, how, what, at, size, unit, values)) {
            return;
        }
        if (isWhole && row == 0) {
            all.rows(at, size, lanes);
        }
        for (int lane = 0; isWhole && row > 0 && lane < 32; lane += row) {
            all.row(at[lane], at[lane] + (long) row * size, lane);
        }
        if (isWhole) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            elements(at, unit, Integer.numberOfTrailingZeros(rest));
        }
    }

    /// A lane accesses its bytes element by element.
    private void elements(long[] at, int unit, int lane) {
        GlobalAccess all = watched.accesses();
        if (at[lane] % unit == 0) {
            all.apart(at[lane], at[lane] + bytes, lane);
            return;
        }
        for (long i = at[lane]; i < at[lane] + bytes; i += unit) {
            all.row(i, i + unit, lane);
        }
    }

    // What is not in order.

    private void judge(long other, boolean wrote, long at, int size, int lane) {
        Supplier<KernelFault> fault = () -> race(other, wrote, lane);
        if (!wrote && !isUsed(other, fault)) {
            return;
        }
        if (kind.writes()) {
            boolean isEqual = wrote && isEqual(other, at, size, lane);
            if (!isEqual && wrote && isComparable(other) && unsettled.mayArrive(other)) {
                byte[] own = own(at, size, lane);
                unsettled.add(other, at, own, () -> noteSame(other), () -> tell(other, fault));
            } else if (!isEqual) {
                tell(other, fault);
            } else if (!isNow(other) || !isOfCta(other)) {
                noteSame(other);
            }
            return;
        }
        Definedness follower = access.isStrong() ? null : definedness;
        for (int i = (int) (at - offsets[lane]); i < at - offsets[lane] + size; i++) {
            if (follower == null || !follower.takes(lane, i, fault)) {
                tell(other, fault);
                return;
            }
        }
    }

    /// Whether both are weak stores, whose values can be compared.
    private boolean isComparable(long other) {
        return stored != null && !access.isStrong() && GlobalStamp.kind(other) == GlobalStamp.WEAK;
    }

    private byte[] own(long at, int size, int lane) {
        byte[] own = new byte[size];
        for (int i = 0; i < size; i++) {
            own[i] =
                    Objects.requireNonNull(stored).at(lane, at + i - offsets[lane], access.bytes());
        }
        return own;
    }

    private void tell(long other, Supplier<KernelFault> fault) {
        warp.faults().tell(Rule.DATA_RACE, site, faults.party(other).site(), fault);
    }

    private void noteSame(long other) {
        Site theirs = faults.party(other).site();
        if (site != null && theirs != null) {
            AccessFaults.noteSame(warp.faults(), site, theirs, isOfCta(other));
        }
    }

    private KernelFault race(long other, boolean wrote, int lane) {
        Site by = Objects.requireNonNull(site);
        return faults.race(
                new GlobalFaults.Look(by, access, kind, lane, offsets[lane], bytes), other, wrote);
    }

    private boolean isOfCta(long other) {
        return watched.stamps().cta(other) == warp.cta().index();
    }

    /// Whether what an access read was used, or cannot be told not to have been.
    boolean isUsed(long read, Supplier<KernelFault> fault) {
        int thread = GlobalStamp.thread(read);
        Definedness reader =
                isOfCta(read) && !faults.isAside(read)
                        ? sanitizer.warp(thread / 32).definedness()
                        : null;
        return reader == null
                || GlobalStamp.isCopied(read)
                || GlobalStamp.isStrong(GlobalStamp.kind(read))
                || reader.isUsed(
                        watched.stamps().site(read),
                        watched.stamps().clock(read),
                        thread % 32,
                        fault);
    }

    /// Whether two stores that are not in order at least store the same: then nobody can tell.
    private boolean isEqual(long other, long at, int size, int lane) {
        Stored values = stored;
        if (values == null || !isComparable(other)) {
            return false;
        }
        int same = GlobalStamp.thread(other) % 32;
        int each = access.bytes();
        boolean isTogether = isOfCta(other) && isNow(other) && same < lane;
        for (long i = at; i < at + size; i++) {
            boolean isTheirs = isTogether && i >= offsets[same] && i < offsets[same] + bytes;
            byte before =
                    isTheirs
                            ? values.at(same, i - offsets[same], each)
                            : warp.cta().grid().global().segment().get(ValueLayout.JAVA_BYTE, i);
            if (before != values.at(lane, i - offsets[lane], each)) {
                return false;
            }
        }
        return true;
    }

    private boolean isNow(long other) {
        return site != null && faults.isNow(site, other);
    }
}
