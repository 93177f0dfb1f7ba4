package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionKind.Proxy;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Grid;

import java.util.Arrays;

/// Weak writes of warps that asynchronous operations may read: over for the threads that began
/// these, and fenced.
///
/// Lanes of a warp mostly write a word each at once, and once they are in order they stay so: an
/// instruction's writes are judged for all lanes together, and what came of it is kept.
final class FencedWrites {
    private static final int KEPT_BITS = 9;
    private static final int KEPT = 1 << KEPT_BITS;

    /// An odd number near the golden ratio of 2^64: products with it differ in their upper bits.
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    private final Cta cta;
    private final SharedShadow shadow;

    // By place: the stamp of lane 0, who reads, and whether that is in order for all lanes. None
    // until somebody asks: most launches have no such operations.
    private long[] writes = {};
    private int[] readers = {};
    private boolean[] inOrder = {};

    FencedWrites(Cta cta, SharedShadow shadow) {
        this.cta = cta;
        this.shadow = shadow;
    }

    /// Forgets everything.
    void clear() {
        Arrays.fill(writes, Stamp.NOBODY);
    }

    /// Whether whatever a write's lane, these threads may read it. Where not, a closer look at the
    /// one lane is needed.
    ///
    /// @param write the stamp of the only write of a place
    boolean mayRead(long write, int[] threads) {
        int writer = Stamp.thread(write);
        if (write == Stamp.NOBODY || Stamp.kind(write) != Stamp.WEAK || isAsync(writer)) {
            return false;
        }
        if (writes.length == 0) {
            writes = new long[KEPT];
            readers = new int[KEPT];
            inOrder = new boolean[KEPT];
        }
        long row = write & -32L;
        int reader = 8 * threads[0] + threads.length;
        int place = (int) ((31 * row + reader) * SPREAD >>> Long.SIZE - KEPT_BITS);
        if (writes[place] != row || readers[place] != reader) {
            writes[place] = row;
            readers[place] = reader;
            inOrder[place] = areInOrder(row, threads);
        }
        return inOrder[place];
    }

    /// Whether these threads may read a region, whose writes are judged by their clocks alone.
    ///
    /// @param write the stamp of some write there
    boolean mayRead(int at, int end, long write, int[] threads) {
        if (isAsync(Stamp.thread(write))) {
            return false;
        }
        int limit = Integer.MAX_VALUE;
        for (int reader : threads) {
            limit = Math.min(limit, shadow.proxyFences().limit(reader));
        }
        return shadow.wholeRegions().areWrittenBy(limit, at, end);
    }

    /// Whether an operation of the async proxy made a write, alone, that is over for these threads:
    /// those need no fence.
    boolean isOverAside(long write, int[] threads) {
        int writer = Stamp.thread(write);
        boolean isOver = isAsync(writer) && Stamp.kind(write) == Stamp.WEAK && !needsFence(write);
        for (int i = 0; i < threads.length && isOver; i++) {
            isOver = shadow.order().isOver(writer, Stamp.clock(write), threads[i]);
        }
        return isOver;
    }

    private boolean areInOrder(long row, int[] threads) {
        int first = Stamp.thread(row);
        int clock = Stamp.clock(row);
        boolean isFenced = !needsFence(row);
        for (int reader : threads) {
            if (!areOver(first, clock, reader)) {
                return false;
            }
            if (!isFenced && !shadow.proxyFences().areBetween(first, clock, reader)) {
                return false;
            }
        }
        return true;
    }

    /// Whether what all lanes of a warp did at a clock is over for a thread.
    private boolean areOver(int first, int clock, int reader) {
        HappensBefore order = shadow.order();
        if (!isAsync(reader) && clock <= order.limit(reader / 32)) {
            return true;
        }
        for (int writer = first; writer < first + 32; writer++) {
            if (!order.isOver(writer, clock, reader)) {
                return false;
            }
        }
        return true;
    }

    boolean isAsync(int thread) {
        return thread >= shadow.order().asyncThread(0);
    }

    boolean needsFence(long write) {
        return needsFence(cta.grid(), write);
    }

    /// Whether a write needs a fence before it is read through the async proxy. Those of
    /// `st.async` and `red.async` do: what is no operation of the async proxy by the manual is one
    /// of the generic proxy (PTX ISA 8.6 and 9.7.9.25.2). Those of `cp.async` are waited for, and
    /// CUTLASS multiplies what it has copied so with no other fence.
    static boolean needsFence(Grid grid, long write) {
        int site = Stamp.site(write);
        return write != Stamp.NOBODY
                && site != Stamp.NO_SITE
                && grid.checks(RuleGroup.ASYNC)
                && isGeneric(grid.program().sites().get(site).kind());
    }

    private static boolean isGeneric(InstructionKind kind) {
        return kind.proxy() == Proxy.GENERIC && kind != InstructionKind.ASYNC_COPY;
    }
}
