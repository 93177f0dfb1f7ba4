package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.function.LongPredicate;

/// Looks through what threads of a CTA did at a place of its shared memory, for what an access is
/// neither in order with nor morally strong with (PTX ISA 8.7.1).
final class RaceSearch implements AccessHistory.Visitor {
    private final HappensBefore owner;
    private final Accessor by;
    private final int at;
    private final boolean read;
    private final LongPredicate counts;
    private long found = Stamp.NOBODY;

    // The kind that was asked about last, and whether it passes: mostly all are of one.
    private int lastKind = Stamp.WEAK;
    private boolean passesLast;

    /// A thread that accesses the memory, of its CTA or of another of the cluster.
    ///
    /// @param order of the thread's CTA
    /// @param thread in that CTA
    /// @param kind of its access, as in a stamp
    record Accessor(HappensBefore order, int thread, int kind) {
        /// Whoever made an access of the CTA itself.
        static Accessor of(HappensBefore order, long now) {
            return new Accessor(order, Stamp.thread(now), Stamp.kind(now));
        }

        /// Whether all that threads of a CTA did up to a clock is over for it.
        boolean isBehind(HappensBefore owner, int clock) {
            return clock <= new OverFor(order, thread).limit(owner.cta());
        }
    }

    /// @param owner the order of the CTA that has the memory
    /// @param at a byte of the place
    /// @param read whether the accesses looked through are reads
    /// @param counts whether one that races matters
    RaceSearch(HappensBefore owner, Accessor by, int at, boolean read, LongPredicate counts) {
        this.owner = owner;
        this.by = by;
        this.at = at;
        this.read = read;
        this.counts = counts;
    }

    /// The stamp of one that races, or NOBODY.
    long found() {
        return found;
    }

    @Override
    public boolean visit(long stamp) {
        if (isOver(stamp) || isExcused(stamp) || !counts.test(stamp)) {
            return true;
        }
        found = stamp;
        return false;
    }

    /// Accesses of one size in each other's scopes are morally strong.
    @Override
    public boolean passes(long stamp) {
        int kind = Stamp.kind(stamp);
        if (kind != lastKind) {
            lastKind = kind;
            passesLast =
                    Stamp.areStrongAlike(kind, by.kind)
                            && isMutual(Stamp.scope(kind), Stamp.scope(by.kind));
        }
        return passesLast;
    }

    @Override
    public boolean areOver(int clock) {
        return by.isBehind(owner, clock);
    }

    private boolean isOver(long stamp) {
        return by.order.isOver(owner.cta(), Stamp.thread(stamp), Stamp.clock(stamp), by.thread);
    }

    /// Whether both are morally strong, or the access was observed by something that is over.
    private boolean isExcused(long stamp) {
        int kind = Stamp.kind(stamp);
        if (kind == Stamp.WEAK) {
            return false;
        }
        if (passes(stamp)) {
            return true;
        }
        Scope scope = Stamp.scope(kind);
        int bytes = Stamp.bytes(kind);
        int actor = owner.actor(Stamp.thread(stamp));
        return by.order
                .strong()
                .isObserved(
                        owner.strong().shared(),
                        at & -bytes,
                        bytes,
                        new Location.Strong(read, actor, Stamp.clock(stamp), scope),
                        by.thread);
    }

    /// Whether two are in each other's scopes, as those of threads of one CTA are.
    private boolean isMutual(@Nullable Scope scope, @Nullable Scope own) {
        return isWithin(owner.cta(), by.order.cta(), scope)
                && isWithin(by.order.cta(), owner.cta(), own);
    }

    private boolean isWithin(int cta, int other, @Nullable Scope scope) {
        return scope == null || owner.reach().isWithin(cta, other, scope);
    }
}
