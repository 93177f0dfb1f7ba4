package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/// Up to which clock threads of other CTAs have accessed a memory: behind a barrier of the cluster,
/// all that was done there is over, whichever words are asked about.
final class LatestOfCtas {
    private int[] ctas = new int[4];
    private int[] clocks = new int[4];
    private int count;

    // The last that was asked: its CTA and what it knows, and whether all was over for it.
    private int askedBy;
    private @Nullable VectorClock asked;
    private boolean areOver;

    void clear() {
        count = 0;
        asked = null;
    }

    /// A thread of a CTA has accessed the memory.
    ///
    /// @param cta its index in the grid
    void add(int cta, int clock) {
        int i = 0;
        while (i < count && ctas[i] != cta) {
            i++;
        }
        if (i == count) {
            if (count == ctas.length) {
                ctas = Arrays.copyOf(ctas, 2 * count);
                clocks = Arrays.copyOf(clocks, 2 * count);
            }
            ctas[count] = cta;
            clocks[count++] = clock;
            asked = null;
        } else if (clock > clocks[i]) {
            clocks[i] = clock;
            asked = null;
        }
    }

    /// Whether all is over for a thread, whoever did it. Where not, some may be.
    ///
    /// @param by the order of the thread's CTA
    @SuppressWarnings("ReferenceEquality") // saves work only
    boolean areOver(HappensBefore by, int thread) {
        VectorClock known = by.known(thread);
        if (known != asked || by.cta() != askedBy) {
            asked = known;
            askedBy = by.cta();
            areOver = areUpTo(new OverFor(by, thread)::limit);
        }
        return areOver;
    }

    /// Whether all was done up to a limit.
    ///
    /// @param limits a clock for each CTA
    boolean areUpTo(IntUnaryOperator limits) {
        for (int i = 0; i < count; i++) {
            if (clocks[i] > limits.applyAsInt(ctas[i])) {
                return false;
            }
        }
        return true;
    }
}
