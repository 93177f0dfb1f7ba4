package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// What threads of a CTA do to hand tensor maps in global memory over to tensor copies, which read
/// them through a proxy of their own (PTX ISA 8.6): `fence.proxy.tensormap::generic` releases what
/// its thread wrote, and acquires one map (9.7.13.4); `tensormap.cp_fenceproxy` writes a map and
/// releases it (9.7.13.16).
public final class TensorMapFences {
    /// With more maps, all count as acquired.
    private static final int MOST = 1024;

    private final HappensBefore order;
    private final ProxyFences releases;
    private final Map<Long, ProxyFences> acquires = new HashMap<>();
    // Of these, those that take over from other CTAs.
    private final Map<Beyond, ProxyFences> beyond = new HashMap<>();
    private final Map<Long, Write> copies = new HashMap<>();

    /// A thread's write at a clock of its warp.
    ///
    /// @param site the number of the instruction
    public record Write(int thread, int clock, int site) {}

    /// A map, and the scope from which it is acquired.
    private record Beyond(long map, Scope scope) {}

    /// @param order of the threads of the CTA
    public TensorMapFences(HappensBefore order) {
        this.order = order;
        releases = new ProxyFences(order);
    }

    public void clear() {
        releases.clear();
        acquires.clear();
        beyond.clear();
        copies.clear();
    }

    /// `fence.proxy.tensormap::generic.release` of lanes of a warp. It is a part of what
    /// releases to threads, too, as the acquiring one is of what acquires (PTX ISA 9.7.13.4).
    public void release(int warp, int lanes, Scope scope) {
        releases.fence(warp, lanes);
        order.grid().mapReleases().add(order, warp, lanes, scope);
        order.fence(warp, lanes, MemoryOrder.RELEASE, scope);
    }

    /// `fence.proxy.tensormap::generic.acquire` of a thread.
    ///
    /// @param map the offset of the map in global memory
    public void acquire(int thread, long map, Scope scope) {
        order.fence(thread / 32, 1 << thread % 32, MemoryOrder.ACQUIRE, scope);
        if (acquires.size() < MOST) {
            fence(acquires, map, thread);
            if (scope != Scope.CTA) {
                fence(beyond, new Beyond(map, scope), thread);
            }
        }
    }

    private <T> void fence(Map<T, ProxyFences> fences, T of, int thread) {
        fences.computeIfAbsent(of, _ -> new ProxyFences(order))
                .fence(thread / 32, 1 << thread % 32);
    }

    /// `tensormap.cp_fenceproxy` of a thread.
    public void copy(int thread, int site, long map, Scope scope) {
        order.grid().mapReleases().add(order, thread / 32, 1 << thread % 32, scope);
        if (copies.size() < MOST) {
            copies.put(map, new Write(thread, order.clock(thread / 32), site));
        }
    }

    /// The last `tensormap.cp_fenceproxy` that wrote a map, or null.
    public @Nullable Write copied(long map) {
        return copies.get(map);
    }

    /// Whether somebody acquired the map from a CTA before a thread uses it now.
    public boolean isAcquiredFrom(int cta, long map, int user) {
        if (acquires.size() == MOST) {
            return true;
        }
        if (cta == order.cta()) {
            return isBefore(acquires.get(map), user);
        }
        for (Scope scope : Scope.values()) {
            if (order.reach().isWithin(order.cta(), cta, scope)
                    && isBefore(beyond.get(new Beyond(map, scope)), user)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBefore(@Nullable ProxyFences fences, int user) {
        return fences != null && fences.isBefore(user);
    }

    /// Whether somebody acquired the map behind a write of the CTA, and before a thread uses it
    /// now. What a warp copies all its lanes have copied.
    public boolean isAcquired(long map, Write write, int user) {
        ProxyFences fences = acquires.get(map);
        return acquires.size() == MOST
                || fences != null
                        && (write.equals(copies.get(map))
                                ? fences.isBehindWarp(write.thread, write.clock, user)
                                : fences.isBetween(write.thread, write.clock, user));
    }

    /// Whether a write by another CTA was released, and the map acquired from who released it,
    /// before a thread uses it now: each is of the scope of the other's fence (PTX ISA 8.7.1).
    public boolean isHandedOver(int cta, long map, Write write, int user) {
        return order.grid()
                .mapReleases()
                .areBetween(cta, write, from -> isAcquiredFrom(from, map, user), order, user);
    }

    /// Whether a write was released before a thread uses it now.
    public boolean isReleased(Write write, int user) {
        return releases.isBetween(write.thread, write.clock, user);
    }
}
