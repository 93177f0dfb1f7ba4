package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.Footprint;
import dev.heddle.vm.memory.Touched;
import dev.heddle.vm.memory.UntouchedMemory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;

/// Who accessed the global memory of a launch. A page of it is made when it is first touched.
///
/// Workers look at pages at the same time, one at each. Pages are found without a lock.
public final class GlobalShadow {
    /// Pages of a chunk, as a logarithm.
    private static final int CHUNK = 12;

    private final GridOrder order;
    private final StoresUnderWay stores = new StoresUnderWay();
    private boolean alone;
    private volatile boolean incomplete;
    private final GlobalStamp stamps;
    private final GlobalFences fences;
    private final @Nullable MemorySegment sectors;
    private final @Nullable MemorySegment words;
    private final @Nullable MemorySegment locks;
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable ShadowPage>> chunks;

    /// Of a launch that begins: all that was before is over.
    ///
    /// @param use what its code does with memory
    /// @param sites how many instructions its program has
    /// @param extent CTAs in each direction
    /// @param cluster CTAs of a cluster in each direction
    /// @param bytes of global memory
    /// @param arena that is closed when the launch is over
    public GlobalShadow(
            GlobalUse use, int sites, Extent extent, Extent cluster, long bytes, Arena arena) {
        order = new GridOrder(use, extent, cluster);
        stamps = new GlobalStamp(extent.count(), sites, order.hasAsides());
        fences = new GlobalFences(order.isFollowed());
        long count = (bytes >> ShadowPage.BITS + CHUNK) + 1;
        chunks = new AtomicReferenceArray<>(Math.toIntExact(count));
        long pages = (bytes >> ShadowPage.BITS) + 1;
        sectors = UntouchedMemory.take(pages * ShadowPage.SECTOR_STAMPS, arena);
        words = UntouchedMemory.takeAny(pages * ShadowPage.WORD_STAMPS, arena);
        locks = UntouchedMemory.take(pages * Integer.BYTES, arena);
    }

    /// The stamps of all sectors, one after the other; null where the system does not give memory
    /// as it is touched, and each page has its own.
    public @Nullable MemorySegment sectors() {
        return sectors;
    }

    /// The stamps of all words, one after the other: those of sectors that are split hold
    /// something. Null where each page has its own.
    public @Nullable MemorySegment words() {
        return words;
    }

    /// Whether stamps of sectors alone tell which accesses of whole CTAs are in order, as machine
    /// code looks at them: where nothing observes what others store.
    public boolean isBySectors() {
        return sectors != null && !order.isObserved();
    }

    /// Whether stamps can tell what happens at a clock of a warp.
    public boolean keepsClock(int clock) {
        return stamps.fits(clock) && !order.isTooLarge();
    }

    /// Whether all bytes up to an offset have their stamps in [#sectors]: not those of memory that
    /// is taken from the system while the launch runs.
    public boolean hasSectors(long end) {
        return sectors != null && end <= sectors.byteSize() / Long.BYTES * ShadowPage.SECTOR;
    }

    /// A lock for each page, which is 1 while somebody looks at it; null where there is no such
    /// memory.
    public @Nullable MemorySegment locks() {
        return locks;
    }

    /// How the CTAs of the launch are ordered.
    public GridOrder order() {
        return order;
    }

    /// From here on, so many workers look at it.
    public void share(int workers) {
        alone = workers == 1;
    }

    /// Whether one worker runs all CTAs, so that nobody has to wait for a page.
    public boolean isAlone() {
        return alone;
    }

    /// Its proxy fences.
    public GlobalFences fences() {
        return fences;
    }

    /// What its workers are about to store.
    public StoresUnderWay stores() {
        return stores;
    }

    /// How its stamps are laid out.
    public GlobalStamp stamps() {
        return stamps;
    }

    /// Whether the page of an offset is kept: not that of memory which is taken from the system
    /// while the launch runs.
    boolean keeps(long offset) {
        return offset >>> ShadowPage.BITS + CHUNK < chunks.length();
    }

    /// The page of an offset in global memory.
    ShadowPage page(long offset) {
        if (!keeps(offset)) {
            return newPage();
        }
        long number = offset >>> ShadowPage.BITS;
        int at = (int) (number >>> CHUNK);
        AtomicReferenceArray<@Nullable ShadowPage> chunk = chunks.get(at);
        if (chunk == null) {
            AtomicReferenceArray<@Nullable ShadowPage> fresh =
                    new AtomicReferenceArray<>(1 << CHUNK);
            AtomicReferenceArray<@Nullable ShadowPage> other =
                    chunks.compareAndExchange(at, null, fresh);
            chunk = other == null ? fresh : other;
        }
        int index = (int) number & (1 << CHUNK) - 1;
        ShadowPage page = chunk.get(index);
        if (page == null) {
            ShadowPage fresh = newPage(number);
            ShadowPage other = chunk.compareAndExchange(index, null, fresh);
            page = other == null ? fresh : other;
        }
        return page;
    }

    /// The stamp of a write of this launch to some of these bytes, or nobody's.
    public long writeOf(long from, long to) {
        for (long at = from, end; at < to; at = end) {
            end = Math.min(to, (at | ShadowPage.BYTES - 1) + 1);
            ShadowPage page = page(at);
            page.lock();
            try {
                long write = page.writeOf(at, end);
                if (write != GlobalStamp.NOBODY) {
                    return write;
                }
            } finally {
                page.unlock();
            }
        }
        return GlobalStamp.NOBODY;
    }

    /// Whether some sector of these bytes may have a stamp of a write, or its words their own.
    public boolean mayHoldWrites(long from, long to) {
        if (!order.isWritten()) {
            return false;
        }
        if (sectors == null || !hasSectors(to)) {
            return true;
        }
        long behind = (to - 1) / ShadowPage.SECTOR;
        for (long at = from / ShadowPage.SECTOR; at <= behind; at++) {
            long stamp = sectors.getAtIndex(ValueLayout.JAVA_LONG, at);
            if (GlobalStamp.mayBeWritten(stamp)) {
                return true;
            }
        }
        return false;
    }

    /// Tells the stamps of writes of this launch through the generic proxy to some of these bytes
    /// that come before what a thread does now with no proxy fence between, lane by lane.
    ///
    /// @param by the order of the CTA of the thread
    public void unfencedWrites(
            long from, long to, HappensBefore by, int thread, LongConsumer told) {
        if (fences.countsAll()) {
            return;
        }
        FencesBefore before = fences.before(by, thread);
        long[] last = {GlobalStamp.NOBODY};
        ShadowPage.Writes visitor =
                (write, at) -> {
                    boolean isUnfenced =
                            write != last[0]
                                    && GlobalStamp.thread(write) < by.asyncThread(0)
                                    && genericWrite(write, at, by).isUnfenced(by, thread, before);
                    last[0] = write;
                    if (isUnfenced) {
                        told.accept(write);
                    }
                };
        for (long at = from, end; at < to; at = end) {
            end = Math.min(to, (at | ShadowPage.BYTES - 1) + 1);
            if (keeps(at) && mayHoldWrites(at, end)) {
                ShadowPage page = page(at);
                page.lock();
                try {
                    page.writes(at, end, visitor);
                } finally {
                    page.unlock();
                }
            }
        }
    }

    private GenericWrite genericWrite(long write, long at, HappensBefore by) {
        int kind = GlobalStamp.kind(write);
        boolean isStrong = kind != GlobalStamp.WEAK && order.isObserved();
        return new GenericWrite(
                by.strong(),
                by.strong().global(),
                stamps.cta(write),
                GlobalStamp.thread(write),
                stamps.clock(write),
                at,
                1 << GlobalStamp.unit(write),
                isStrong,
                isStrong ? GlobalStamp.scope(kind) : null);
    }

    /// What the launch accessed, once it is over.
    ///
    /// @param buffers where to look, the lowest address first
    /// @param sites of the program
    public Footprint footprint(List<Buffer> buffers, List<Site> sites) {
        Footprint.Builder runs = new Footprint.Builder();
        ShadowPage.Visitor add =
                (from, to, stamp) -> {
                    int ways = GlobalStamp.ways(stamp);
                    int site = stamps.site(stamp);
                    if (ways != 0) {
                        runs.add(
                                from + Addresses.GLOBAL,
                                to + Addresses.GLOBAL,
                                ways,
                                site == Stamp.NO_SITE ? null : sites.get(site));
                    }
                };
        for (Buffer buffer : buffers) {
            long end = buffer.end() - Addresses.GLOBAL;
            for (long at = buffer.address() - Addresses.GLOBAL, next; at < end; at = next) {
                next = Math.min(end, (at | ShadowPage.BYTES - 1) + 1);
                if (keeps(at) && mayBeTouched(at >>> ShadowPage.BITS)) {
                    page(at).visit(at, next, add);
                }
            }
        }
        return runs.build();
    }

    /// Some access is not kept.
    void lose() {
        incomplete = true;
    }

    /// What the launch may have accessed of some buffers, once it is over.
    public Touched touched(Collection<Buffer> buffers) {
        if (sectors == null || incomplete) {
            return Touched.ALL;
        }
        BitSet parts = new BitSet();
        long count = sectors.byteSize() / Long.BYTES;
        for (Buffer buffer : buffers) {
            long first = (buffer.address() - Addresses.GLOBAL) / ShadowPage.SECTOR;
            long last = (buffer.end() - 1 - Addresses.GLOBAL) / ShadowPage.SECTOR;
            for (long at = first; at <= last && at < count; at++) {
                if (sectors.getAtIndex(ValueLayout.JAVA_LONG, at) != GlobalStamp.NOBODY) {
                    parts.set(Math.toIntExact(at));
                }
            }
        }
        return new Touched(parts, ShadowPage.SECTOR, count * ShadowPage.SECTOR);
    }

    /// Whether some sector of a page has a stamp: most pages of large buffers have none.
    private boolean mayBeTouched(long page) {
        long at = page * ShadowPage.SECTOR_STAMPS;
        if (sectors == null || at + ShadowPage.SECTOR_STAMPS > sectors.byteSize()) {
            return true;
        }
        for (int i = 0; i < ShadowPage.SECTOR_STAMPS; i += Long.BYTES) {
            if (sectors.get(ValueLayout.JAVA_LONG, at + i) != GlobalStamp.NOBODY) {
                return true;
            }
        }
        return false;
    }

    private ShadowPage newPage(long number) {
        long at = number * ShadowPage.SECTOR_STAMPS;
        if (sectors == null
                || words == null
                || locks == null
                || at + ShadowPage.SECTOR_STAMPS > sectors.byteSize()) {
            return newPage();
        }
        return new ShadowPage(
                sectors.asSlice(at, ShadowPage.SECTOR_STAMPS),
                words.asSlice(number * ShadowPage.WORD_STAMPS, ShadowPage.WORD_STAMPS),
                locks.asSlice(number * Integer.BYTES, Integer.BYTES));
    }

    private static ShadowPage newPage() {
        return new ShadowPage(
                MemorySegment.ofArray(new long[ShadowPage.SECTOR_STAMPS / Long.BYTES]),
                MemorySegment.NULL,
                MemorySegment.ofArray(new int[1]));
    }
}
