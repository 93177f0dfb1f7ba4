package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.report.Verdict;

/// How often lanes ran each block, on one worker; and the limits they must keep.
public final class Counters {
    private final long[][] lanes;
    private final int[][] lengths;
    private final Limits limits;
    private long clock;
    private long left;

    Counters(Program program, Limits limits) {
        this.limits = limits;
        lanes = new long[program.codes().size()][];
        lengths = new int[lanes.length][];
        for (Code code : program.codes()) {
            lanes[code.index()] = new long[code.blocks().size()];
            lengths[code.index()] =
                    code.blocks().stream()
                            .mapToInt(block -> Math.max(1, block.steps().size()))
                            .toArray();
        }
        left = 0;
    }

    /// Lanes ran a block.
    void charge(Code code, int block, int mask, Warp warp) {
        int count = Integer.bitCount(mask);
        lanes[code.index()][block] += count;
        long work = (long) count * lengths[code.index()][block];
        clock += lengths[code.index()][block];
        left -= work;
        if (left < 0) {
            refill(code, block, warp);
        }
    }

    private void refill(Code code, int block, Warp warp) {
        Limits.Refusal refusal = limits.take(Limits.PORTION);
        if (refusal != null) {
            throw warp.faults()
                    .fault(
                            Verdict.RESOURCE_EXHAUSTED,
                            "",
                            "",
                            code.blocks().get(block).exit().site(),
                            -1,
                            refusal.message());
        }
        left += Limits.PORTION;
    }

    /// Lane counts of a code, by block; for generated code.
    public long[] of(Code code) {
        return lanes[code.index()];
    }

    long clock() {
        return clock;
    }
}
