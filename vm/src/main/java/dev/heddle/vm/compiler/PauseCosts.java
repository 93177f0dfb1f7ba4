package dev.heddle.vm.compiler;

/// Whether whole CTAs of a kernel run by machine code with checks, in whose midst Java takes single
/// steps. Where it takes too many, warps run by themselves from then on: they have machine code for
/// more of what checks look at, but return to Java at each barrier and at their ends.
final class PauseCosts {
    /// A step of Java in the midst of a CTA takes about as long as a warp by itself takes to return
    /// to Java so often.
    private static final int LEGS_OF_PAUSE = 8;

    /// Steps of Java too few to judge by.
    private static final int FEW = 4;

    /// Steps after which the end of a call is not waited for.
    private static final int MOST = 128;

    /// Calls one after the other with too many: the first CTAs of a grid meet much that those
    /// behind them do not.
    private static final int MOST_SLOW_CALLS = 4;

    private volatile int slowCalls;

    /// Whether whole CTAs are worth it.
    boolean areWorth() {
        return slowCalls < MOST_SLOW_CALLS;
    }

    /// Whether so many steps of Java in one call are enough to know.
    ///
    /// @param legs how often warps have run until they met at a barrier or ended
    static boolean areFarTooMany(long pauses, long legs) {
        return pauses > MOST + legs;
    }

    /// A call has come to its end.
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one more or less is as good
    void judge(long pauses, long legs) {
        if (areFarTooMany(pauses, legs)) {
            slowCalls = MOST_SLOW_CALLS;
        } else if (areWorth()) {
            boolean isSlow = pauses > FEW && LEGS_OF_PAUSE * pauses > legs;
            slowCalls = isSlow ? slowCalls + 1 : 0;
        }
    }
}
