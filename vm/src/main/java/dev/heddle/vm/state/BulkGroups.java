package dev.heddle.vm.state;

import dev.heddle.vm.ir.Step;
import dev.heddle.vm.memory.AsyncOperation;

/// The bulk groups of each lane of a warp (PTX ISA 9.7.9.25.4). Bytes are copied when the copy
/// begins; the numbers say what a wait is for.
public final class BulkGroups {
    private final Warp warp;
    private final int[] committed = new int[32];

    public BulkGroups(Warp warp) {
        this.warp = warp;
    }

    public void clear() {
        java.util.Arrays.fill(committed, 0);
    }

    /// The group that a copy begun now by this lane belongs to.
    public int current(int lane) {
        return committed[lane];
    }

    public void apply(Step.BulkGroup step, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            switch (step.kind()) {
                case COMMIT -> committed[lane]++;
                case WAIT ->
                        warp.cta()
                                .asyncListener()
                                .waited(
                                        warp.cta().index(),
                                        warp.thread(lane),
                                        new AsyncOperation.Completion.BulkGroup(
                                                committed[lane] - step.pending() - 1));
            }
        }
    }
}
