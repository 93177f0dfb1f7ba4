package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.sanitizer.GlobalFaults.Look;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.GlobalConflicts;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.Locations;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.StrongAccesses;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// Looks at what asynchronous operations of a warp read and write in global memory for races (PTX
/// ISA 9.7.9.25.1): they come behind what their thread did before, and before nothing but what
/// somebody does who has waited for them, or learnt of that.
final class GlobalMoves {
    /// Bytes are looked at by sectors, and at their ends by so many.
    private static final int NARROW = 16;

    private static final Access MOVED = Access.weak(Space.GLOBAL, NARROW);

    private final Warp warp;
    private final GlobalChecks checks;
    private final GlobalFaults faults;
    private final WatchedGlobal watched;
    private final GlobalConflicts.Judge judge;

    // What is looked at, from where on, and by how many bytes.
    private @Nullable Look look;
    private long from;
    private int unit;

    GlobalMoves(Warp warp, GlobalChecks checks, GlobalFaults faults, WatchedGlobal watched) {
        this.warp = warp;
        this.checks = checks;
        this.faults = faults;
        this.watched = watched;
        judge = watched.of(this::judge);
    }

    /// A lane's operation is about to read, write or reduce into rows of bytes.
    ///
    /// @param how weak, or each element of a reduction
    void move(Site by, List<Aside> asides, Access how, AccessKind what, MovedRows rows, int lane) {
        for (int each = 0; each < asides.size(); each++) {
            for (int row = 0; row < rows.count(); row++) {
                Look whole = new Look(by, how, what, lane, rows.at(row), rows.bytes());
                if (each == 0) {
                    requireFence(whole);
                }
                if (how.isStrong()) {
                    reduce(whole, asides.get(each));
                } else if (!move(whole, asides.get(each))) {
                    return;
                }
            }
        }
    }

    /// A lane's tensor copy is about to read its map. What was written there is handed over by
    /// fences of its own ([TensorMapChecks]).
    void readMap(Site by, Aside reader, int lane, long map) {
        move(new Look(by, MOVED, AccessKind.LOAD, lane, map, TensorMap.BYTES), reader);
    }

    /// Returns whether it can be followed.
    private boolean move(Look whole, Aside aside) {
        int own = aside.thread() % 32;
        long at = whole.at();
        long end = at + whole.bytes();
        for (long i = at, next; i < end; i = next) {
            boolean isWide = i % GlobalStamp.SECTOR == 0 && end - i >= GlobalStamp.SECTOR;
            next = isWide ? end & -GlobalStamp.SECTOR : i + NARROW;
            if (!begin(whole, aside, i, isWide ? GlobalStamp.SECTOR : NARROW)) {
                return false;
            }
            watched.accesses().apart(i, next, own);
        }
        StrongAccesses strong = watched.strong();
        if (strong != null && whole.kind().writes()) {
            strong.global().overwrite(at, end);
        }
        return true;
    }

    /// What ordinary accesses wrote there is fenced (PTX ISA 9.7.9.25.2).
    private void requireFence(Look of) {
        SharedShadow own = warp.cta().shadow();
        if (own == null
                || !watched.shadow().mayHoldWrites(of.at(), of.at() + of.bytes())
                || !warp.cta().grid().checks(RuleGroup.ASYNC)
                || !warp.cta().grid().memory().hasGlobal()) {
            return;
        }
        watched.shadow()
                .unfencedWrites(
                        of.at(),
                        of.at() + of.bytes(),
                        own.order(),
                        warp.thread(of.lane()),
                        write ->
                                warp.faults()
                                        .tell(
                                                Rule.MISSING_PROXY_FENCE,
                                                of.site(),
                                                faults.party(write).site(),
                                                () -> faults.unfenced(of, write)));
    }

    private void reduce(Look of, Aside aside) {
        StrongAccesses strong = watched.strong();
        Access how = of.access();
        int thread = warp.thread(of.lane());
        int one = how.bytes();
        long end = of.at() + of.bytes();
        if (strong != null) {
            Locations in = strong.global();
            strong.readAside(in, of.at(), one, end, thread, aside.thread(), how.scope());
        }
        if (begin(of, aside, of.at(), one)) {
            watched.accesses().apart(of.at(), end, aside.thread() % 32);
        }
        if (strong != null) {
            Locations in = strong.global();
            int lanes = 1 << of.lane();
            strong.reduce(in, of.at(), one, end, warp.index(), lanes, aside.thread(), how.scope());
        }
        SharedShadow own = warp.cta().shadow();
        if (strong != null && own != null) {
            own.order().tick(warp.index());
        }
    }

    /// Begins to look. Returns whether it can be followed.
    ///
    /// @param first byte of a part of what is looked at
    /// @param bytes that have one stamp
    private boolean begin(Look of, Aside aside, long first, int bytes) {
        look = of;
        from = first;
        unit = bytes;
        boolean writes = of.kind().writes();
        int strength = GlobalStamp.kindOf(of.access().isStrong(), of.access().scope());
        int thread = warp.thread(of.lane());
        int site = of.site().number();
        return watched.accesses().beginAside(writes, strength, aside, thread, site, bytes, judge);
    }

    private void judge(long other, boolean wrote, long at, int size, int lane) {
        Look now = Objects.requireNonNull(look);
        boolean isStrong = now.access().isStrong();
        Access how = isStrong ? now.access() : MOVED;
        long first = unit == GlobalStamp.SECTOR && !isStrong ? at & -GlobalStamp.SECTOR : from;
        int bytes = isStrong ? now.bytes() : unit;
        Look here = new Look(now.site(), how, now.kind(), now.lane(), first, bytes);
        Supplier<KernelFault> fault = () -> faults.race(here, other, wrote);
        if (wrote || checks.isUsed(other, fault)) {
            warp.faults().tell(Rule.DATA_RACE, now.site(), faults.party(other).site(), fault);
        }
    }
}
