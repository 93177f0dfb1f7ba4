package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Space;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/// Proxy fences of one kind of the threads of a CTA, as `fence.proxy.async`: what was done through
/// the generic proxy and is over for a thread at such a fence can be read through the other proxy
/// behind it (PTX ISA 8.9).
public final class ProxyFences {
    /// Of a warp with more, older accesses count as fenced.
    private static final int MOST = 1024;

    /// Those of a warp that are looked at for one of all its lanes.
    private static final int LATEST = 4;

    private final HappensBefore order;

    // The index of the CTA: its order may be another one's once it has ended.
    private int home;

    private @Nullable ProxyFences forPeers;

    // By warp, in the order of its clock.
    private final Map<Integer, List<Fence>> fences = new HashMap<>();

    /// A fence of lanes of a warp, all at once.
    ///
    /// @param clock of the warp then
    /// @param known what was over for each lane
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Fence(int warp, int lanes, int clock, VectorClock[] known) {
        /// Whether the lane of some thread is one that meets a condition.
        boolean any(IntPredicate lane) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                if (lane.test(Integer.numberOfTrailingZeros(rest))) {
                    return true;
                }
            }
            return false;
        }

        /// Whether what a thread of some CTA did at a clock is over for a lane.
        boolean isBehind(int home, int lane, int cta, int thread, int at) {
            return cta == home
                    ? isBehind(lane, thread, at)
                    : known[lane].of(home, cta, thread) >= at;
        }

        /// Whether what a thread did at a clock is over for a lane.
        boolean isBehind(int lane, int thread, int at) {
            return 32 * warp + lane == thread
                    ? clock >= at
                    : known[lane].of(thread / 32, thread % 32) >= at;
        }
    }

    /// `fence.proxy.async` of lanes of a warp. It orders only what is done to objects in the state
    /// space that it names (PTX ISA 9.7.13.4).
    ///
    /// @param all of the launch that are for global memory
    /// @param space the only one that it is for, or null
    public void fence(int warp, int lanes, @Nullable Space space, GlobalFences all) {
        if (space != Space.GLOBAL) {
            fence(warp, lanes);
        }
        if (space != Space.GLOBAL && space != Space.SHARED && order.reach().hasPeers()) {
            forPeers().fence(warp, lanes);
        }
        if (space == null || space == Space.GLOBAL) {
            all.fence(order, warp, lanes);
        }
        order.tick(warp);
    }

    /// Those that are for the shared memory of other CTAs of the cluster, too.
    private ProxyFences forPeers() {
        if (forPeers == null) {
            forPeers = new ProxyFences(order);
        }
        return forPeers;
    }

    /// Those that are for the shared memory of some CTA of the cluster.
    ///
    /// @param isOwn whether these threads are of that CTA
    public ProxyFences of(boolean isOwn) {
        return isOwn ? this : forPeers();
    }

    ProxyFences(HappensBefore order) {
        this.order = order;
        home = order.cta();
    }

    public int home() {
        return home;
    }

    void clear() {
        fences.clear();
        forPeers = null;
    }

    /// Lanes of a warp fence.
    void fence(int warp, int lanes) {
        home = order.cta();
        List<Fence> own = fences.computeIfAbsent(warp, _ -> new ArrayList<>());
        if (own.size() == MOST) {
            own.subList(0, MOST / 2).clear();
        }
        own.add(new Fence(warp, lanes, order.clock(warp), order.knownOf(warp)));
    }

    /// Whether a fence stands between what a thread did and what another does now.
    public boolean isBetween(int thread, int clock, int now) {
        return isForgotten(clock)
                || any(
                        (fence, lane) ->
                                fence.isBehind(lane, thread, clock) && isOver(fence, lane, now));
    }

    /// The same of threads of other CTAs of the cluster: whether a fence of this one stands
    /// between.
    ///
    /// @param cta of the thread
    /// @param by the order of the CTA of the other
    public boolean isBetween(int cta, int thread, int clock, HappensBefore by, int now) {
        if (cta == home && by.cta() == home) {
            return isBetween(thread, clock, now);
        }
        return isForgetting()
                || any(
                        (fence, lane) ->
                                fence.isBehind(home, lane, cta, thread, clock)
                                        && by.isOver(
                                                home, 32 * fence.warp + lane, fence.clock, now));
    }

    /// Whether a thread of this CTA fenced itself between what it did and what a thread of some CTA
    /// does now, as is mostly so.
    ///
    /// @param cta of the thread
    public boolean isByItself(int cta, int thread, int clock, HappensBefore by, int now) {
        List<Fence> own = cta == home ? fences.getOrDefault(thread / 32, List.of()) : List.of();
        for (int i = own.size() - 1; i >= 0 && own.get(i).clock >= clock; i--) {
            boolean isOfThread = (own.get(i).lanes >>> thread % 32 & 1) != 0;
            if (isOfThread && by.isOver(home, thread, own.get(i).clock, now)) {
                return true;
            }
        }
        return false;
    }

    /// Whether some fences may be forgotten.
    private boolean isForgetting() {
        for (List<Fence> own : fences.values()) {
            if (own.size() >= MOST / 2) {
                return true;
            }
        }
        return false;
    }

    /// Whether fences behind a clock may be forgotten. That of an asynchronous operation says
    /// nothing of theirs.
    private boolean isForgotten(int clock) {
        if (clock >= Stamp.FIRST_ASYNC) {
            return isForgetting();
        }
        for (List<Fence> own : fences.values()) {
            if (own.size() >= MOST / 2 && own.getFirst().clock > clock) {
                return true;
            }
        }
        return false;
    }

    private boolean isOver(Fence fence, int lane, int now) {
        return order.isOver(32 * fence.warp + lane, fence.clock, now);
    }

    private interface Condition {
        boolean holds(Fence fence, int lane);
    }

    /// Whether a condition holds for some thread's fence; the last are looked at first.
    private boolean any(Condition condition) {
        for (List<Fence> own : fences.values()) {
            for (int i = own.size() - 1; i >= 0; i--) {
                Fence fence = own.get(i);
                if (fence.any(lane -> condition.holds(fence, lane))) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether for each lane of a warp a fence stands between what it did and what another thread
    /// does now.
    ///
    /// @param first the lane 0 of the warp
    public boolean areBetween(int first, int clock, int now) {
        int warp = first / 32;
        int left = isForgotten(clock) ? 0 : -1;
        List<Fence> own = fences.getOrDefault(warp, List.of());
        for (int i = own.size() - 1; i >= 0 && left != 0 && own.get(i).clock >= clock; i--) {
            Fence fence = own.get(i);
            if (order.areOver(warp, fence.lanes & ~laneOf(now, warp), fence.clock, now)) {
                left &= ~fence.lanes;
            }
        }
        return left == 0
                || isBetweenAll(warp, left, clock, now)
                || isBetweenEach(first, left, clock, now);
    }

    /// The latest clock such that whatever threads of the CTA did up to it is over for a thread,
    /// and their whole warps fenced behind it; 0 where there is none.
    public int limit(int now) {
        return limit(order, now);
    }

    /// The same for a thread of some CTA of the cluster.
    ///
    /// @param by the order of that CTA
    public int limit(HappensBefore by, int now) {
        int limit = fences.isEmpty() ? 0 : Integer.MAX_VALUE;
        for (int warp = 0; warp < order.warps && limit > 0; warp++) {
            limit = Math.min(limit, last(warp, by, now));
        }
        return limit;
    }

    /// The clock of the last fence of a whole warp that is over for a thread, or 0. It is sought
    /// among the latest.
    private int last(int warp, HappensBefore by, int now) {
        List<Fence> own = fences.getOrDefault(warp, List.of());
        for (int i = own.size() - 1; i >= Math.max(0, own.size() - LATEST); i--) {
            Fence fence = own.get(i);
            if ((fence.lanes | order.absent(warp)) == -1
                    && by.areOver(home, warp, fence.lanes, fence.clock, now)) {
                return fence.clock;
            }
        }
        return 0;
    }

    /// The lane of a thread where it is of a warp, as a mask.
    private static int laneOf(int thread, int warp) {
        return thread / 32 == warp ? 1 << thread % 32 : 0;
    }

    /// Whether some fence stands between what all of these lanes did and what another thread does.
    private boolean isBetweenAll(int warp, int lanes, int clock, int now) {
        return any(
                (fence, lane) ->
                        fence.known[lane].covers(warp, lanes, clock) && isOver(fence, lane, now));
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
        return isForgotten(clock)
                || any(
                        (fence, lane) -> {
                            int doer = fence.warp == thread / 32 ? 32 * fence.warp + lane : thread;
                            return fence.isBehind(lane, doer, clock) && isOver(fence, lane, now);
                        });
    }

    /// Whether some fence comes before what a thread does now.
    boolean isBefore(int now) {
        return any((fence, lane) -> isOver(fence, lane, now));
    }
}
