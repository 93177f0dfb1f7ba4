package dev.heddle.vm.shadow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Proxy fences of one kind of the threads of a CTA, as `fence.proxy.async`: what was done through
/// the generic proxy and is over for a thread at such a fence can be read through the other proxy
/// behind it (PTX ISA 8.9).
public final class ProxyFences {
    /// Of a thread with more, older accesses count as fenced.
    private static final int MOST = 1024;

    private final HappensBefore order;
    private final Map<Integer, List<Fence>> fences = new HashMap<>();

    /// A fence.
    ///
    /// @param clock of the thread then
    /// @param known what was over for it
    private record Fence(int clock, VectorClock known) {}

    ProxyFences(HappensBefore order) {
        this.order = order;
    }

    void clear() {
        fences.clear();
    }

    public void fence(int thread, int clock, VectorClock known) {
        List<Fence> own = fences.computeIfAbsent(thread, key -> new ArrayList<>());
        if (own.size() == MOST) {
            own.subList(0, MOST / 2).clear();
        }
        own.add(new Fence(clock, known));
    }

    /// Whether a fence stands between what a thread did and what another does now.
    public boolean isBetween(int thread, int clock, int now) {
        List<Fence> own = fences.get(thread);
        if (own != null && isBetween(thread, own, thread, clock, now)) {
            return true;
        }
        for (Map.Entry<Integer, List<Fence>> each : fences.entrySet()) {
            if (isBetween(each.getKey(), each.getValue(), thread, clock, now)) {
                return true;
            }
        }
        return false;
    }

    /// Whether for each lane of a warp a fence stands between what it did and what another thread
    /// does now.
    ///
    /// @param first the lane 0 of the warp
    public boolean areBetween(int first, int clock, int now) {
        int left = 0;
        for (int lane = 0; lane < 32; lane++) {
            List<Fence> own = fences.get(first + lane);
            boolean isFenced =
                    own != null && isBetween(first + lane, own, first + lane, clock, now);
            left |= isFenced ? 0 : 1 << lane;
        }
        return left == 0
                || isBetweenAll(first, left, clock, now)
                || isBetweenEach(first, left, clock, now);
    }

    /// Whether some fence stands between what all of these lanes did and what another thread does.
    private boolean isBetweenAll(int first, int lanes, int clock, int now) {
        for (Map.Entry<Integer, List<Fence>> each : fences.entrySet()) {
            for (Fence fence : each.getValue().reversed()) {
                if (fence.known.covers(first / 32, lanes, clock)
                        && order.isOver(each.getKey(), fence.clock, now)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isBetweenEach(int first, int lanes, int clock, int now) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            if (!isBetween(first + Integer.numberOfTrailingZeros(rest), clock, now)) {
                return false;
            }
        }
        return true;
    }

    /// Whether a fence stands between what all lanes of a thread's warp did together and what
    /// another thread does now.
    boolean isBehindWarp(int thread, int clock, int now) {
        for (Map.Entry<Integer, List<Fence>> each : fences.entrySet()) {
            int fencer = each.getKey();
            int doer = fencer / 32 == thread / 32 ? fencer : thread;
            if (isBetween(fencer, each.getValue(), doer, clock, now)) {
                return true;
            }
        }
        return false;
    }

    /// Whether some fence comes before what a thread does now.
    boolean isBefore(int now) {
        return fences.entrySet().stream()
                .anyMatch(
                        each ->
                                each.getValue().stream()
                                        .anyMatch(
                                                fence ->
                                                        order.isOver(
                                                                each.getKey(), fence.clock, now)));
    }

    private boolean isBetween(int fencer, List<Fence> all, int thread, int clock, int now) {
        if (all.size() >= MOST / 2 && all.getFirst().clock > clock) {
            return true;
        }
        for (Fence fence : all.reversed()) {
            boolean isBehind =
                    fencer == thread
                            ? fence.clock >= clock
                            : fence.known.of(thread / 32, thread % 32) >= clock;
            if (isBehind && order.isOver(fencer, fence.clock, now)) {
                return true;
            }
        }
        return false;
    }
}
