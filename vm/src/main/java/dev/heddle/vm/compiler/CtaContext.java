package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.shadow.PlannedReads;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

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

    // With checks. Stamps of shared and of global memory that an access of now leaves, without
    // thread and instruction; the latter also as the CTA begins, and how those of two CTAs differ.
    static final int NOW = 72;
    static final int GLOBAL_NOW = 80;
    static final int FIRST_NOW = 88;
    static final int NEXT_CTA = 96;
    /// Where the stamps of shared memory stand, for as long as a call takes; and their bytes.
    static final int WRITES = 104;
    static final int READS = 112;
    static final int STAMP_BYTES = 120;
    /// Where the stamps of global memory stand, and from a byte of it to its mark.
    static final int SECTORS = 128;
    static final int MARKS = 136;
    /// Where the next reads are noted ([SharedReads]), and the bounds of the notes.
    static final int NOTE_AT = 144;
    static final int NOTES = 152;
    static final int NOTES_END = 160;
    /// When there are no more clocks.
    static final int LAST_NOW = 168;
    /// Bits of the stamps of global memory.
    static final int THREADS_MASK = 176;
    static final int CTA_MASK = 184;
    static final int CLOCK_MASK = 192;
    /// Where the locks of the pages of global memory stand; 0 where one worker runs all CTAs.
    static final int LOCKS = 200;
    private static final int ACCESSES = 256;
    static final int ACCESS_BYTES = 32;

    // Of an access to global memory, from its place on: the stamp that it leaves, without CTA,
    // thread and clock; and where half a warp may begin in the buffer that it met last.
    static final int STAMP = 0;
    static final int BUFFER_FROM = 8;
    static final int BUFFER_LAST = 16;

    /// Stands in [WarpContext#AT] while a warp is at its start.
    static final int NOT_BEGUN = -1;

    private final Cta cta;
    private final Code code;
    private final Layout layout;
    private final MemorySegment bytes;
    private final WarpContext[] warps;
    private final @Nullable CtaShadow shadow;
    private long first;
    private long count;
    private long firstRound;

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
    /// @param accesses to global memory that machine code looks at, with checks
    /// @param reads of shared memory that it notes; null without checks
    /// @param pointers of the kernel
    CtaContext(
            Cta cta,
            Code code,
            MemorySegment entries,
            List<MemoryEmitter.Plain> accesses,
            @Nullable List<PlannedReads> reads,
            PointerParameters pointers) {
        this.cta = cta;
        this.code = code;
        layout = new Layout(code);
        Grid grid = cta.grid();
        int stride = layout.stride();
        int own = Layout.whole(access(accesses.size()));
        MemorySegment all = Arena.ofAuto().allocate(own + (long) stride * cta.warps().length, 64);
        bytes = all.asSlice(0, own);
        warps = new WarpContext[cta.warps().length];
        MemorySegment counts = MemorySegment.ofArray(cta.counters().of(code));
        for (int i = 0; i < warps.length; i++) {
            MemorySegment warp = all.asSlice(own + (long) stride * i, stride);
            warps[i] =
                    new WarpContext(
                            cta.warps()[i],
                            grid.arena(),
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
        setInt(ACROSS_X, grid.shape().extent().x());
        setInt(ACROSS_Y, grid.shape().extent().y());
        shadow =
                reads == null
                        ? null
                        : new CtaShadow(cta, bytes, barrier(code), accesses, reads, pointers);
    }

    /// Where what is known of an access to global memory stands.
    static int access(int number) {
        return ACCESSES + number * ACCESS_BYTES;
    }

    /// The number of the only barrier.
    private static int barrier(Code code) {
        return code.blocks().stream()
                .mapToInt(block -> Barriers.number(block.exit()))
                .max()
                .orElse(0);
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
        firstRound = round();
        setLong(ROUND, firstRound + 1);
        if (shadow != null) {
            shadow.begin(from);
        }
        for (WarpContext warp : warps) {
            warp.pending.fill((byte) 0);
            warp.setInt(WarpContext.PENDING_LANES, 0);
            warp.setInt(WarpContext.LOWEST, Integer.MAX_VALUE);
            warp.setInt(WarpContext.AT, NOT_BEGUN);
            warp.setLong(WarpContext.ENTRY, start);
        }
    }

    /// The shadow memory that machine code looks at, or null without checks.
    @Nullable CtaShadow shadow() {
        return shadow;
    }

    /// The linear index of the CTA that runs.
    private long index() {
        return first + ended();
    }

    /// Java takes a step of the current warp, which goes on behind it.
    void step(MachineCodeEmitter.Stop stop, CtaShadow known, Executor executor) {
        known.join(index(), executor);
        Frame frame = frame();
        WarpContext warp = current();
        List<Step> steps = code.blocks().get(stop.block()).steps();
        Step step = steps.get(stop.step());
        // What a message about the instruction tells is read by steps of the same instruction.
        for (int i = stop.step(); i >= 0 && steps.get(i).site().equals(step.site()); i--) {
            steps.get(i).reads().forEach(register -> toFrame(warp, frame, register));
        }
        step.writes().forEach(register -> toFrame(warp, frame, register));
        frame.takeVisits(warp);
        frame.warp.runs(frame, stop.block());
        known.step(frame, step, warp.getInt(WarpContext.MASK));
        step.writes().forEach(register -> fromFrame(warp, frame, register));
        if (step instanceof Step.Store) {
            warp.setInt(WarpContext.CHANGED, 1);
        }
    }

    private static void toFrame(WarpContext warp, Frame frame, Register register) {
        int at = register.index();
        ValueLayout.OfInt word = ValueLayout.JAVA_INT;
        switch (register.width()) {
            case PREDICATE -> frame.predicates[at] = warp.predicates.getAtIndex(word, at);
            case WORD -> MemorySegment.copy(warp.words, word, 128L * at, frame.words, 32 * at, 32);
            case LONG ->
                    MemorySegment.copy(
                            warp.longs, ValueLayout.JAVA_LONG, 256L * at, frame.longs, 32 * at, 32);
        }
    }

    private static void fromFrame(WarpContext warp, Frame frame, Register register) {
        int at = register.index();
        ValueLayout.OfInt word = ValueLayout.JAVA_INT;
        switch (register.width()) {
            case PREDICATE -> warp.predicates.setAtIndex(word, at, frame.predicates[at]);
            case WORD -> MemorySegment.copy(frame.words, 32 * at, warp.words, word, 128L * at, 32);
            case LONG ->
                    MemorySegment.copy(
                            frame.longs, 32 * at, warp.longs, ValueLayout.JAVA_LONG, 256L * at, 32);
        }
    }

    /// How often warps have run until they met at a barrier or ended, with those that run now,
    /// since Java handed over.
    long legs() {
        return warps.length * (round() - firstRound + 1);
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
        if (shadow == null) {
            byte[] shared = cta.shared().toArray(ValueLayout.JAVA_BYTE);
            cta.cluster().restart(index(), executor);
            MemorySegment.copy(shared, 0, cta.shared(), ValueLayout.JAVA_BYTE, 0, shared.length);
        } else {
            shadow.join(index(), executor);
        }
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
        frame.takeVisits(context);
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

    private static void copy(MemorySegment from, MemorySegment to) {
        MemorySegment.copy(from, 0, to, 0, from.byteSize());
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

    private void setInt(int offset, int value) {
        bytes.set(ValueLayout.JAVA_INT, offset, value);
    }

    private void setLong(int offset, long value) {
        bytes.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
