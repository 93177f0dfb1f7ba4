package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.VisitLog;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What machine code knows of the warp that it runs, outside of Java's heap: addresses of memory,
/// predefined registers, and what goes in and comes out of a call.
final class WarpContext implements VisitLog {
    // Offsets in bytes.
    static final int PARAMETERS = 0;
    static final int GLOBAL = 8;
    static final int SHARED = 16;
    /// Bytes of each memory.
    static final int GLOBAL_BYTES = 24;
    static final int SHARED_BYTES = 32;
    /// Steps until Java is to look.
    static final int BUDGET = 40;
    /// Steps of lanes that were taken.
    static final int WORK = 48;
    static final int ENTRY = 56;
    static final int MASK = 64;
    static final int LOWEST = 68;
    static final int PENDING_LANES = 72;
    /// Not zero once something was stored.
    static final int CHANGED = 76;
    /// The last places of accesses of 1 to 16 bytes in shared memory, 32 bits each.
    private static final int LAST_SHARED = 80;

    private static final int LAST_SIZES = 5;
    /// Where the lanes that visit each block are noted, with checks.
    static final int VISITED = 120;
    /// Predefined registers that all lanes share, 4 bytes each, by ordinal.
    static final int UNIFORM = 128;
    /// The others, 128 bytes each.
    static final int LANES = 256;
    /// The CTA whose warps run in turn, or 0 where the warp runs by itself ([CtaContext]).
    static final int CTA = LANES + 4 * 128;
    /// Where the entries of blocks are listed.
    static final int ENTRIES = CTA + 8;
    /// In a CTA: the lanes that have not ended, those it begins with, and the block at whose
    /// barrier it waits or has waited.
    static final int LIVE = ENTRIES + 8;
    static final int INITIAL = LIVE + 4;
    static final int AT = INITIAL + 4;
    /// In a CTA: the lanes that have ended, by the block.
    static final int ENDED = AT + 4;
    static final int MOST_ENDS = 16;

    /// In a CTA: the round whose barrier it waits at ([CtaContext#ROUND]).
    static final int WAITS = ENDED + 4 * MOST_ENDS + 4;

    private static final int NOTED = WAITS + 32;
    /// Where the next reads by a plan are noted, and where there is no more room.
    static final int NOTE_AT = NOTED;
    static final int NOTES_END = NOTED + 8;
    /// In stamps: the number of the warp's first thread, and in those of global memory the bits of
    /// it.
    static final int THREADS = NOTED + 16;

    static final int GLOBAL_THREADS = NOTED + 24;

    /// Of a warp that runs by itself: where its products are listed, each by the function, its
    /// memory, or 0 where there is none, and what stands for the first sparsity selector.
    static final int PRODUCTS = NOTED + 32;

    static final int PRODUCT_CODE = 0;
    static final int PRODUCT_MEMORY = 8;
    static final int PRODUCT_SELECTOR = 16;
    static final int PRODUCT_BYTES = 24;
    /// With checks, where the next rows that are read are noted, and where there is no more room.
    static final int ROW_NOTE_AT = NOTED + 40;

    static final int ROW_NOTES_END = NOTED + 48;

    /// With checks, of a warp that runs by itself: where the stamps of the last writes of shared
    /// memory stand, for as long as a call takes, or 0 where there are none; and the latest stamp
    /// that is over for all lanes.
    static final int STAMPS = NOTED + 56;

    static final int OVER = NOTED + 64;

    /// Where the stamps of the last reads of shared memory stand; and whether copies of `cp.async`
    /// may begin: 0 where Java is to begin all.
    static final int READS = NOTED + 72;

    static final int COPIES = NOTED + 80;

    /// The stamp of lane 0, without the instruction.
    static final int NOW = NOTED + 88;

    /// What begins there, in so many bytes, may touch words that were read since the warp's clock.
    static final int READ_START = NOTED + 96;

    static final int READ_SPAN = NOTED + 104;

    /// Where the stamps of global memory stand, and from a byte of it to its mark.
    static final int SECTORS = NOTED + 112;

    static final int MARKS = NOTED + 120;

    /// Where the next copies are noted, and where there is no more room ([CopyShadow]).
    static final int COPY_NOTE_AT = NOTED + 128;

    static final int COPY_NOTES_END = NOTED + 136;

    /// Where the stamps of words of global memory stand, and the locks of its pages: 0 where one
    /// worker runs all CTAs.
    static final int WORD_STAMPS = NOTED + 144;

    static final int LOCKS = NOTED + 152;

    /// The accesses that are looked at lane by lane, or 0 where Java is to look; the stamp of
    /// lane 0, without the instruction; the latest clock that is over for all lanes; and bits of
    /// stamps ([LaneStamps]).
    static final int LANE_STAMPS = NOTED + 160;

    static final int GLOBAL_NOW = NOTED + 168;
    static final int GLOBAL_LIMIT = NOTED + 176;
    static final int THREADS_MASK = NOTED + 184;
    static final int CTA_MASK = NOTED + 192;
    static final int CLOCK_MASK = NOTED + 200;

    /// Whether stores to shared memory may be looked at: 0 where Java is to look.
    static final int STORES = NOTED + 208;

    /// Bytes from the address of a lane to that of the next whose words are looked at, and how many
    /// lanes that is ([SharedStampEmitter]).
    static final int STEP = NOTED + 216;
    static final int STEP_LANES = NOTED + 224;

    /// What begins there, in so many bytes, may touch words of strong operations.
    static final int STRONG_START = NOTED + 232;
    static final int STRONG_SPAN = NOTED + 240;

    /// [#STAMPS] and [#READS] less twice the address of shared memory.
    static final int STAMPS_FROM = NOTED + 248;

    static final int READS_FROM = NOTED + 256;

    /// The state and classes of places that several CTAs read, of which nothing more is kept; those
    /// of none where it is followed what CTAs do.
    static final int SEVERAL = NOTED + 264;

    /// By word of shared memory, the place of its first byte, or 0 where Java is to look at bytes;
    /// the next such place that is free, and where they end.
    static final int BYTE_PLACES = NOTED + 272;

    static final int NEXT_PLACE = NOTED + 280;
    static final int PLACES_END = NOTED + 288;

    /// The last places of accesses of 1 to 16 bytes in global memory, 64 bits each.
    private static final int LAST_GLOBAL = NOTED + 296;

    /// Of asynchronous operations the latest stamp that is over for all lanes; and [#OVER] where
    /// theirs come first ([OverEmitter]).
    static final int ASYNC_OVER = NOTED + 336;

    static final int TURNED_OVER = NOTED + 344;

    /// By warp, the latest stamp of one of its weak accesses that is over for all lanes; 0 where
    /// [#OVER] says as much.
    static final int OVERS = NOTED + 384;

    /// Plans of addresses.
    static final int PLANS = OVERS + Stamp.WARPS * Long.BYTES;
    static final int NOTES = PLANS + MachineCodeEmitter.MOST_PLANS * AddressPlan.BYTES;
    /// Of a note: the addresses of two lanes, what the halves of the warp do, the plan.
    static final int NOTE_BYTES = 24;
    static final int MOST_NOTES = 64;
    /// Addresses of lanes, twice 64 bits each.
    static final int ADDRESSES = NOTES + MOST_NOTES * NOTE_BYTES;

    /// In all: whole lines of a cache.
    static final int BYTES = ADDRESSES + 2 * 32 * Long.BYTES;

    /// Behind that, of a warp that runs by itself: of every other lane the first byte that was
    /// noted as read, and the last one; notes of rows, each with the addresses of all, the number
    /// of the instruction, and which there are; registers that the call of a product
    /// does not keep; seven operands whose registers are apart; and the list of products.
    static final int ROWS_FIRST = BYTES;

    static final int ROWS_LAST = ROWS_FIRST + 64;
    static final int ROW_NOTES = ROWS_LAST + 64;
    static final int ROW_NOTE_NUMBER = 128;
    static final int ROW_NOTE_LANES = 132;
    static final int ROW_NOTE_BYTES = 136;
    static final int MOST_ROW_NOTES = 32;
    static final int KEPT = ROW_NOTES + MOST_ROW_NOTES * ROW_NOTE_BYTES;

    static final int OPERANDS = KEPT + 64;
    static final int MOST_OPERAND_REGISTERS = 8;
    private static final int PRODUCT_LIST = OPERANDS + 7 * MOST_OPERAND_REGISTERS * 128;

    final MemorySegment bytes;
    final MemorySegment words;
    final MemorySegment longs;
    final MemorySegment predicates;
    final MemorySegment pending;
    MemorySegment counts;
    final MemorySegment visited;
    private final Cta cta;
    private Grid grid;
    private @Nullable CopyShadow copies;
    private @Nullable LaneStamps laneStamps;
    private long @Nullable [] overs;
    private long index = -1;

    /// The context of a warp that runs by itself: its registers are those of a frame.
    WarpContext(Frame frame, WarpTables tables) {
        this(
                frame.warp,
                frame.warp.cta().arena(),
                Arena.ofAuto()
                        .allocate(PRODUCT_LIST + PRODUCT_BYTES * tables.products().size(), 64),
                MemorySegment.ofArray(frame.words),
                MemorySegment.ofArray(frame.longs),
                MemorySegment.ofArray(frame.predicates),
                MemorySegment.ofArray(frame.pending),
                countsOf(frame));
        setLong(ROW_NOTE_AT, bytes.address() + ROW_NOTES);
        setLong(ROW_NOTES_END, bytes.address() + KEPT);
        firstOfRows();
        setLong(PRODUCTS, bytes.address() + PRODUCT_LIST);
        copies =
                tables.copies().isEmpty()
                        ? null
                        : new CopyShadow(this, tables.copies(), cta.arena());
        begin(frame, tables);
    }

    private static MemorySegment countsOf(Frame frame) {
        return MemorySegment.ofArray(frame.warp.cta().counters().of(frame.code));
    }

    private void begin(Frame frame, WarpTables tables) {
        tables.listProducts(this, PRODUCT_LIST, cta.tensorCores());
        boolean hasAccesses = !tables.accesses().all().isEmpty();
        laneStamps = hasAccesses ? new LaneStamps(frame, this, tables, laneStamps) : null;
    }

    /// Whether the warp is still of the same launch.
    @SuppressWarnings("ReferenceEquality") // no other one
    boolean isCurrent() {
        return grid == cta.grid();
    }

    /// The warp is of another launch of its kernel.
    void serve(Frame frame, WarpTables tables) {
        grid = cta.grid();
        counts = countsOf(frame);
        placeMemory();
        begin(frame, tables);
    }

    /// Says what is over of each warp.
    @SuppressWarnings("ReferenceEquality") // saves work only
    void tellOvers(long[] by) {
        if (overs != by) {
            overs = by;
            MemorySegment.copy(by, 0, bytes, ValueLayout.JAVA_LONG, OVERS, by.length);
        }
    }

    /// What it needs to know of accesses that it looks at lane by lane, or null where there
    /// are none.
    @Nullable LaneStamps laneStamps() {
        return laneStamps;
    }

    /// The first byte of all rows that were noted; forgets it.
    int firstOfRows() {
        int first = Integer.MAX_VALUE;
        for (int at = ROWS_FIRST; at < ROWS_LAST; at += Integer.BYTES) {
            first = Math.min(first, getInt(at));
            setInt(at, Integer.MAX_VALUE);
        }
        return first;
    }

    /// The last one; forgets it.
    int lastOfRows() {
        int last = 0;
        for (int at = ROWS_LAST; at < ROW_NOTES; at += Integer.BYTES) {
            last = Math.max(last, getInt(at));
            setInt(at, 0);
        }
        return last;
    }

    /// What it needs to know of copies, or null where it begins none with checks.
    @Nullable CopyShadow copies() {
        return copies;
    }

    /// The context of a warp whose registers stand anywhere.
    ///
    /// @param arena of what it needs besides
    WarpContext(
            Warp warp,
            Arena arena,
            MemorySegment bytes,
            MemorySegment words,
            MemorySegment longs,
            MemorySegment predicates,
            MemorySegment pending,
            MemorySegment counts) {
        this.bytes = bytes;
        this.words = words;
        this.longs = longs;
        this.predicates = predicates;
        this.pending = pending;
        this.counts = counts;
        cta = warp.cta();
        grid = cta.grid();
        visited = arena.allocate(pending.byteSize() + 63 & -64, 64);
        setLong(VISITED, visited.address());
        setLong(NOTE_AT, bytes.address() + NOTES);
        setLong(NOTES_END, bytes.address() + ADDRESSES);
        setLong(THREADS, warp.thread(0));
        setLong(GLOBAL_THREADS, warp.thread(0) * GlobalStamp.ONE_LANE);
        placeMemory();
        PredefinedRegisters.tell(this, warp);
    }

    private void placeMemory() {
        setLong(PARAMETERS, grid.parameters().address());
        MemorySegment global = grid.global().segment();
        MemorySegment shared = cta.shared();
        setLong(GLOBAL, global.address());
        setLong(GLOBAL_BYTES, global.byteSize());
        setLong(SHARED, shared.address());
        setLong(SHARED_BYTES, shared.byteSize());
        for (int i = 0; i < LAST_SIZES; i++) {
            setInt(lastShared(1 << i), (int) shared.byteSize() - (1 << i));
            setLong(lastGlobal(1 << i), global.byteSize() - (1 << i));
        }
    }

    /// Where the last place in shared memory stands at which an access may begin.
    ///
    /// @param bytes of it, a power of two
    static int lastShared(int bytes) {
        return LAST_SHARED + Integer.BYTES * Integer.numberOfTrailingZeros(bytes);
    }

    /// The same of global memory.
    static int lastGlobal(int bytes) {
        return LAST_GLOBAL + Long.BYTES * Integer.numberOfTrailingZeros(bytes);
    }

    /// Follows the warp to its present CTA.
    void follow() {
        if (index == cta.index()) {
            return;
        }
        index = cta.index();
        setInt(UNIFORM + 4 * SpecialRegister.CTAID_X.ordinal(), cta.x());
        setInt(UNIFORM + 4 * SpecialRegister.CTAID_Y.ordinal(), cta.y());
        setInt(UNIFORM + 4 * SpecialRegister.CTAID_Z.ordinal(), cta.z());
    }

    @Override
    public void drainTo(int[] known) {
        for (int block = 0; block < known.length; block++) {
            known[block] |= visited.getAtIndex(ValueLayout.JAVA_INT, block);
        }
        visited.fill((byte) 0);
    }

    int getInt(int offset) {
        return bytes.get(ValueLayout.JAVA_INT, offset);
    }

    long getLong(int offset) {
        return bytes.get(ValueLayout.JAVA_LONG, offset);
    }

    void setInt(int offset, int value) {
        bytes.set(ValueLayout.JAVA_INT, offset, value);
    }

    void setLong(int offset, long value) {
        bytes.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
