package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What machine code knows of a CTA whose warps it runs in turn, outside of Java's heap: where the
/// CTA stands, and the contexts of its warps with their registers behind them.
final class CtaContext {
    // Offsets in bytes.
    static final int FIRST = 0;
    static final int END = 8;
    /// The context of the warp that ran last.
    static final int CURRENT = 16;
    /// Warps that have not ended.
    static final int ALIVE = 24;
    static final int WARPS = 28;
    /// CTAs to run, this one among them.
    static final int LEFT = 32;
    static final int X = 36;
    static final int Y = 40;
    static final int Z = 44;
    static final int ACROSS_X = 48;
    static final int ACROSS_Y = 52;
    /// Barriers that all have passed, and CTAs that have ended.
    static final int ROUND = 56;
    /// Warps that wait at a barrier.
    static final int WAITING = 64;
    private static final int BYTES = 128;

    /// Stands in [WarpContext#AT] while a warp is at its start.
    static final int NOT_BEGUN = -1;

    private final Cta cta;
    private final Code code;
    private final Layout layout;
    private final MemorySegment bytes;
    private final WarpContext[] warps;
    private long first;
    private long count;

    /// Where things stand, the same for every CTA of a kernel.
    ///
    /// @param words registers, in bytes from a warp's context
    /// @param stride bytes from one warp to the next
    /// @param start where the list of entries has the start of a warp
    /// @param skip where it has the way around a warp that has ended
    record Layout(
            int words, int longs, int predicates, int pending, int stride, int start, int skip) {
        Layout(Code code) {
            this(
                    WarpContext.BYTES,
                    WarpContext.BYTES + 128 * code.words(),
                    WarpContext.BYTES + 128 * code.words() + 256 * code.longs(),
                    WarpContext.BYTES
                            + 128 * code.words()
                            + 256 * code.longs()
                            + whole(4 * code.predicates()),
                    WarpContext.BYTES
                            + 128 * code.words()
                            + 256 * code.longs()
                            + whole(4 * code.predicates())
                            + whole(4 * code.blocks().size()),
                    code.blocks().size(),
                    code.blocks().size() + 1);
        }

        /// Whole lines of a cache.
        private static int whole(int bytes) {
            return bytes + 63 & -64;
        }
    }

    /// A CTA that is at no place in its grid yet.
    ///
    /// @param entries the list of entries
    CtaContext(Cta cta, Code code, MemorySegment entries) {
        this.cta = cta;
        this.code = code;
        layout = new Layout(code);
        Grid grid = cta.grid();
        int stride = layout.stride();
        MemorySegment all = Arena.ofAuto().allocate(BYTES + (long) stride * cta.warps().length, 64);
        bytes = all.asSlice(0, BYTES);
        warps = new WarpContext[cta.warps().length];
        MemorySegment counts = MemorySegment.ofArray(cta.counters().of(code));
        for (int i = 0; i < warps.length; i++) {
            MemorySegment warp = all.asSlice(BYTES + (long) stride * i, stride);
            warps[i] =
                    new WarpContext(
                            cta.warps()[i],
                            warp.asSlice(0, WarpContext.BYTES),
                            warp.asSlice(layout.words(), 128L * code.words()),
                            warp.asSlice(layout.longs(), 256L * code.longs()),
                            warp.asSlice(layout.predicates(), 4L * code.predicates()),
                            warp.asSlice(layout.pending(), 4L * code.blocks().size()),
                            counts);
            warps[i].setLong(WarpContext.CTA, bytes.address());
            warps[i].setLong(WarpContext.ENTRIES, entries.address());
            warps[i].setInt(WarpContext.INITIAL, cta.warps()[i].initial());
        }
        setLong(FIRST, warps[0].bytes.address());
        setLong(END, warps[0].bytes.address() + (long) stride * warps.length);
        setInt(WARPS, warps.length);
        setInt(ACROSS_X, grid.extent().x());
        setInt(ACROSS_Y, grid.extent().y());
    }

    /// Whether lanes end at the end of a block.
    static boolean ends(Block block) {
        return block.exit() instanceof Exit.Return || block.exit() instanceof Exit.ThreadExit;
    }

    /// Lets all warps stand at the start of a CTA.
    ///
    /// @param start the entry
    /// @param from the linear index of the CTA, which Java has made ready
    /// @param many how many CTAs to run
    void begin(long start, long from, long many) {
        first = from;
        count = many;
        setInt(X, cta.x());
        setInt(Y, cta.y());
        setInt(Z, cta.z());
        setInt(ALIVE, warps.length);
        setInt(WAITING, 0);
        setInt(LEFT, (int) many);
        setLong(ROUND, round() + 1);
        for (WarpContext warp : warps) {
            warp.pending.fill((byte) 0);
            warp.setInt(WarpContext.PENDING_LANES, 0);
            warp.setInt(WarpContext.LOWEST, Integer.MAX_VALUE);
            warp.setInt(WarpContext.AT, NOT_BEGUN);
            warp.setLong(WarpContext.ENTRY, start);
        }
    }

    /// CTAs that have ended.
    long ended() {
        return count - bytes.get(ValueLayout.JAVA_INT, LEFT);
    }

    /// Whether machine code with this list of entries made it.
    boolean isOf(MemorySegment entries) {
        return warps[0].getLong(WarpContext.ENTRIES) == entries.address();
    }

    private long round() {
        return bytes.get(ValueLayout.JAVA_LONG, ROUND);
    }

    private int currentNumber() {
        return (int)
                ((bytes.get(ValueLayout.JAVA_LONG, CURRENT) - warps[0].bytes.address())
                        / layout.stride());
    }

    /// The warp that runs, or ran last.
    WarpContext current() {
        return warps[currentNumber()];
    }

    /// Its frame.
    Frame frame() {
        return cta.warps()[currentNumber()].frames().getFirst();
    }

    /// The warp that is the first to run.
    WarpContext first() {
        return warps[0];
    }

    /// Whether a warp has stored anything since this was asked last.
    boolean takeChanged() {
        boolean changed = false;
        for (WarpContext warp : warps) {
            changed |= warp.getInt(WarpContext.CHANGED) != 0;
            warp.setInt(WarpContext.CHANGED, 0);
        }
        return changed;
    }

    /// Lets Java go on with the CTA that is left in the middle: its frames and barriers take over
    /// what this knows. The lanes of the current warp that run are left out.
    void handOver(Executor executor) {
        byte[] shared = cta.shared().toArray(ValueLayout.JAVA_BYTE);
        cta.cluster().restart(first + ended(), executor);
        MemorySegment.copy(shared, 0, cta.shared(), ValueLayout.JAVA_BYTE, 0, shared.length);
        int current = currentNumber();
        cta.leaveAt(current);
        for (int i = 0; i < warps.length; i++) {
            if (warps[i].getInt(WarpContext.AT) != NOT_BEGUN || i == current) {
                handOver(cta.warps()[i], warps[i], i == current);
            }
        }
    }

    private void handOver(Warp warp, WarpContext context, boolean runs) {
        Frame frame = warp.frames().getFirst();
        frame.take(0);
        copy(context.words, MemorySegment.ofArray(frame.words));
        copy(context.longs, MemorySegment.ofArray(frame.longs));
        copy(context.predicates, MemorySegment.ofArray(frame.predicates));
        end(warp, frame, context);
        for (int block = 0; block < frame.pending.length; block++) {
            frame.park(block, context.pending.getAtIndex(ValueLayout.JAVA_INT, block));
        }
        int live = context.getInt(WarpContext.LIVE);
        if (live == 0 || runs) {
            return;
        }
        Exit exit = code.blocks().get(context.getInt(WarpContext.AT)).exit();
        if (context.getLong(WarpContext.WAITS) == round()) {
            warp.units().leave(frame, exit, live);
        } else if (exit instanceof Exit.Synchronize joint) {
            frame.park(joint.next(), live);
        }
    }

    /// The lanes that have ended do so in Java, too.
    private void end(Warp warp, Frame frame, WarpContext context) {
        int ordinal = 0;
        for (Block block : code.blocks()) {
            if (ends(block)) {
                int lanes = context.getInt(WarpContext.ENDED + 4 * ordinal++);
                if (lanes != 0) {
                    warp.endsAt(block.exit().site(), lanes);
                    warp.end(frame, lanes);
                }
            }
        }
    }

    private static void copy(MemorySegment from, MemorySegment to) {
        MemorySegment.copy(from, 0, to, 0, from.byteSize());
    }

    private void setInt(int offset, int value) {
        bytes.set(ValueLayout.JAVA_INT, offset, value);
    }

    private void setLong(int offset, long value) {
        bytes.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
