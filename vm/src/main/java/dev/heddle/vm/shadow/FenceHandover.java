package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// What threads of a CTA hand over by fences: what strong reads before have observed, and what
/// strong writes behind may release (PTX ISA 8.8); and by the order of `fence.sc` (8.9.3).
public final class FenceHandover {
    private final HappensBefore order;
    private final StrongAccesses strong;

    // The `fence.sc` of all CTAs that reach beyond theirs, and of this one that do not: those of
    // another CTA are not morally strong with these.
    private Sequential sequential;
    private final Sequential within = new Sequential();

    // By thread: what strong reads have observed, for a fence to acquire.
    private final @Nullable Message[] observed;

    // By thread: the last fence that released, of each scope.
    private final @Nullable Fence[] fences;

    FenceHandover(HappensBefore order, StrongAccesses strong, int threads, Sequential sequential) {
        this.order = order;
        this.strong = strong;
        this.sequential = sequential;
        observed = new Message[threads];
        fences = new Fence[threads];
    }

    /// Becomes that of another launch, with the order of its `fence.sc`.
    void serve(Sequential other) {
        sequential = other;
    }

    /// Forgets everything, but for what all CTAs share.
    void clear(boolean isShared) {
        if (!isShared) {
            sequential.clear();
        }
        within.clear();
        Arrays.fill(observed, null);
        Arrays.fill(fences, null);
    }

    /// A strong read of a thread has observed a message, without acquiring it.
    void observed(int thread, Message message) {
        observed[thread] = Message.both(observed[thread], message);
    }

    /// `fence` of lanes of a warp, one after the other. What the first has observed, it releases to
    /// the others.
    void fence(int warp, int lanes, MemoryOrder kind, Scope scope) {
        boolean areAlike =
                kind == MemoryOrder.SC
                        && order.knowSame(warp)
                        && haveObservedNothing(warp, lanes & lanes - 1);
        int first = 32 * warp + Integer.numberOfTrailingZeros(lanes);
        Message before = in(scope).message();
        boolean isToldApart = before == null || before.hasRoom();
        fence(first, kind, scope);
        int rest = lanes & lanes - 1;
        if (areAlike && isToldApart && rest != 0) {
            fenceBehind(first, rest, scope);
            return;
        }
        for (; rest != 0; rest &= rest - 1) {
            fence(32 * warp + Integer.numberOfTrailingZeros(rest), kind, scope);
        }
    }

    private boolean haveObservedNothing(int warp, int lanes) {
        boolean areNone = true;
        for (int rest = lanes; areNone && rest != 0; rest &= rest - 1) {
            areNone = observed[32 * warp + Integer.numberOfTrailingZeros(rest)] == null;
        }
        return areNone;
    }

    /// Where a `fence.sc` of a scope is kept for the next one.
    private Sequential in(Scope scope) {
        return scope == Scope.CTA ? within : sequential;
    }

    /// `fence.sc` of lanes that knew the same before, behind that of the first: each learns what
    /// the first has learnt, and what lanes before it release, and nothing else.
    private void fenceBehind(int first, int lanes, Scope scope) {
        int warp = first / 32;
        int clock = order.clockOf(first);
        LanesInTurn known =
                new LanesInTurn(order.known(first), warp, lanes | 1 << first % 32, clock);
        order.know(warp, lanes, known);
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int thread = 32 * warp + Integer.numberOfTrailingZeros(rest);
            Fence larger = Fence.largerThan(scope, fences[thread]);
            fences[thread] = new Fence(scope, known, clock, larger);
        }
        in(scope).add(Message.of(order.cta(), scope, known.all()));
    }

    /// `fence`: what the thread has observed is over, what it did is there to be released.
    private void fence(int thread, MemoryOrder kind, Scope scope) {
        Message seen = observed[thread];
        if (kind.acquires()) {
            strong.learn(thread, seen, scope);
        }
        if (kind == MemoryOrder.SC) {
            strong.learn(thread, sequential.message(), scope);
            strong.learn(thread, within.message(), scope);
        }
        if (kind.releases()) {
            Fence larger = Fence.largerThan(scope, fences[thread]);
            LanesInTurn known = LanesInTurn.of(order.known(thread));
            fences[thread] = new Fence(scope, known, order.clockOf(thread), larger);
        }
        if (kind == MemoryOrder.SC) {
            in(scope).add(Message.of(order.cta(), scope, order.released(thread)));
        }
    }

    /// The clock up to which the last fence of a thread has released what it did; 0 for none.
    int releasedUpTo(int thread) {
        Fence last = fences[thread];
        return last == null ? 0 : last.clock();
    }

    /// What fences of lanes of a warp have released, or null.
    @Nullable Message released(int warp, int lanes) {
        Message all = null;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            all = released(32 * warp + Integer.numberOfTrailingZeros(rest), all);
        }
        return all;
    }

    /// The same of a thread, and something more.
    @Nullable Message released(int thread, @Nullable Message more) {
        Message all = more;
        for (Fence fence = fences[thread]; fence != null; fence = fence.before()) {
            all = Message.both(all, fence.released(order.cta(), thread));
        }
        return all;
    }
}
