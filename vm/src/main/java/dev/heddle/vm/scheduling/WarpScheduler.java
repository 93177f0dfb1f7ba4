package dev.heddle.vm.scheduling;

import dev.heddle.vm.collective.WarpSynchronization;
import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

/// Says which lanes of a warp run next, and with which executor.
record WarpScheduler(
        Warp warp,
        Executor executor,
        Interpreter interpreter,
        WarpSynchronization synchronization) {
    /// Runs until no lane can go on by itself. Returns whether any lane did.
    boolean run() {
        boolean progress = false;
        warp.begin();
        while (true) {
            Frame frame = pick();
            if (frame == null) {
                if (synchronization.retry()) {
                    continue;
                }
                return progress;
            }
            progress = true;
            // Nobody overtakes the only lanes that are ready.
            boolean alone = warp.isAlone() && isDiverged();
            warp.setAlone(alone);
            int block =
                    alone && frame == warp.running()
                            ? frame.after(warp.runningAt())
                            : frame.first();
            warp.runs(frame, block);
            int mask = frame.take(block);
            if (alone) {
                interpreter.runAlone(frame, block, mask);
            } else if (warp.isWatched()) {
                interpreter.runBlock(frame, block, mask);
            } else {
                executor.run(frame, block, mask);
            }
            if (warp.hasSpun()) {
                // Lanes that spin stay on the smallest block: whoever they wait for must come
                // first for once.
                warp.setAlone(isDiverged());
                return true;
            }
        }
    }

    /// The frame to run: the newest with lanes ready; after a slice of spinning, another than the
    /// last if there is one.
    private @Nullable Frame pick() {
        Frame newest = null;
        for (int i = warp.frames().size() - 1; i >= 0; i--) {
            Frame frame = warp.frames().get(i);
            if (frame.pendingLanes == 0) {
                continue;
            }
            if (newest == null) {
                newest = frame;
            }
            if (!warp.isAlone() || frame != warp.running() || moreThanOneBlock(frame)) {
                return frame;
            }
        }
        return newest;
    }

    private static boolean moreThanOneBlock(Frame frame) {
        return frame.pending[frame.first()] != frame.pendingLanes;
    }

    private boolean isDiverged() {
        int groupsReady = 0;
        for (Frame frame : warp.frames()) {
            if (frame.pendingLanes != 0) {
                groupsReady += moreThanOneBlock(frame) ? 2 : 1;
            }
        }
        return groupsReady > 1;
    }
}
