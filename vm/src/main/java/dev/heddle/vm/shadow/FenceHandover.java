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
    private Sequential sequential;

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
        Message before = sequential.message();
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

    /// `fence.sc` of lanes that knew the same before, behind that of the first: each learns what
    /// the first has learnt, and what lanes before it release, and nothing else.
    private void fenceBehind(int first, int lanes, Scope scope) {
        int warp = first / 32;
        int clock = order.clockOf(first);
        VectorClock known = order.known(first);
        int before = 1 << first % 32;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int thread = 32 * warp + lane;
            VectorClock own = known.with(warp, before, clock);
            order.know(warp, 1 << lane, own);
            fences[thread] = new Fence(scope, own, clock, Fence.largerThan(scope, fences[thread]));
            before |= 1 << lane;
        }
        sequential.add(Message.of(order.cta(), scope, known.with(warp, before, clock)));
    }

    /// `fence`: what the thread has observed is over, what it did is there to be released.
    private void fence(int thread, MemoryOrder kind, Scope scope) {
        Message seen = observed[thread];
        if (kind.acquires()) {
            strong.learn(thread, seen, scope);
        }
        Message before = sequential.message();
        if (kind == MemoryOrder.SC && before != null) {
            strong.learn(thread, before, scope);
        }
        if (kind.releases()) {
            Fence larger = Fence.largerThan(scope, fences[thread]);
            fences[thread] = new Fence(scope, order.known(thread), order.clockOf(thread), larger);
        }
        if (kind == MemoryOrder.SC) {
            sequential.add(Message.of(order.cta(), scope, order.released(thread)));
        }
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
