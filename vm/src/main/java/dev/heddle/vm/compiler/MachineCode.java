package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.ExecutableMemory;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.shadow.RowPlans;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.ExecutionCounters;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.NamedBarrier.Arrival;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// A kernel as machine code of this processor, and how its warps run by it.
final class MachineCode {
    private static final boolean AVAILABLE = Processor.runsMachineCode();

    /// The widest access: memory that has fewer bytes is left to Java.
    private static final int WIDEST = 16;

    /// Budgets that a CTA may spend without storing anything before Java looks at it: it may be in
    /// a loop without end.
    private static final int PATIENCE = 4;

    private final Code code;
    private final boolean checked;
    private final Checking checking;
    private final List<MemoryEmitter.Plain> accesses;
    private final ExecutableMemory memory;
    private final long[] entries;
    private final MemorySegment entryList;
    private final boolean runsCtas;
    private final MachineCodeEmitter.Stop[] stops;
    private final long[] resumptions;
    private final Interpreter interpreter = new Interpreter();
    private final Exit[] exits;
    private final boolean[] isPlainBarrier;

    // Blocks that are Java's; stops with the rest of a block; blocks behind which is no memory.
    private final BitSet javaBlocks;
    private final BitSet javaStops;

    // Stops at a step that has nothing to do with shared memory, nor with time.
    private final BitSet keepsNotes;
    private final BitSet quiet;
    private final boolean touchesShared;
    private final boolean writesShared;
    private final boolean touchesGlobal;
    private final ReadNotes reads;
    private final WarpTables tables;
    private final PauseCosts pauseCosts = new PauseCosts();

    private MachineCode(Code code, MachineCodeEmitter.Result result, Checking checking) {
        this.code = code;
        this.checking = checking;
        checked = checking != Checking.NONE;
        accesses = result.accesses();
        memory = ExecutableMemory.of(result.bytes());
        long start = memory.segment().address();
        entries = Arrays.stream(result.entries()).mapToLong(at -> start + at).toArray();
        entryList = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, entries);
        runsCtas = entries.length > code.blocks().size();
        stops = result.stops().toArray(MachineCodeEmitter.Stop[]::new);
        resumptions = new long[stops.length];
        result.resumptions().forEach((stop, at) -> resumptions[stop] = start + at);
        exits = code.blocks().stream().map(Block::exit).toArray(Exit[]::new);
        isPlainBarrier = new boolean[exits.length];
        for (int i = 0; i < exits.length; i++) {
            isPlainBarrier[i] = !checked && Barriers.isPlain(exits[i]);
        }
        javaBlocks = NativeSteps.foreign(code, checking);
        javaStops = NativeSteps.foreignBehind(code, result.stops(), javaBlocks, checking);
        keepsNotes = NativeSteps.outsideShared(code, result.stops(), javaStops);
        quiet = checked ? NativeSteps.quiet(code) : new BitSet();
        touchesShared = NativeSteps.touches(code, false);
        writesShared = checking == Checking.WARPS && NativeSteps.hasSharedWrites(code);
        touchesGlobal = NativeSteps.touches(code, true);
        reads = new ReadNotes(result.plans(), new RowPlans(result.rows()));
        tables = new WarpTables(result, code, checked);
    }

    /// The machine code of a kernel, or null where it has none: on other processors, where native
    /// access is not allowed, and for operations that are not known here.
    static @Nullable MachineCode of(Code code, FunctionAnalysis analysis, Checking checking) {
        if (!AVAILABLE || !analysis.liveness().isSettled() || !takes(code, checking)) {
            return null;
        }
        return new MachineCode(
                code, new MachineCodeEmitter(code, analysis, checking).emit(), checking);
    }

    /// Whether a kernel is one for machine code.
    static boolean takes(Code code, Checking checking) {
        return code.kernel()
                && switch (checking) {
                    case NONE -> true;
                    case WARPS -> NativeSteps.takeChecked(code);
                    case CTAS -> NativeSteps.runCtas(code);
                };
    }

    /// Whether this processor has machine code at all.
    static boolean isAvailable() {
        return AVAILABLE;
    }

    /// Whether frames like this one may run by machine code: those of kernels.
    static boolean isFor(Frame frame) {
        return AVAILABLE && frame.caller == null;
    }

    /// Whether a frame is one of a launch with checks.
    static boolean isChecked(Frame frame) {
        return frame.warp.checksLanes() || frame.plainGlobal == null || frame.shadow != null;
    }

    /// Whether a frame's memory is large enough: bounds are those of the last whole access.
    boolean takes(Frame frame) {
        if (checked) {
            return !writesShared && reads.rows().all().isEmpty()
                    || frame.shared.byteSize() >= WIDEST;
        }
        return frame.plainGlobal != null && takes(frame.shared, frame.plainGlobal);
    }

    private boolean takes(MemorySegment shared, MemorySegment global) {
        return (!touchesShared || shared.byteSize() >= WIDEST)
                && (!touchesGlobal || global.byteSize() >= WIDEST);
    }

    /// Runs lanes from a block on, as `Executor` says.
    void run(Frame frame, int block, int mask) {
        WarpContext context = context(frame);
        Warp warp = frame.warp;
        context.follow();
        context.setLong(WarpContext.ENTRIES, entryList.address());
        int next = block;
        int lanes = mask;
        while (true) {
            if (javaBlocks.get(next)) {
                warp.charge(frame, next, lanes);
                rest(frame, next, 0, lanes);
            } else {
                runFrom(next, frame, context, lanes);
            }
            if (frame.pendingLanes == 0 || warp.shouldYield()) {
                return;
            }
            next = frame.first();
            lanes = frame.take(next);
        }
    }

    /// Runs lanes from a block on, until they are in front of another one.
    private void runFrom(int block, Frame frame, WarpContext context, int mask) {
        ExecutionCounters counters = frame.warp.cta().counters();
        int lanes = mask;
        int at = block;
        long entry = entries[block];
        // Whether Java has yet to take notes of what was read.
        boolean areHeld = false;
        while (true) {
            // Other lanes may go on anywhere.
            boolean isQuiet = !areHeld && frame.pendingLanes == 0 && quiet.get(at);
            boolean looks = !isQuiet && (!reads.isEmpty() || writesShared);
            if (looks && !areHeld) {
                ReadNotes.know(frame, context, writesShared);
            }
            int number = call(frame, context, lanes, entry, isQuiet);
            areHeld = looks && keepsNotes.get(number) && ReadNotes.haveRoom(context);
            if (looks && !areHeld) {
                reads.take(frame, context, writesShared);
            }
            lanes = context.getInt(WarpContext.MASK);
            MachineCodeEmitter.Stop stop = stops[number];
            at = stop.block();
            switch (stop.reason()) {
                case DONE -> throw new IllegalStateException("a warp by itself has no CTAs");
                case LEAVE -> leave(frame, stop.block(), lanes);
                case NOTES -> {
                    entry = resumptions[number];
                    continue;
                }
                case STEP -> {
                    step(frame, context, number, lanes);
                    if (!javaStops.get(number)) {
                        entry = resumptions[number];
                        continue;
                    }
                    rest(frame, stop.block(), stop.step() + 1, lanes);
                }
                case REST -> rest(frame, stop.block(), stop.step(), lanes);
                case BUDGET -> {
                    counters.refill(code, stop.block(), lanes, frame.warp);
                    if (counters.budget() > 0) {
                        entry = entries[stop.block()];
                        continue;
                    }
                    interpreter.runBlock(frame, stop.block(), lanes);
                }
            }
            return;
        }
    }

    private void step(Frame frame, WarpContext context, int number, int lanes) {
        frame.warp.units().step(frame, stops[number].stepOf(code), lanes);
        LaneStamps stamps = context.laneStamps();
        if (stamps != null) {
            stamps.meet(number, frame, lanes);
        }
    }

    private void leave(Frame frame, int block, int lanes) {
        Exit exit = exits[block];
        if (isPlainBarrier[block]
                && exit instanceof Exit.Synchronize joint
                && joint.joint() instanceof Collective.Barrier barrier
                && lanes == frame.warp.live()
                && frame.warp.waiters().isEmpty()) {
            int number = (int) frame.value(barrier.barrier(), 0);
            frame.warp.cta().arrive(new Arrival(frame, joint, lanes, null), number, 0);
        } else {
            frame.warp.units().leave(frame, exit, lanes);
        }
    }

    /// Java takes the steps of a block from one on, and its exit.
    private void rest(Frame frame, int block, int from, int lanes) {
        List<Step> steps = code.blocks().get(block).steps();
        for (int i = from; i < steps.size(); i++) {
            frame.warp.units().step(frame, steps.get(i), lanes);
        }
        leave(frame, block, lanes);
    }

    private int call(Frame frame, WarpContext context, int lanes, long entry, boolean isQuiet) {
        ExecutionCounters counters = frame.warp.cta().counters();
        long budget = counters.budget();
        context.setLong(WarpContext.BUDGET, budget);
        context.setLong(WarpContext.WORK, 0);
        context.setLong(WarpContext.ENTRY, entry);
        CopyShadow known = isQuiet ? null : context.copies();
        LaneStamps stamps = isQuiet ? null : context.laneStamps();
        if (stamps != null) {
            stamps.know(frame);
        }
        if (known != null) {
            known.know(frame);
        }
        context.setInt(WarpContext.MASK, lanes);
        context.setInt(WarpContext.LOWEST, frame.lowest);
        context.setInt(WarpContext.PENDING_LANES, frame.pendingLanes);
        SharedShadow shadow = isQuiet ? null : frame.shadow;
        int number =
                memory.call(
                        context.bytes,
                        context.words,
                        context.longs,
                        context.predicates,
                        context.counts,
                        context.pending,
                        shadow == null ? MemorySegment.NULL : shadow.writeStamps(),
                        shadow == null ? MemorySegment.NULL : shadow.readStamps(),
                        shadow == null ? MemorySegment.NULL : shadow.bytePlaces());
        counters.spend(
                budget - context.getLong(WarpContext.BUDGET), context.getLong(WarpContext.WORK));
        frame.lowest = context.getInt(WarpContext.LOWEST);
        frame.pendingLanes = context.getInt(WarpContext.PENDING_LANES);
        if (context.getInt(WarpContext.CHANGED) != 0) {
            context.setInt(WarpContext.CHANGED, 0);
            frame.warp.changed();
        }
        if (known != null) {
            known.note(frame);
        }
        return number;
    }

    // Whole CTAs.

    /// Whether whole CTAs run by this code.
    boolean takes(Cta cta) {
        return runsCtas
                && cta.counters().isUnbounded()
                && (checking == Checking.NONE
                        || pauseCosts.areWorth() && CtaShadow.takes(cta.grid(), cta))
                && takes(cta.shared(), cta.grid().global().segment());
    }

    /// Runs CTAs of a grid, as `Executor` says.
    long run(Cta cta, long first, long count, Executor executor) {
        CtaContext context = context(cta);
        context.begin(entries[code.blocks().size()], first, count);
        ExecutionCounters counters = cta.counters();
        WarpContext warp = context.first();
        long entry = entries[code.blocks().size()];
        int spent = 0;
        long ended = 0;
        int pauses = 0;
        while (true) {
            long budget = counters.budget();
            warp.setLong(WarpContext.BUDGET, budget);
            warp.setLong(WarpContext.WORK, 0);
            warp.setLong(WarpContext.ENTRY, entry);
            CtaShadow shadow = context.shadow();
            MemorySegment words = shadow == null ? warp.words : shadow.lastWrites();
            MemorySegment longs = shadow == null ? warp.longs : shadow.lastReads();
            int number =
                    memory.call(
                            warp.bytes, words, longs, warp.predicates, warp.counts, warp.pending);
            warp = context.current();
            counters.spend(
                    budget - warp.getLong(WarpContext.BUDGET), warp.getLong(WarpContext.WORK));
            MachineCodeEmitter.Stop stop = stops[number];
            if (stop.reason() == MachineCodeEmitter.Reason.DONE) {
                pauseCosts.judge(pauses, context.legs());
                return count;
            }
            if (stop.reason() == MachineCodeEmitter.Reason.STEP
                    && shadow != null
                    && !PauseCosts.areFarTooMany(++pauses, context.legs())) {
                context.step(stop, shadow, executor);
                entry = resumptions[number];
                continue;
            }
            spent = context.takeChanged() || context.ended() > ended ? 0 : spent + 1;
            ended = context.ended();
            if (stop.reason() == MachineCodeEmitter.Reason.BUDGET
                    && spent < PATIENCE
                    && counters.refill()) {
                entry = entries[stop.block()];
                continue;
            }
            pauseCosts.judge(pauses, context.legs());
            context.handOver(executor);
            goOn(context.frame(), warp, stop);
            return ended;
        }
    }

    /// Lets lanes of a frame go on in Java where machine code has stopped.
    private void goOn(Frame frame, WarpContext context, MachineCodeEmitter.Stop stop) {
        int lanes = context.getInt(WarpContext.MASK);
        frame.warp.begin();
        frame.warp.runs(frame, stop.block());
        switch (stop.reason()) {
            case LEAVE -> leave(frame, stop.block(), lanes);
            case STEP, REST -> rest(frame, stop.block(), stop.step(), lanes);
            case BUDGET -> frame.park(stop.block(), lanes);
            case DONE, NOTES -> throw new IllegalStateException("Java has no part in whole CTAs");
        }
    }

    private CtaContext context(Cta cta) {
        if (cta.attachment instanceof CtaContext known
                && known.isOf(entryList)
                && (known.shadow() == null || known.shadow().isCurrent())) {
            return known;
        }
        CtaContext made =
                new CtaContext(
                        cta,
                        code,
                        entryList,
                        accesses,
                        checking == Checking.CTAS ? reads.plans() : null,
                        tables.pointers());
        cta.attachment = made;
        return made;
    }

    private WarpContext context(Frame frame) {
        if (frame.attachment instanceof WarpContext known) {
            if (!known.isCurrent()) {
                known.serve(frame, tables);
            }
            return known;
        }
        WarpContext made = new WarpContext(frame, tables);
        frame.attachment = made;
        return made;
    }
}
