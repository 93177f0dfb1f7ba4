package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;

/// What machine code needs to know to look at the stamps of global memory lane by lane, for a warp
/// that runs by itself ([LaneStampEmitter]).
final class LaneStamps {
    // Of an access: the stamp that it leaves, without CTA, thread and clock; and where a lane may
    // begin in the buffer that the access met last.
    static final int STAMP = 0;
    static final int BUFFER_FROM = 8;
    static final int BUFFER_LAST = 16;
    static final int ACCESS_BYTES = 24;

    private final WarpContext context;
    private final Accesses accesses;
    private final GlobalMemory memory;

    // The same for all warps of a CTA.
    private final MemorySegment bytes;
    private final @Nullable GlobalShadow global;

    // Null where Java is to look at all of them.
    private final @Nullable MetBuffers met;
    private int frees;

    // What was told of the time.
    private int known = -1;
    private int knownLimit;
    private int knownCta;

    /// An instruction that accesses global memory, weakly.
    ///
    /// @param base the register with the address
    /// @param bytes of a lane
    record Access(Step step, Site site, Source base, long offset, int bytes, boolean store) {
        static Access of(MemoryEmitter.Plain plain) {
            return new Access(
                    plain.step(),
                    plain.step().site(),
                    plain.base(),
                    plain.offset(),
                    plain.bytes(),
                    plain.store());
        }

        /// What a copy reads.
        static Access of(Step.AsyncCopy copy) {
            return new Access(
                    copy, copy.site(), copy.origin(), copy.originOffset(), copy.bytes(), false);
        }
    }

    /// Those of a kernel, by their numbers.
    ///
    /// @param ofStops by the stop of machine code at which Java makes one, its number, or -1
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Accesses(List<Access> all, int[] sizes, BitSet stores, int[] ofStops) {
        static Accesses of(MachineCodeEmitter.Result result, Code code) {
            List<Access> all = result.laneAccesses();
            IdentityHashMap<Step, Integer> numbers = new IdentityHashMap<>();
            for (int i = 0; i < all.size(); i++) {
                numbers.put(all.get(i).step(), i);
            }
            int[] ofStops =
                    result.stops().stream()
                            .mapToInt(
                                    stop ->
                                            stop.reason() == MachineCodeEmitter.Reason.STEP
                                                    ? numbers.getOrDefault(stop.stepOf(code), -1)
                                                    : -1)
                            .toArray();
            return new Accesses(
                    all,
                    all.stream().mapToInt(Access::bytes).toArray(),
                    MetBuffers.where(all, Access::store),
                    ofStops);
        }
    }

    /// @param before what the warp had in an earlier launch, if there was one
    LaneStamps(Frame frame, WarpContext context, WarpTables tables, @Nullable LaneStamps before) {
        this.context = context;
        accesses = tables.accesses();
        Cta cta = frame.warp.cta();
        Grid grid = cta.grid();
        memory = grid.global();
        global = grid.shadow();
        LaneStamps other = ofAnother(cta);
        bytes =
                other != null
                        ? other.bytes
                        : before != null
                                ? before.bytes
                                : cta.arena()
                                        .allocate(
                                                (long) accesses.all().size() * ACCESS_BYTES,
                                                Long.BYTES);
        context.setLong(WarpContext.LANE_STAMPS, 0);
        met = prepare(grid);
        if (other == null && met != null) {
            begin(met, tables.pointers(), grid.parameters());
        }
        frees = memory.frees();
    }

    /// Those of another warp of the CTA: what its accesses met, those of this one are likely to
    /// meet.
    @SuppressWarnings("ReferenceEquality") // of the same machine code, and not its own
    private @Nullable LaneStamps ofAnother(Cta cta) {
        for (Warp warp : cta.warps()) {
            LaneStamps other =
                    warp.root.attachment instanceof WarpContext its
                                    && its != context
                                    && its.isCurrent()
                            ? its.laneStamps()
                            : null;
            if (other != null && other.accesses == accesses) {
                return other;
            }
        }
        return null;
    }

    private @Nullable MetBuffers prepare(Grid grid) {
        if (global == null || !grid.checksAll()) {
            return null;
        }
        MemorySegment sectors = global.sectors();
        MemorySegment words = global.words();
        MemorySegment locks = global.locks();
        if (sectors == null || words == null || locks == null) {
            return null;
        }
        GlobalStamp stamps = global.stamps();
        context.setLong(WarpContext.SECTORS, sectors.address());
        context.setLong(WarpContext.WORD_STAMPS, words.address());
        context.setLong(WarpContext.LOCKS, global.isAlone() ? 0 : locks.address());
        long marks = memory.written().address() - memory.segment().address();
        context.setLong(WarpContext.MARKS, marks);
        context.setLong(WarpContext.THREADS_MASK, stamps.threadsMask());
        context.setLong(WarpContext.CTA_MASK, stamps.ctaMask());
        context.setLong(WarpContext.CLOCK_MASK, stamps.clockMask());
        long several = global.order().isFollowed() ? -1 : GlobalStamp.READ_BY_SEVERAL;
        context.setLong(WarpContext.SEVERAL, several);
        return new MetBuffers(
                memory,
                global,
                bytes,
                BUFFER_FROM,
                ACCESS_BYTES,
                accesses.sizes(),
                accesses.stores());
    }

    private void begin(MetBuffers buffers, PointerParameters pointers, MemorySegment parameters) {
        buffers.forget();
        for (int i = 0; global != null && i < accesses.all().size(); i++) {
            Access access = accesses.all().get(i);
            GlobalStamp stamps = global.stamps();
            long left =
                    access.step() instanceof Step.AsyncCopy
                            ? stamps.leftByCopy(access.site().number(), access.bytes())
                            : stamps.left(access.store(), access.site().number(), access.bytes());
            bytes.set(ValueLayout.JAVA_LONG, i * ACCESS_BYTES + STAMP, left);
            buffers.expect(i, pointers.of(access.base()), parameters);
        }
    }

    /// Says what time it is for the warp, for as long as a call takes.
    void know(Frame frame) {
        SharedShadow shadow = frame.shadow;
        if (met == null || global == null || shadow == null) {
            return;
        }
        if (frees != memory.frees()) {
            frees = memory.frees();
            met.forget();
        }
        HappensBefore order = shadow.order();
        int warp = frame.warp.index();
        int clock = order.clock(warp);
        int limit = order.limit(warp);
        int cta = (int) frame.warp.cta().index();
        if (clock == known && limit == knownLimit && cta == knownCta) {
            return;
        }
        known = clock;
        knownLimit = limit;
        knownCta = cta;
        boolean isPlain = global.keepsClock(clock);
        context.setLong(WarpContext.LANE_STAMPS, isPlain ? bytes.address() : 0);
        long now = global.stamps().of(cta, warp, 0, clock, GlobalStamp.WEAK);
        context.setLong(WarpContext.GLOBAL_NOW, now);
        context.setLong(WarpContext.GLOBAL_LIMIT, limit);
    }

    /// Java has taken the step of a stop.
    void meet(int stop, Frame frame, int lanes) {
        int number = accesses.ofStops()[stop];
        if (met != null && number >= 0) {
            Access access = accesses.all().get(number);
            int lane = Integer.numberOfTrailingZeros(lanes);
            met.meet(number, frame.value(access.base(), lane) + access.offset());
        }
    }
}
