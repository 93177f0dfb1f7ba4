package dev.heddle.vm.state;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;

/// How often lanes ran each block, on one worker; and the limits they must keep.
public final class ExecutionCounters {
    /// Steps that a product of matrices takes as long as, before it is compiled.
    public static final int PRODUCT_WEIGHT = 256;

    /// Steps of a warp after which the limits are asked: about 30 ms of the interpreter.
    private static final long PORTION = 1 << 15;

    /// Longs that keep what one worker counts away from what the next one does: where both are in
    /// one line of a cache, every count waits for the other processor.
    private static final int APART = 32;

    private final long[][] lanes;
    private final int[][] lengths;
    private final Limits limits;
    private final EndlessLoopDetector loops = new EndlessLoopDetector();
    private long clock;
    private long pause;
    private long work;

    public ExecutionCounters(Program program, Limits limits) {
        this.limits = limits;
        lanes = new long[program.codes().size()][];
        lengths = new int[lanes.length][];
        for (Code code : program.codes()) {
            lanes[code.index()] = new long[code.blocks().size() + APART];
            lengths[code.index()] =
                    code.blocks().stream()
                            .mapToInt(block -> Math.max(1, block.steps().size()))
                            .toArray();
        }
    }

    /// Lanes ran a block.
    public void charge(Code code, int block, int mask, Warp warp) {
        int count = Integer.bitCount(mask);
        lanes[code.index()][block] += count;
        int length = lengths[code.index()][block];
        work += (long) count * length;
        clock += length;
        if (clock >= pause) {
            refill(code, block, mask, warp);
        }
    }

    /// How many steps of a warp may be taken before the limits are asked.
    public long budget() {
        return pause - clock;
    }

    /// Lanes ran blocks that they counted themselves.
    ///
    /// @param steps of warps
    /// @param taken steps of lanes
    public void spend(long steps, long taken) {
        clock += steps;
        work += taken;
    }

    /// Asks the limits.
    public void refill(Code code, int block, int mask, Warp warp) {
        if (loops.repeats(warp, block, mask, clock)) {
            throw LimitReport.endless(code, block, mask, warp);
        }
        if (loops.isLooking()) {
            // Whoever counts blocks himself takes one, and asks again.
            pause = clock + 1;
            return;
        }
        Limits.Refusal refusal = limits.take(work);
        if (refusal != null) {
            throw LimitReport.at(code, block, mask, warp, refusal.message());
        }
        work = 0;
        pause = clock + Math.min(PORTION, limits.portion());
    }

    /// Whether only time bounds the launch, and not steps.
    public boolean isUnbounded() {
        return limits.portion() >= PORTION;
    }

    /// Asks the limits for whole CTAs, whose steps nobody bounds. Returns whether they allow more.
    public boolean refill() {
        if (limits.take(work) != null) {
            return false;
        }
        work = 0;
        pause = clock + PORTION;
        return true;
    }

    /// A step took as long as so many others: the limits are asked sooner.
    public void weigh(int steps) {
        pause -= steps;
    }

    /// Lane counts of a code, by block, and more behind them; for generated code.
    public long[] of(Code code) {
        return lanes[code.index()];
    }

    public long clock() {
        return clock;
    }
}
