package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

/// A write through the generic proxy that an operation of the async proxy meets.
///
/// Causality order across proxies holds for each write by itself, whichever came last: it leads by
/// a proxy fence, from the write or from what has observed it (PTX ISA 8.9.5).
///
/// @param by the strong accesses of a CTA that may have observed it
/// @param in where its place is
/// @param at where a strong one begins
/// @param bytes of a strong one
/// @param scope of a strong one; null for any
record GenericWrite(
        StrongAccesses by,
        Locations in,
        int cta,
        int thread,
        int clock,
        long at,
        int bytes,
        boolean isStrong,
        @Nullable Scope scope) {
    /// A write of a CTA's own threads to its shared memory.
    ///
    /// @param at a byte of it
    static GenericWrite ofOwn(HappensBefore owner, long write, int at) {
        int kind = Stamp.kind(write);
        boolean isStrong = kind != Stamp.WEAK;
        int bytes = isStrong ? Stamp.bytes(kind) : 1;
        return new GenericWrite(
                owner.strong(),
                owner.strong().shared(),
                owner.cta(),
                Stamp.thread(write),
                Stamp.clock(write),
                at & -bytes,
                bytes,
                isStrong,
                isStrong ? Stamp.scope(kind) : null);
    }

    /// Whether it comes before what a thread does now, and no fence stands between.
    ///
    /// @param order of the CTA of that thread
    /// @param fences those that come before what it does
    boolean isUnfenced(HappensBefore order, int thread, FencesBefore fences) {
        return precedes(
                        (place, clock) ->
                                order.isOver(
                                        Location.cta(place), Location.thread(place), clock, thread))
                && !precedes(
                        (place, clock) ->
                                fences.areBehind(
                                        Location.cta(place), Location.thread(place), clock));
    }

    /// Whether it, or what has observed it, is over.
    private boolean precedes(Location.Order over) {
        int actor = Location.actor(cta, thread);
        return over.isOver(actor, clock)
                || isStrong
                        && by.isObserved(
                                in,
                                at,
                                bytes,
                                new Location.Strong(false, actor, clock, scope),
                                over);
    }
}
