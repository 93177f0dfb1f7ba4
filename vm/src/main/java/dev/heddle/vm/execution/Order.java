package dev.heddle.vm.execution;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What happened before what in a CTA: a vector clock a warp, joined at barriers and at releases
/// and acquires; and a count of
/// `bar.warp.sync` in each warp.
final class Order {
    private final int[][] clocks;
    private final int[] warpEpochs;
    private final Map<Long, int[]> objects = new HashMap<>();

    Order(int warps) {
        clocks = new int[warps][warps];
        warpEpochs = new int[warps];
        clear();
    }

    void clear() {
        for (int warp = 0; warp < clocks.length; warp++) {
            Arrays.fill(clocks[warp], 0);
            clocks[warp][warp] = 1;
        }
        Arrays.fill(warpEpochs, 0);
        objects.clear();
    }

    int clock(int warp) {
        return clocks[warp][warp];
    }

    int epoch(int warp) {
        return warpEpochs[warp];
    }

    /// Whether an access of one warp, stamped with its clock and epoch, happened before what the
    /// other does now.
    boolean isBefore(int earlier, int clock, int epoch, int later) {
        return earlier == later ? epoch < warpEpochs[later] : clock <= clocks[later][earlier];
    }

    void synchronizeWarp(int warp) {
        warpEpochs[warp]++;
    }

    void joinAll(List<Warp> warps) {
        int[] joined = new int[clocks.length];
        for (Warp warp : warps) {
            join(joined, clocks[warp.index()]);
        }
        for (Warp warp : warps) {
            join(clocks[warp.index()], joined);
        }
        for (int i = 0; i < clocks.length; i++) {
            for (Warp warp : warps) {
                if (warp.index() == i) {
                    clocks[i][i]++;
                    warpEpochs[i]++;
                    break;
                }
            }
        }
    }

    void release(long object, int warp) {
        join(objects.computeIfAbsent(object, k -> new int[clocks.length]), clocks[warp]);
        clocks[warp][warp]++;
        warpEpochs[warp]++;
    }

    void acquire(long object, int warp) {
        int[] released = objects.get(object);
        if (released != null) {
            join(clocks[warp], released);
            clocks[warp][warp]++;
            warpEpochs[warp]++;
        }
    }

    private static void join(int[] into, int[] from) {
        for (int i = 0; i < into.length; i++) {
            into[i] = Math.max(into[i], from[i]);
        }
    }
}
