package dev.heddle.cuda;

/// What the driver's assembler does to PTX besides translating it.
public enum Optimization {
    /// Nothing: what differs from a run with [#FULL] was changed by the optimiser.
    NONE(0),
    /// What it does when nobody asks.
    FULL(4);

    private final int level;

    Optimization(int level) {
        this.level = level;
    }

    /// The value of `CU_JIT_OPTIMIZATION_LEVEL`.
    int level() {
        return level;
    }
}
