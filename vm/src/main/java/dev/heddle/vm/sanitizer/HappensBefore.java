package dev.heddle.vm.sanitizer;

import dev.heddle.vm.scheduling.Warp;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What happened before what in a CTA: a vector clock a warp, joined at barriers and at releases
/// and acquires.
///
/// A warp's clock ticks where something that comes later may count on what came before: at a
/// barrier, at `bar.warp.sync` and at a release. An access is stamped with the clock of its warp at
/// that time.
public final class HappensBefore {
    /// More than a CTA has, so that any five bits are a warp's number here.
    private static final int WARPS = 32;

    // For each warp, the last tick of each other that is over for it; its own ones included.
    private final int[][] known;

    // For each warp, the latest stamp that is over for it whoever's it is; -1 where not worked out.
    private final long[] limits;
    private final Map<Long, int[]> objects = new HashMap<>();

    public HappensBefore(int warps) {
        known = new int[warps][WARPS];
        limits = new long[warps];
    }

    public void clear() {
        for (int[] row : known) {
            Arrays.fill(row, 0);
        }
        Arrays.fill(limits, -1);
        objects.clear();
    }

    /// What accesses of a warp are stamped with now; from 1.
    public int clock(int warp) {
        return known[warp][warp] + 1;
    }

    /// For each warp, the last stamp of its accesses that happened before what a warp does now.
    public int[] known(int warp) {
        return known[warp];
    }

    /// The greatest stamp of an access, of any warp, such that all up to it happened before what a
    /// warp does now.
    public long limit(int warp) {
        if (limits[warp] < 0) {
            int least = Integer.MAX_VALUE;
            for (int other = 0; other < known.length; other++) {
                least = Math.min(least, known[warp][other]);
            }
            limits[warp] = (long) least << 32 | 0xffff_ffffL;
        }
        return limits[warp];
    }

    public void synchronizeWarp(int warp) {
        tick(warp);
    }

    private void tick(int warp) {
        known[warp][warp]++;
        limits[warp] = -1;
    }

    public void joinAll(List<Warp> warps) {
        int[] joined = new int[WARPS];
        int arrived = 0;
        for (Warp warp : warps) {
            if ((arrived >>> warp.index() & 1) == 0) {
                arrived |= 1 << warp.index();
                tick(warp.index());
                join(joined, known[warp.index()]);
            }
        }
        for (int warp = 0; warp < known.length; warp++) {
            if ((arrived >>> warp & 1) != 0) {
                join(known[warp], joined);
            }
        }
    }

    public void release(long object, int warp) {
        tick(warp);
        join(objects.computeIfAbsent(object, k -> new int[WARPS]), known[warp]);
    }

    public void acquire(long object, int warp) {
        int[] released = objects.get(object);
        if (released != null) {
            join(known[warp], released);
            limits[warp] = -1;
        }
    }

    private static void join(int[] into, int[] from) {
        for (int i = 0; i < into.length; i++) {
            into[i] = Math.max(into[i], from[i]);
        }
    }
}
