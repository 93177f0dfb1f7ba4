package dev.heddle.vm.shadow;

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
    private final Map<Long, ProxyFences> beyond = new HashMap<>();
    private final Map<Long, Write> copies = new HashMap<>();

    /// A thread's write at a clock of its warp.
    ///
    /// @param site the number of the instruction
    public record Write(int thread, int clock, int site) {}

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

    /// `fence.proxy.tensormap::generic.release` of a thread.
    public void release(int thread) {
        releases.fence(thread / 32, 1 << thread % 32);
    }

    /// `fence.proxy.tensormap::generic.acquire` of a thread.
    ///
    /// @param map the offset of the map in global memory
    public void acquire(int thread, long map, Scope scope) {
        if (acquires.size() < MOST) {
            fence(acquires, thread, map);
            if (scope != Scope.CTA) {
                fence(beyond, thread, map);
            }
        }
    }

    private void fence(Map<Long, ProxyFences> fences, int thread, long map) {
        fences.computeIfAbsent(map, key -> new ProxyFences(order))
                .fence(thread / 32, 1 << thread % 32);
    }

    /// Something releases maps for threads of a scope.
    public void release(Scope scope) {
        if (scope != Scope.CTA) {
            order.grid().releaseMaps();
        }
    }

    /// Behind a fence of a warp's lanes.
    public void fenced(int warp) {
        order.tick(warp);
    }

    /// `tensormap.cp_fenceproxy` of a thread.
    public void copy(int thread, int site, long map) {
        if (copies.size() < MOST) {
            copies.put(map, new Write(thread, order.clock(thread / 32), site));
        }
    }

    /// The last `tensormap.cp_fenceproxy` that wrote a map, or null.
    public @Nullable Write copied(long map) {
        return copies.get(map);
    }

    /// Whether somebody acquired the map from another CTA before a thread uses it now.
    public boolean isAcquiredBeyond(long map, int user) {
        ProxyFences fences = beyond.get(map);
        return acquires.size() == MOST || fences != null && fences.isBefore(user);
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

    /// Whether some CTA has released maps for others. Whether that was behind a write is not known.
    public boolean isReleasedBeyond() {
        return order.grid().releasesMaps();
    }

    /// Whether a write was released before a thread uses it now.
    public boolean isReleased(Write write, int user) {
        return releases.isBetween(write.thread, write.clock, user);
    }
}
