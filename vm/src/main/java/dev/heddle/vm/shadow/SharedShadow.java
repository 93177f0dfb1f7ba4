package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.SharedGap;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongPredicate;

/// What is known of a CTA's shared memory: who wrote and read it, and whether an asynchronous copy
/// into it is under way.
///
/// Nearly all accesses are of whole words, and in order. So a word is one place in two histories,
/// of its writes and of its reads. Where its bytes differ they have places of their own, and where
/// that is so, or a copy is under way, the word's last write is one that asks for a closer look.
public final class SharedShadow {
    private static final int WORD = Integer.BYTES;

    /// Bytes whose stamps machine code clears at once.
    private static final int CLEARED = 32;

    private final int words;
    private final HappensBefore order;
    private final AccessHistory writes;
    private final AccessHistory reads;
    private final ReadLog recent;
    private final AsyncReads asyncReads;
    private final ProxyFences proxyFences;
    private final WholeWords wholeWords;
    private final UpdatedWords updatedWords;
    private final WholeRegions wholeRegions;
    private final UndefinedMemory undefined;
    private final ClusterAccesses outside;
    private final CopiesUnderWay copies;
    private final WatchedWords watched;
    private final BytePlaces bytes;

    /// What is known of a CTA's shared memory.
    ///
    /// @param bytes of shared memory
    /// @param threads of the CTA
    /// @param gaps between the variables
    /// @param grid how the CTAs of the launch are ordered
    public SharedShadow(int bytes, int threads, List<SharedGap> gaps, GridOrder grid) {
        words = Math.ceilDiv(bytes, CLEARED) * (CLEARED / WORD);
        order = new HappensBefore(threads, grid);
        int warps = order.async().warps();
        writes = new AccessHistory(words + BytePlaces.FEW, warps, order);
        reads = new AccessHistory(words + BytePlaces.FEW, warps, order);
        asyncReads = new AsyncReads(order, warps);
        proxyFences = new ProxyFences(order);
        watched = new WatchedWords(gaps, writes);
        int[] firsts = new int[words];
        copies = new CopiesUnderWay(order.async(), writes, firsts, watched);
        this.bytes = new BytePlaces(firsts, writes, reads, watched, copies);
        recent = new ReadLog(words, reads, this.bytes, order);
        wholeWords = new WholeWords(order, writes, reads, recent, asyncReads, watched);
        wholeRegions =
                new WholeRegions(order, writes, reads, this.bytes, recent, asyncReads, copies);
        undefined = new UndefinedMemory(bytes);
        outside =
                new ClusterAccesses(
                        this, new OwnAccesses(order, writes, reads, this.bytes, recent, copies));
        updatedWords =
                new UpdatedWords(
                        order, writes, reads, recent, asyncReads, this.bytes, copies, outside);
    }

    /// Forgets everything, and becomes that of a CTA with this index.
    public void clear(int cta) {
        writes.clear();
        reads.clear();
        recent.clear();
        asyncReads.clear();
        proxyFences.clear();
        undefined.clear();
        outside.clear();
        bytes.clear();
        copies.clear();
        order.clear(cta);
        watched.mark();
    }

    public HappensBefore order() {
        return order;
    }

    /// How many words there are.
    int words() {
        return words;
    }

    /// Where weak accesses of whole words are looked at first.
    public WholeWords wholeWords() {
        return wholeWords;
    }

    /// Where atomic operations on whole words are looked at first.
    public UpdatedWords updatedWords() {
        return updatedWords;
    }

    /// Where what asynchronous operations touch is looked at first.
    public WholeRegions wholeRegions() {
        return wholeRegions;
    }

    // For machine code, which looks at stamps and replaces them.

    /// The stamp of the last write of each word.
    public MemorySegment lastWrites() {
        return MemorySegment.ofArray(writes.lasts()).asSlice(0, (long) words * Long.BYTES);
    }

    /// The stamp of the last read of each word.
    public MemorySegment lastReads() {
        return MemorySegment.ofArray(reads.lasts()).asSlice(0, (long) words * Long.BYTES);
    }

    /// The stamps of the last writes of all places: words, and bytes that have places.
    public MemorySegment writeStamps() {
        return MemorySegment.ofArray(writes.lasts());
    }

    /// The stamps of the last reads of all places.
    public MemorySegment readStamps() {
        return MemorySegment.ofArray(reads.lasts());
    }

    /// The places of bytes.
    public BytePlaces bytes() {
        return bytes;
    }

    /// By word, the place of its first byte, an int each: above 0 where it has one. Nothing where
    /// more has to be known of bytes that have places than their stamps.
    public MemorySegment bytePlaces() {
        return copies.isEmpty() && outside.isEmpty() ? bytes.segment() : MemorySegment.NULL;
    }

    /// Lets [#lastReads] have all reads, which machine code looks at.
    public void settle() {
        recent.settle();
    }

    public AsyncReads asyncReads() {
        return asyncReads;
    }

    public ProxyFences proxyFences() {
        return proxyFences;
    }

    /// What threads of other CTAs of the cluster did here.
    public ClusterAccesses outside() {
        return outside;
    }

    /// Which of its bits were stored and are undefined all the same.
    public UndefinedMemory undefined() {
        return undefined;
    }

    /// The stamp of a weak access that lane 0 of a warp makes now; that of another lane is greater
    /// by its number.
    public long stamp(int warp, int site) {
        return stamp(warp, site, Stamp.WEAK);
    }

    /// The kind of an access in its stamp. Scopes count where other CTAs reach the memory.
    public int kindOf(Access access) {
        return !access.isStrong()
                ? Stamp.WEAK
                : order.grid().isSharedByCluster()
                        ? Stamp.kindOf(access.bytes(), access.scope())
                        : Stamp.kindOf(access.bytes());
    }

    public long stamp(int warp, int site, int kind) {
        return Stamp.of(order.clock(warp), site, kind, 32 * warp);
    }

    /// How many bytes from here on have one place, in an access that ends there.
    public int extent(int at, int end) {
        int word = at / WORD;
        recent.settleBytes(word);
        if (bytes.has(word)) {
            return 1;
        }
        if (at % WORD == 0 && end - at >= WORD) {
            return WORD;
        }
        bytes.first(word);
        return 1;
    }

    /// The same, where it does not matter whether that is the place of a word or of all its bytes.
    public int span(int at, int end) {
        recent.settleBytes(at / WORD);
        boolean isWhole = at % WORD == 0 && end - at >= WORD && bytes.areEven(at / WORD);
        return isWhole ? WORD : extent(at, end);
    }

    /// The place of a byte, in both histories.
    int place(int at) {
        return bytes.place(at);
    }

    /// The stamp of the last write of a byte, or NOBODY.
    public long lastWrite(int at) {
        return writes.newest(place(at));
    }

    /// The stamp of the only write of a byte, or NOBODY; one that is not weak where there are more.
    public long onlyWrite(int at) {
        return writes.last(place(at));
    }

    public boolean isWritten(int at) {
        return writes.last(place(at)) != Stamp.NOBODY;
    }

    /// The first of some bytes that nobody wrote and no copy is under way to, or -1.
    public int firstUnwritten(int from, int end) {
        for (int at = from; at < end; at++) {
            long write = writes.lasts()[at / WORD];
            boolean isWhole = write != Stamp.NOBODY && write < Stamp.LOOK_CLOSER;
            if (!isWhole && copies.copier(at) < 0 && !isWritten(at)) {
                return at;
            }
            at |= isWhole || bytes.areEven(at / WORD) ? WORD - 1 : 0;
        }
        return -1;
    }

    /// A write of a byte that a thread's access races with, or NOBODY.
    public long racingWrite(int at, long now) {
        return racing(writes, at, now, false, write -> true);
    }

    /// A write of a byte that a thread's read races with, or NOBODY.
    public long racingWriteForRead(int at, long now) {
        long write = racingWrite(at, now);
        return write == Stamp.NOBODY
                        || StoresOfOneValue.areKnown(writes, place(at), order, Stamp.thread(now))
                ? Stamp.NOBODY
                : write;
    }

    /// A read of a byte that a thread's write races with, or NOBODY.
    ///
    /// @param counts whether a read that races matters
    public long racingRead(int at, long now, LongPredicate counts) {
        recent.settle(at / WORD);
        return racing(reads, at, now, true, counts);
    }

    /// A write of a byte that is not over for a thread, and that is asked for, or NOBODY.
    public long unorderedWrite(int at, long now, LongPredicate wanted) {
        return write(at, each -> !order.isOver(each, now) && wanted.test(each));
    }

    private long write(int at, LongPredicate wanted) {
        long[] found = {Stamp.NOBODY};
        writes.forEach(
                place(at),
                write -> {
                    found[0] = wanted.test(write) ? write : found[0];
                    return found[0] == Stamp.NOBODY;
                });
        return found[0];
    }

    /// A write of a byte that comes before what a thread does now with no proxy fence between, or
    /// NOBODY.
    ///
    /// @param wanted whether a write is asked for
    /// @param by the order of the CTA of the thread
    public long unfencedWrite(
            int at, LongPredicate wanted, HappensBefore by, int thread, FencesBefore fences) {
        return write(
                at,
                write ->
                        wanted.test(write)
                                && GenericWrite.ofOwn(order, write, at)
                                        .isUnfenced(by, thread, fences));
    }

    private long racing(
            AccessHistory history, int at, long now, boolean read, LongPredicate counts) {
        return racing(history, at, RaceSearch.Accessor.of(order, now), read, counts);
    }

    private long racing(
            AccessHistory history,
            int at,
            RaceSearch.Accessor by,
            boolean read,
            LongPredicate counts) {
        RaceSearch search = new RaceSearch(order, by, at, read, counts);
        history.forEach(place(at), search);
        return search.found();
    }

    public void stampRead(int at, long now) {
        recent.settle(at / WORD);
        reads.add(place(at), now & ~31L, 1 << (int) (now & 31));
    }

    /// A write that is in order with all before it, or strong.
    public void stampWrite(int at, long now) {
        recent.settle(at / WORD);
        copies.settle(at / WORD);
        if (Stamp.kind(now) == Stamp.WEAK) {
            int place = place(at);
            writes.set(place, now);
            reads.set(place, Stamp.NOBODY);
        } else {
            addWrite(at, now);
        }
    }

    /// A write beside others that it is not in order with.
    public void addWrite(int at, long now) {
        copies.settle(at / WORD);
        writes.add(place(at), now & ~31L, 1 << (int) (now & 31));
    }

    /// One weak access wrote these bytes, in order with all before.
    public void wrote(int at, int end, long now) {
        join(at, end);
        for (int word = Math.ceilDiv(at, WORD); (word + 1) * WORD <= end; word++) {
            if (!bytes.has(word)) {
                stampWrite(word * WORD, now);
            }
        }
    }

    /// Whole words that are written alike are one place again, if no other CTA touches them.
    private void join(int at, int end) {
        int first = Math.ceilDiv(at, WORD);
        int behind = bytes.mayHaveAny(first, end / WORD) ? end / WORD : first;
        for (int word = first; word < behind; word++) {
            if (bytes.has(word) && !outside.touches(word)) {
                bytes.join(word);
            }
        }
    }

    /// Bytes were written by another CTA, in order with all that the threads of this one do.
    public void wroteAside(int at, int bytes) {
        wroteAside(at, bytes, Stamp.of(0, Stamp.NO_SITE, Stamp.WEAK, 0));
    }

    /// Bytes were written beside the threads of the CTA.
    public void wroteAside(int at, int bytes, long now) {
        undefined.define(at, at + bytes);
        recent.settle(at / WORD, (at + bytes - 1) / WORD);
        if (Stamp.kind(now) == Stamp.WEAK) {
            join(at, at + bytes);
        }
        if (Stamp.kind(now) == Stamp.WEAK && this.bytes.areWords(at, at + bytes)) {
            wholeRegions.wrote(at / WORD, (at + bytes) / WORD, now);
            return;
        }
        for (int i = at, extent; i < at + bytes; i += extent) {
            extent = span(i, at + bytes);
            stampWrite(i, now);
        }
        if (Stamp.kind(now) == Stamp.WEAK) {
            wrote(at, at + bytes, now);
        }
    }

    /// An mbarrier object was made: who accesses its memory otherwise looks closer.
    ///
    /// @param at its first byte
    public void watchObject(int at) {
        watched.watch(at / WORD, words);
        watched.watch(at / WORD + 1, words);
    }

    // Copies.

    public CopiesUnderWay copies() {
        return copies;
    }

    /// A thread's copy of whole words begins.
    public void copy(int at, int bytes, int thread, int part, int site) {
        undefined.define(at, at + bytes);
        copies.copy(at / WORD, (at + bytes) / WORD, thread, part, site);
    }

    /// Whether no other CTA or asynchronous operation touches it, and nothing undefined was stored:
    /// then stamps alone tell which words may be written, but for those of strong operations.
    public boolean isOfWeakAccesses(int warp) {
        return undefined.isEmpty() && outside.isEmpty() && asyncReads.areOver(warp);
    }
}
