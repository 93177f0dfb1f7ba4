package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Where threads of a CTA have last arrived at a barrier, or waited at one, `.relaxed`: that orders
/// nothing (PTX ISA 9.7.13.3, 9.7.13.15.13), and who looks for what is missing must be told.
public final class RelaxedBarriers {
    private final int threads;

    // By thread, from the first arrival on: the instruction, and the clocks of what is before it,
    // but not before a fence that releases, which does order that.
    private int @Nullable [] arrivals;
    private int[] after = {};
    private int[] upTo = {};

    // By thread, from the first wait on: the instruction, and what it would have learnt.
    private int @Nullable [] waits;
    private @Nullable VectorClock[] missed = {};

    RelaxedBarriers(int threads) {
        this.threads = threads;
    }

    void clear() {
        arrivals = null;
        waits = null;
    }

    private int[] none() {
        int[] none = new int[threads];
        Arrays.fill(none, Stamp.NO_SITE);
        return none;
    }

    /// Lanes of a warp arrive, behind what they did until now.
    public void arrived(HappensBefore order, int warp, int lanes, int site) {
        if (arrivals == null) {
            arrivals = none();
            after = new int[threads];
            upTo = new int[threads];
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int thread = 32 * warp + Integer.numberOfTrailingZeros(rest);
            arrivals[thread] = site;
            after[thread] = order.strong().fences().releasedUpTo(thread);
            upTo[thread] = order.clock(warp);
        }
        order.tick(warp);
    }

    /// Lanes of a warp have seen a phase end.
    ///
    /// @param all what they would know had they acquired it
    void waited(int warp, int lanes, int site, VectorClock all) {
        if (waits == null) {
            waits = none();
            missed = new VectorClock[threads];
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int thread = 32 * warp + Integer.numberOfTrailingZeros(rest);
            waits[thread] = site;
            missed[thread] = all;
        }
    }

    /// The instruction by which a thread arrived behind what it did at a clock, or
    /// [Stamp#NO_SITE].
    public int arrivalBehind(int thread, int clock) {
        return arrivals == null
                        || thread >= threads
                        || clock <= after[thread]
                        || clock > upTo[thread]
                ? Stamp.NO_SITE
                : arrivals[thread];
    }

    /// The instruction by which a thread waited for what a thread of some CTA did at a clock, or
    /// [Stamp#NO_SITE].
    ///
    /// @param home the index of this CTA
    public int waitFor(int thread, int home, int cta, int other, int clock) {
        VectorClock all = waits == null ? null : missed[thread];
        return waits == null || all == null || all.of(home, cta, other) < clock
                ? Stamp.NO_SITE
                : waits[thread];
    }
}
