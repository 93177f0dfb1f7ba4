package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.function.LongPredicate;
import java.util.function.Predicate;

/// What threads of other CTAs of the cluster did in a CTA's shared memory.
public final class ClusterAccesses {
    private static final int WORD = Integer.BYTES;

    /// Of more, all before count as over.
    private static final int MOST = 1 << 16;

    private final SharedShadow shadow;
    private final HappensBefore owner;
    private final OwnAccesses own;
    private final OutsideWords words = new OutsideWords();
    private final LatestOfCtas latest = new LatestOfCtas();
    private final AwaitedAtExit awaited = new AwaitedAtExit();
    private final OutsideWrites writes;

    /// What a thread of some CTA did.
    ///
    /// @param cta its index in the grid
    /// @param thread in its CTA
    /// @param site the instruction's number
    public record Entry(int cta, int thread, int clock, SharedElement what, int site) {
        static Entry of(long stamp, long place) {
            return new Entry(
                    OutsideWords.cta(place),
                    Stamp.thread(stamp),
                    Stamp.clock(stamp),
                    SharedElement.of(stamp, place),
                    Stamp.site(stamp));
        }
    }

    /// Who accesses the memory.
    ///
    /// @param cta its index in the grid
    public record Accessor(int cta, int thread, int site) {}

    /// @param own what the CTA's own threads did
    ClusterAccesses(SharedShadow shadow, OwnAccesses own) {
        this.shadow = shadow;
        this.own = own;
        owner = shadow.order();
        writes = new OutsideWrites(words, latest, owner);
    }

    void clear() {
        words.clear();
        latest.clear();
        awaited.clear();
    }

    /// Whether some were in a word, and may still matter.
    boolean touches(int word) {
        return words.count(word) > 0;
    }

    /// Whether none were in the memory of an mbarrier object, but for operations on it.
    public boolean isAlone(int object) {
        int word = object / WORD;
        return !touches(word) && !touches(word + 1);
    }

    /// The lanes of whose objects that is so.
    public int alone(long[] objects, int lanes) {
        int alone = lanes;
        for (int rest = isEmpty() ? 0 : lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            alone &= isAlone((int) objects[lane]) ? -1 : ~(1 << lane);
        }
        return alone;
    }

    /// Whether no other CTA has accessed the memory, as in all kernels without clusters.
    public boolean isEmpty() {
        return words.count() == 0;
    }

    /// Who accesses the memory before the end of none of the CTA's threads, or null.
    ///
    /// @param threads of the CTA
    public @Nullable Accessor afterEnd(int threads) {
        OverFor first = new OverFor(owner, 0);
        boolean areOver = latest.areOver(owner, 0);
        for (int word = words.first(); !areOver && word < words.behind(); word++) {
            for (int i = 0; i < words.count(word); i++) {
                long stamp = words.stamp(word, i);
                int cta = OutsideWords.cta(words.place(word, i));
                int thread = Stamp.thread(stamp);
                if (thread < owner.asyncThread(0)
                        && !first.isOver(cta, stamp)
                        && !isOver(cta, thread, Stamp.clock(stamp), threads)
                        && !words.isStale(word, i)) {
                    return new Accessor(cta, thread, Stamp.site(stamp));
                }
            }
        }
        return awaited.late((cta, thread, clock) -> isOver(cta, thread, clock, threads));
    }

    /// Whether what a thread of some CTA did is over for one of the CTA's threads.
    private boolean isOver(int cta, int thread, int clock, int threads) {
        for (int each = 0; each < threads; each++) {
            if (owner.isOver(cta, thread, clock, each)) {
                return true;
            }
        }
        return false;
    }

    /// Keeps an asynchronous operation of another CTA's thread that writes here: it must be over
    /// before the CTA ends.
    public void begun(Accessor by, Aside aside) {
        awaited.begun(by, aside);
    }

    /// Keeps an arrival of another CTA's thread at an mbarrier here, before it releases: it must be
    /// over before the CTA ends, too.
    ///
    /// @param by the order of the thread's CTA
    public void arrived(HappensBefore by, int thread, int site) {
        awaited.arrived(new Accessor(by.cta(), thread, site), by.clockOf(thread));
    }

    /// One that an access of a thread races with, or null.
    ///
    /// @param by the order of the thread's CTA
    public @Nullable Entry racing(SharedElement element, HappensBefore by, int thread) {
        return racing(element, by, thread, entry -> false);
    }

    /// The same, where some do not matter.
    public @Nullable Entry racing(
            SharedElement element, HappensBefore by, int thread, Predicate<Entry> isHarmless) {
        if (isEmpty() || latest.areOver(by, thread)) {
            return null;
        }
        OverFor over = new OverFor(by, thread);
        for (int word = element.firstWord(); word <= element.lastWord(); word++) {
            int count = words.count(word);
            if (count == 0 || areStrongWith(word, element)) {
                continue;
            }
            for (int i = 0; i < count; i++) {
                long stamp = words.stamp(word, i);
                long place = words.place(word, i);
                boolean mayRace =
                        (element.write() || OutsideWords.isWrite(place))
                                && !over.isOver(OutsideWords.cta(place), stamp)
                                && element.touches(place);
                Entry entry = mayRace ? Entry.of(stamp, place) : null;
                if (entry != null
                        && !isExcused(entry, element, by, thread)
                        && !words.isStale(word, i)
                        && !isHarmless.test(entry)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /// Whether all accesses of words are morally strong with one to these by a thread of the
    /// cluster, at first sight.
    public boolean areStrongWith(SharedElement element) {
        for (int word = element.firstWord(); !isEmpty() && word <= element.lastWord(); word++) {
            if (words.count(word) > 0 && !areStrongWith(word, element)) {
                return false;
            }
        }
        return true;
    }

    /// Whether all accesses of a word are morally strong with an access by a thread of the cluster:
    /// then none is looked at.
    private boolean areStrongWith(int word, SharedElement element) {
        return element.isOfCluster() && words.areLike(word, element);
    }

    /// Whether at first sight no access to some words races with a strong write of each of them by
    /// a thread of the cluster.
    ///
    /// @param kind of these writes
    public boolean areStrongWith(int at, int end, int kind) {
        boolean areStrong = isEmpty() || Stamp.bytes(kind) == WORD;
        for (int i = at; i < end && areStrong; i += WORD) {
            int word = i / WORD;
            areStrong =
                    words.count(word) == 0
                            || areStrongWith(word, new SharedElement(i, WORD, true, kind));
        }
        return areStrong;
    }

    /// What other CTAs wrote there through the generic proxy.
    public OutsideWrites writes() {
        return writes;
    }

    /// Whether both are morally strong, or the earlier was observed by something that is over.
    private boolean isExcused(Entry entry, SharedElement element, HappensBefore by, int thread) {
        SharedElement what = entry.what;
        if (what.kind() == Stamp.WEAK) {
            return false;
        }
        if (Stamp.areStrongAlike(what.kind(), element.kind())
                && element.at() == what.at()
                && by.reach().isWithin(entry.cta, by.cta(), what.scope())
                && by.reach().isWithin(by.cta(), entry.cta, element.scope())) {
            return true;
        }
        int actor = Location.actor(entry.cta, entry.thread);
        return by.strong()
                .isObserved(
                        owner.strong().shared(),
                        what.at(),
                        what.bytes(),
                        new Location.Strong(!what.write(), actor, entry.clock, what.scope()),
                        thread);
    }

    /// The stamp of a write of the CTA's own threads that an access of another CTA's thread races
    /// with, or NOBODY.
    ///
    /// @param counts which of those that race matter, by their stamps
    public long writeRacingInside(
            SharedElement element, HappensBefore by, int thread, LongPredicate counts) {
        return own.racingWrite(element, by, thread, counts);
    }

    /// The stamp of a read of the CTA's own threads that a write of another CTA's thread races
    /// with, or NOBODY.
    public long readRacingInside(SharedElement element, HappensBefore by, int thread) {
        return element.write() ? own.racingRead(element, by, thread) : Stamp.NOBODY;
    }

    /// Keeps accesses of another CTA's lanes, one after the other, as long as each is in order with
    /// all accesses before it, or morally strong with them, at first sight.
    ///
    /// @param each weak, or atomic operations of one element
    /// @param by the order of the lanes' CTA
    /// @return the lanes that are left: the first that is not in order, and those behind it
    public int addInOrder(LaneElements each, HappensBefore by, int lanes) {
        int first = 32 * each.warp();
        OverFor over = new OverFor(by, first);
        int rest = lanes;
        while (rest != 0) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int thread = first + lane;
            SharedElement all = each.all(lane);
            over.turnTo(thread);
            boolean isNext =
                    each.kind() == Stamp.WEAK
                            ? isInOrder(all, by, thread, over)
                            : mayUpdate(all, by, thread, over);
            if (!isNext) {
                break;
            }
            add(each.first(lane), all.end(), by, thread, each.site());
            if (all.write()) {
                wrote(all);
            }
            rest &= rest - 1;
        }
        return rest;
    }

    private boolean isInOrder(SharedElement all, HappensBefore by, int thread, OverFor over) {
        return (!all.write() || isUnread(all, by, thread))
                && own.areOver(all.at(), all.end(), all.write(), over)
                && racing(all, by, thread) == null;
    }

    /// Whether an atomic operation is, at first sight, in order or morally strong with all that was
    /// done to its words.
    ///
    /// @param by the order of the thread's CTA
    public boolean mayUpdate(SharedElement element, HappensBefore by, int thread) {
        return mayUpdate(element, by, thread, new OverFor(by, thread));
    }

    private boolean mayUpdate(SharedElement element, HappensBefore by, int thread, OverFor over) {
        return element.isOfCluster()
                && isUnread(element, by, thread)
                && shadow.wholeRegions()
                        .mayUpdate(element.at(), element.end(), element.kind(), over)
                && racing(element, by, thread) == null;
    }

    /// Whether no asynchronous operation still reads bytes that are written.
    private boolean isUnread(SharedElement element, HappensBefore by, int thread) {
        return shadow.asyncReads().racing(element.at(), element.end(), by, thread) == null;
    }

    /// Keeps an access of another CTA's thread. From here on, the threads of the CTA itself look
    /// closer at its bytes.
    ///
    /// @param by the order of that CTA
    public void add(SharedElement element, HappensBefore by, int thread, int site) {
        add(element, element.end(), by, thread, site);
    }

    /// The same of an element and those like it behind it.
    private void add(SharedElement first, int end, HappensBefore by, int thread, int site) {
        shadow.bytes().watch(first.at(), end);
        int clock = by.clockOf(thread);
        long stamp = Stamp.of(clock, site, first.kind(), thread);
        for (SharedElement each = first; each.at() < end; each = each.next()) {
            if (words.count() >= MOST) {
                clear();
            }
            latest.add(by.cta(), clock);
            settle(each, by, thread);
            long place = OutsideWords.place(by.cta(), each.at(), each.bytes(), each.write());
            for (int word = each.firstWord(); word <= each.lastWord(); word++) {
                words.add(word, stamp, place, shadow.words());
            }
        }
    }

    /// A weak access stands for those before it that it covers: what races with one of them later
    /// races with it. Those of other CTAs are forgotten.
    public void settle(SharedElement element, HappensBefore by, int thread) {
        if (element.kind() != Stamp.WEAK || isEmpty()) {
            return;
        }
        OverFor over = new OverFor(by, thread);
        for (int word = element.firstWord(); word <= element.lastWord(); word++) {
            if (words.count(word) > 0) {
                words.removeIf(
                        word,
                        (stamp, place) ->
                                element.covers(place)
                                        && (element.write() || !OutsideWords.isWrite(place))
                                        && over.isOver(OutsideWords.cta(place), stamp));
            }
        }
    }

    /// Bytes were written from outside.
    public void wrote(SharedElement element) {
        own.define(element.at(), element.end());
        if (element.kind() == Stamp.WEAK) {
            owner.strong().shared().overwrite(element.at(), element.end());
        }
    }
}
