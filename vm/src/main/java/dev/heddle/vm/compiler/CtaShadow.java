package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Step;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.PlannedReads;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/// The shadow memory of CTAs that run by machine code: what it needs to know, and how Java learns
/// what it did where Java takes a part.
///
/// Both replace the same stamps. What Java keeps besides, clocks and notes of reads, it gets from
/// here: all warps have met at the same barriers and at nothing else.
final class CtaShadow {
    private static final int HALF_BYTES = 64;

    private final Cta cta;
    private final MemorySegment bytes;
    private final SharedShadow shared;
    private final GlobalStamp stamps;
    private final int barrier;
    private final List<MemoryEmitter.Plain> accesses;
    private final List<PlannedReads> reads;
    private final MemorySegment notes;
    private final int frees;
    private final MetBuffers met;

    // The CTA that Java takes a part in, and the notes of its present clock that Java knows.
    private long joined = -1;
    private int noted;

    /// @param bytes the context of the CTA
    /// @param barrier the number of the only barrier
    /// @param accesses to global memory, by their place in the context
    /// @param reads what notes of reads stand for
    /// @param pointers of the kernel
    CtaShadow(
            Cta cta,
            MemorySegment bytes,
            int barrier,
            List<MemoryEmitter.Plain> accesses,
            List<PlannedReads> reads,
            PointerParameters pointers) {
        this.cta = cta;
        this.bytes = bytes;
        this.barrier = barrier;
        this.accesses = accesses;
        this.reads = reads;
        notes = cta.grid().arena().allocate((long) SharedReads.MOST * SharedReads.BYTES, 64);
        shared = Objects.requireNonNull(cta.shadow());
        GlobalShadow global = Objects.requireNonNull(cta.grid().shadow());
        stamps = global.stamps();
        GlobalMemory memory = cta.grid().global();
        frees = memory.frees();
        int[] sizes = new int[accesses.size()];
        Arrays.fill(sizes, HALF_BYTES);
        int from = CtaContext.access(0) + CtaContext.BUFFER_FROM;
        BitSet stores = MetBuffers.where(accesses, MemoryEmitter.Plain::store);
        met = new MetBuffers(memory, global, bytes, from, CtaContext.ACCESS_BYTES, sizes, stores);
        met.forget();
        setLong(CtaContext.SECTORS, Objects.requireNonNull(global.sectors()).address());
        MemorySegment locks = Objects.requireNonNull(global.locks());
        setLong(CtaContext.LOCKS, global.isAlone() ? 0 : locks.address());
        setLong(CtaContext.MARKS, memory.written().address() - memory.segment().address());
        setLong(CtaContext.NOTES, notes.address());
        setLong(CtaContext.NOTES_END, notes.address() + notes.byteSize());
        setLong(CtaContext.STAMP_BYTES, shared.lastWrites().byteSize());
        setLong(CtaContext.LAST_NOW, now(lastClock(stamps)));
        setLong(CtaContext.THREADS_MASK, stamps.threadsMask());
        setLong(CtaContext.CTA_MASK, stamps.ctaMask());
        setLong(CtaContext.CLOCK_MASK, stamps.clockMask());
        setLong(CtaContext.NEXT_CTA, stamps.of(1, 0, 0, 0, GlobalStamp.WEAK));
        for (int i = 0; i < accesses.size(); i++) {
            MemoryEmitter.Plain access = accesses.get(i);
            int at = CtaContext.access(i);
            long left = stamps.left(access.store(), access.step().site().number(), access.bytes());
            setLong(at + CtaContext.STAMP, left);
            met.expect(i, pointers.of(access.base()), cta.grid().parameters());
        }
    }

    /// Whether machine code can look at the shadow memory of a launch.
    static boolean takes(Grid grid, Cta cta) {
        GlobalShadow global = grid.shadow();
        return global != null
                && cta.shadow() != null
                && global.isBySectors()
                && !global.order().isFollowed()
                && global.locks() != null
                && grid.shared().reservedBytes() == 0
                && grid.checksAll()
                && lastClock(global.stamps()) > 1
                && (grid.global().segment().address() & HALF_BYTES - 1) == 0;
    }

    private static int lastClock(GlobalStamp stamps) {
        return stamps.lastClock() - 1;
    }

    private static long now(int clock) {
        return Stamp.of(clock, 0, Stamp.WEAK, 0);
    }

    /// A CTA begins, which Java has made ready.
    void begin(long index) {
        long first = stamps.of((int) index, 0, 0, 1, GlobalStamp.WEAK);
        setLong(CtaContext.NOW, now(1));
        setLong(CtaContext.FIRST_NOW, first);
        setLong(CtaContext.GLOBAL_NOW, first);
        setLong(CtaContext.NOTE_AT, notes.address());
        joined = -1;
    }

    /// Whether what it knows of buffers still holds.
    boolean isCurrent() {
        return frees == cta.grid().global().frees();
    }

    /// The stamps of the last writes, as long as Java does nothing.
    MemorySegment lastWrites() {
        return shared.lastWrites();
    }

    /// Those of the last reads.
    MemorySegment lastReads() {
        return shared.lastReads();
    }

    /// Java takes a part in a CTA: it knows all that machine code did.
    void join(long index, Executor executor) {
        if (joined != index) {
            joined = index;
            noted = 0;
            byte[] memory = cta.shared().toArray(ValueLayout.JAVA_BYTE);
            long[] writes = shared.lastWrites().toArray(ValueLayout.JAVA_LONG);
            long[] read = shared.lastReads().toArray(ValueLayout.JAVA_LONG);
            cta.cluster().restart(index, executor);
            MemorySegment.copy(memory, 0, cta.shared(), ValueLayout.JAVA_BYTE, 0, memory.length);
            shared.lastWrites().copyFrom(MemorySegment.ofArray(writes));
            shared.lastReads().copyFrom(MemorySegment.ofArray(read));
        }
        HappensBefore order = shared.order();
        int clock = Stamp.clock(getLong(CtaContext.NOW));
        if (clock > order.clock(0)) {
            order.passed(barrier, clock - order.clock(0));
            noted = 0;
        }
        noteReads();
        shared.settle();
    }

    private void noteReads() {
        int end = (int) (getLong(CtaContext.NOTE_AT) - notes.address());
        for (int at = noted; at < end; at += SharedReads.BYTES) {
            PlannedReads plan = reads.get(notes.get(ValueLayout.JAVA_INT, at + SharedReads.NUMBER));
            int warp = (int) note(at, SharedReads.THREADS) / 32;
            long now = shared.stamp(warp, 0);
            int kind = notes.get(ValueLayout.JAVA_INT, at + SharedReads.KIND);
            int stride = kind == AddressPlan.UNIFORM ? 0 : 1;
            int low = wordOf(note(at, SharedReads.LOW));
            int high = wordOf(note(at, SharedReads.HIGH));
            shared.wholeWords().noteRead(plan, low, stride, 0xffff, now);
            shared.wholeWords().noteRead(plan, high, stride, 0xffff_0000, now);
        }
        noted = end;
    }

    private long note(int at, int part) {
        return notes.get(ValueLayout.JAVA_LONG, at + part);
    }

    private int wordOf(long address) {
        return (int) (address - cta.shared().address()) / Integer.BYTES;
    }

    /// Java takes a step of a warp, which may find that it must not be taken.
    ///
    /// @param frame with the warp's registers
    void step(Frame frame, Step step, int lanes) {
        frame.warp.units().step(frame, step, lanes);
        shared.settle();
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.get(i).step().equals(step)) {
                meet(i, accesses.get(i), frame, lanes);
            }
        }
    }

    private void meet(int number, MemoryEmitter.Plain access, Frame frame, int lanes) {
        int lane = Integer.numberOfTrailingZeros(lanes);
        long address = frame.value(access.base(), lane) + access.offset();
        met.meet(number, address);
    }

    private long getLong(int offset) {
        return bytes.get(ValueLayout.JAVA_LONG, offset);
    }

    private void setLong(int offset, long value) {
        bytes.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
