package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.FenceRestriction;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.SharedGap;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.shadow.StrongAccesses;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// Looks at accesses to shared memory for what the manual leaves undefined: reads of what nobody
/// wrote or what is still being copied, and races (PTX ISA 8.7.1).
public final class SharedChecks {
    private static final Access OBJECT =
            new Access(Space.SHARED, 8, false, MemoryOrder.RELAXED, Scope.CLUSTER);

    private final Warp warp;
    private final SharedFaults faults;
    private final VariableBounds bounds;
    private final VolatileHabits habits;
    private final ClusterChecks cluster;
    private final AwaitedCopies copies;
    private final MatrixRowChecks rows;
    private final OverwriteChecks overwrites;
    private final @Nullable Definedness definedness;

    SharedChecks(
            Warp warp, SymbolNames names, Sanitizer sanitizer, @Nullable Definedness definedness) {
        this.definedness = definedness;
        this.warp = warp;
        faults = new SharedFaults(warp, names);
        bounds = new VariableBounds(warp);
        habits = new VolatileHabits(warp, faults);
        copies = new AwaitedCopies(warp);
        RowReaders readers = new RowReaders(warp, faults);
        overwrites = new OverwriteChecks(warp, faults, copies, sanitizer, readers);
        rows = new MatrixRowChecks(warp, faults, copies, overwrites);
        cluster = new ClusterChecks(warp, faults, definedness);
    }

    /// Those of the ends of variables.
    public VariableBounds bounds() {
        return bounds;
    }

    /// Those of rows that other lanes read than name them.
    public MatrixRowChecks rows() {
        return rows;
    }

    /// Those of accesses to other CTAs' memory.
    ClusterChecks cluster() {
        return cluster;
    }

    private boolean checks(RuleGroup group) {
        return warp.cta().grid().checks(group);
    }

    public void load(Site site, Access access, long[] offsets, int bytes, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        int closer = lanes;
        if (!access.isStrong()) {
            long now = shadow.stamp(warp.index(), site.number());
            copies.finish(shadow, offsets, bytes, lanes);
            closer = shadow.wholeWords().read(offsets, bytes, lanes, now);
        }
        OverwrittenBarriers.tellLoad(warp, site, warp.cta(), offsets, bytes, closer);
        for (int rest = closer; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            if (access.isStrong()) {
                elements(shadow, access, lane, at, bytes, StrongAccesses::read);
            }
            SharedAccess look = look(shadow, site, access, AccessKind.LOAD, lane, at, bytes);
            if (access.isStrong() && site.is(Site.Mark.VOLATILE) && checks(RuleGroup.RACES)) {
                habits.look(shadow, look, lanes);
            }
            read(shadow, look);
        }
        if (definedness != null) {
            definedness.memory().load(definedness, shadow.undefined(), site, offsets, bytes, lanes);
        }
    }

    /// Operations on mbarrier objects, which are strong; how they order others is their own affair.
    ///
    /// @param owner the CTA that has them
    public void object(Site site, Cta owner, long[] offsets, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        if (owner.rank() != warp.cta().rank()) {
            cluster.object(site, OBJECT, owner, offsets, lanes);
            return;
        }
        int alone = shadow.outside().alone(offsets, lanes);
        long now = shadow.stamp(warp.index(), site.number(), shadow.kindOf(OBJECT));
        int closer = lanes & ~alone | shadow.wholeWords().readObjects(offsets, alone, now);
        for (int rest = closer; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            read(shadow, look(shadow, site, OBJECT, AccessKind.LOAD, lane, at, 8));
            shadow.watchObject(at);
        }
    }

    private void elements(
            SharedShadow shadow,
            Access access,
            int lane,
            int at,
            int bytes,
            StrongAccesses.Element each) {
        shadow.order().strong().each(access, at, at + bytes, warp.thread(lane), each);
    }

    private SharedAccess look(
            SharedShadow shadow,
            Site site,
            Access access,
            AccessKind kind,
            int lane,
            int at,
            int bytes) {
        long now = shadow.stamp(warp.index(), site.number(), shadow.kindOf(access)) + lane;
        return new SharedAccess(site, access, kind, lane, at, bytes, now);
    }

    private void read(SharedShadow shadow, SharedAccess look) {
        cluster.inside(shadow, look, null);
        for (int i = look.at(), extent; i < look.end(); i += extent) {
            extent = shadow.span(i, look.end());
            requireWritten(shadow, look, i, extent);
            if (copies.isComplete(shadow, i)) {
                long write = shadow.racingWriteForRead(i, look.now());
                if (write != Stamp.NOBODY && warp.cta().looksAtOrder()) {
                    follow(
                            look,
                            i,
                            extent,
                            faults.racing(look, write),
                            faults.site(write),
                            () -> faults.race(look, write, "written"));
                }
            } else {
                int at = i;
                follow(
                        look,
                        i,
                        extent,
                        Rule.CP_ASYNC_READ_BEFORE_WAIT,
                        faults.known(shadow.copies().site(at)),
                        () -> faults.underWay(shadow, look, at, Rule.CP_ASYNC_READ_BEFORE_WAIT));
            }
            shadow.stampRead(i, look.now());
        }
    }

    private void requireWritten(SharedShadow shadow, SharedAccess look, int i, int extent) {
        if (shadow.copies().copier(i) < 0
                && !shadow.isWritten(i)
                && checks(RuleGroup.DEFINEDNESS)) {
            SharedGap gap = checks(RuleGroup.MEMORY) ? bounds.gap(i, extent) : null;
            Rule rule = gap == null ? Rule.UNINITIALIZED_READ : Rule.OUT_OF_BOUNDS;
            Supplier<KernelFault> fault =
                    () -> gap == null ? faults.unwritten(look, i) : bounds.fault(look, gap);
            follow(look, i, extent, rule, null, fault);
        }
    }

    /// A load takes bytes whose value is nobody's to know: an error, or followed until it matters.
    private void follow(
            SharedAccess look,
            int i,
            int extent,
            Rule rule,
            @Nullable Site other,
            Supplier<KernelFault> fault) {
        boolean isFollowed = rule == Rule.UNINITIALIZED_READ || !look.access().isStrong();
        Definedness follower = isFollowed ? definedness : null;
        for (int at = i - look.at(); at < i - look.at() + extent; at++) {
            if (follower == null || !follower.takes(look.lane(), at, fault)) {
                warp.faults().tell(rule, look.site(), other, fault);
                return;
            }
        }
    }

    /// A store, before it is made.
    ///
    /// @param stored the values, or null where they are not at hand
    public void store(
            Site site,
            Access access,
            long[] offsets,
            int bytes,
            int lanes,
            @Nullable Stored stored) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        int closer = lanes;
        if (!access.isStrong() && bytes % Integer.BYTES == 0) {
            long now = shadow.stamp(warp.index(), site.number());
            copies.finish(shadow, offsets, bytes, lanes);
            closer = shadow.wholeWords().writeWords(offsets, bytes, lanes, now);
        }
        StoredEquality equality =
                new StoredEquality(warp, faults, access, offsets, bytes, lanes, stored);
        for (int rest = closer; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            write(shadow, look(shadow, site, access, AccessKind.STORE, lane, at, bytes), equality);
            if (access.isStrong()) {
                elements(shadow, access, lane, at, bytes, StrongAccesses::write);
            }
        }
        if (definedness != null) {
            definedness.memory().store(shadow.undefined(), offsets, bytes, lanes);
        }
    }

    /// `atom` and `red`.
    ///
    /// @param bytes of all elements
    /// @param acquires whether the old values are wanted: `red` does not acquire
    public void update(
            Site site, Access access, long[] offsets, int bytes, int lanes, boolean acquires) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        if (definedness != null) {
            definedness.memory().update(shadow.undefined(), site, offsets, bytes, lanes);
        }
        int closer = updateWords(shadow, site, access, offsets, bytes, lanes, acquires);
        StoredEquality equality =
                new StoredEquality(warp, faults, access, offsets, bytes, lanes, null);
        for (int rest = closer; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            elements(
                    shadow,
                    access,
                    lane,
                    at,
                    bytes,
                    (strong, words, i, size, thread, order, scope) ->
                            strong.readToUpdate(words, i, size, thread, order, scope, acquires));
            SharedAccess look = look(shadow, site, access, AccessKind.ATOMIC, lane, at, bytes);
            for (int i = at; i < look.end(); i++) {
                requireWritten(shadow, look, i, 1);
            }
            write(shadow, look, equality);
            elements(shadow, access, lane, at, bytes, StrongAccesses::update);
        }
    }

    /// Looks at whole words that lanes update in order. Returns the lanes that need a closer look.
    private int updateWords(
            SharedShadow shadow,
            Site site,
            Access access,
            long[] offsets,
            int bytes,
            int lanes,
            boolean acquires) {
        MemoryOrder order = access.order();
        // What acquires or releases begins a new time for the next lane.
        if (bytes != access.bytes()
                || bytes % Integer.BYTES != 0
                || order.acquires()
                || order.releases()) {
            return lanes;
        }
        int inGaps = shadow.outside().isEmpty() ? 0 : bounds.inGaps(offsets, bytes, lanes);
        long now = shadow.stamp(warp.index(), site.number(), shadow.kindOf(access));
        copies.finish(shadow, offsets, bytes, lanes);
        int closer = inGaps | shadow.updatedWords().update(offsets, bytes, lanes & ~inGaps, now);
        StrongAccesses strong = shadow.order().strong();
        for (int rest = lanes & ~closer; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long at = offsets[lane];
            int thread = warp.thread(lane);
            Scope scope = access.scope();
            strong.readToUpdate(strong.shared(), at, bytes, thread, order, scope, acquires);
            strong.update(strong.shared(), at, bytes, thread, order, scope);
        }
        return closer;
    }

    private void write(SharedShadow shadow, SharedAccess look, StoredEquality equality) {
        boolean alone = cluster.inside(shadow, look, equality);
        boolean told = false;
        boolean looksAtOthers = !MatrixRowChecks.haveLookedAt(look);
        for (int i = look.at(), extent; i < look.end(); i += extent) {
            extent = shadow.span(i, look.end());
            told |= !told && bounds.isOutside(look, i, extent);
            told |= overwrites.requireFree(shadow, look, i, extent, told, looksAtOthers);
            long write = looksAtOthers ? shadow.racingWrite(i, look.now()) : Stamp.NOBODY;
            if (write == Stamp.NOBODY || !warp.cta().looksAtOrder()) {
                shadow.stampWrite(i, look.now());
            } else if (equality.holds(look, write, i, extent)) {
                alone = false;
                shadow.addWrite(i, look.now());
                faults.noteSame(look, write);
            } else {
                if (!told) {
                    faults.tellRace(look, write, "written");
                }
                told = true;
                shadow.stampWrite(i, look.now());
            }
        }
        if (!look.access().isStrong()) {
            shadow.order().strong().shared().overwrite(look.at(), look.end());
        }
        if (alone && !look.access().isStrong()) {
            shadow.wrote(look.at(), look.end(), look.now());
        }
    }

    /// Its copies of `cp.async`.
    public AwaitedCopies copies() {
        return copies;
    }

    public void fence(Step.Fence fence, int lanes) {
        fence(fence.order(), fence.scope(), fence.restriction(), lanes);
    }

    private void fence(MemoryOrder kind, Scope scope, FenceRestriction restriction, int lanes) {
        Cta cta = warp.cta();
        SharedShadow shadow = cta.shadow();
        if (shadow != null && cta.grid().memory().counts(restriction, cta.rank())) {
            shadow.order().fence(warp.index(), lanes, kind, scope);
        }
    }

    /// `fence.proxy.async` of lanes. One of a direction is a part of what releases or acquires for
    /// the cluster (PTX ISA 9.7.13.4).
    public void proxyFence(Step.ProxyFence fence, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        GlobalShadow global = warp.cta().grid().shadow();
        if (shadow == null || global == null) {
            return;
        }
        if (fence.order().acquires()) {
            fence(fence.order(), Scope.CLUSTER, FenceRestriction.SHARED_CLUSTER, lanes);
        }
        shadow.proxyFences().fence(warp.index(), lanes, fence.space(), global.fences());
        if (fence.order().releases()) {
            fence(fence.order(), Scope.CLUSTER, FenceRestriction.SHARED_CTA, lanes);
        }
    }
}
