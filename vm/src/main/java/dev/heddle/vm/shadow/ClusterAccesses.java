package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
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
    private final AwaitedAtExit awaited = new AwaitedAtExit();

    /// One element of an access.
    ///
    /// @param at its first byte in the CTA's shared memory
    /// @param kind weak, or strong with the bytes and the scope, as in a stamp
    public record Element(int at, int bytes, boolean write, int kind) {
        /// One whose stamp and place are known.
        private static Element of(long stamp, long place) {
            return new Element(
                    OutsideWords.at(place),
                    OutsideWords.bytes(place),
                    OutsideWords.isWrite(place),
                    Stamp.kind(stamp));
        }

        /// The scope of a strong one.
        private Scope scope() {
            return Objects.requireNonNull(Stamp.scope(kind), "no scope");
        }

        /// Whether it is strong, and morally strong with those like it of the whole cluster.
        public boolean isOfCluster() {
            return kind != Stamp.WEAK && scope() != Scope.CTA;
        }

        /// Whether an access at some place has bytes of this one.
        private boolean touches(long place) {
            int from = OutsideWords.at(place);
            return at < from + OutsideWords.bytes(place) && from < at + bytes;
        }

        private boolean covers(long place) {
            int from = OutsideWords.at(place);
            return at <= from && from + OutsideWords.bytes(place) <= at + bytes;
        }
    }

    /// What a thread of some CTA did.
    ///
    /// @param cta its index in the grid
    /// @param thread in its CTA
    /// @param site the instruction's number
    public record Entry(int cta, int thread, int clock, Element what, int site) {
        private static Entry of(long stamp, long place) {
            return new Entry(
                    OutsideWords.cta(place),
                    Stamp.thread(stamp),
                    Stamp.clock(stamp),
                    Element.of(stamp, place),
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
    }

    void clear() {
        words.clear();
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
        for (int word = words.first(); word < words.behind(); word++) {
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
    public @Nullable Entry racing(Element element, HappensBefore by, int thread) {
        return racing(element, by, thread, entry -> false);
    }

    /// The same, where some do not matter.
    public @Nullable Entry racing(
            Element element, HappensBefore by, int thread, Predicate<Entry> isHarmless) {
        if (isEmpty()) {
            return null;
        }
        OverFor over = new OverFor(by, thread);
        for (int word = first(element); word <= last(element); word++) {
            int count = words.count(word);
            if (count == 0 || areStrongWith(word, element)) {
                continue;
            }
            for (int i = 0; i < count; i++) {
                long stamp = words.stamp(word, i);
                long place = words.place(word, i);
                boolean mayRace =
                        (element.write || OutsideWords.isWrite(place))
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
    boolean areStrongWith(Element element) {
        for (int word = first(element); !isEmpty() && word <= last(element); word++) {
            if (words.count(word) > 0 && !areStrongWith(word, element)) {
                return false;
            }
        }
        return true;
    }

    /// Whether all accesses of a word are morally strong with an access by a thread of the cluster:
    /// then none is looked at.
    private boolean areStrongWith(int word, Element element) {
        return element.isOfCluster()
                && words.areAlike(word)
                && element.equals(Element.of(words.stamp(word, 0), words.place(word, 0)));
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
                    words.count(word) == 0 || areStrongWith(word, new Element(i, WORD, true, kind));
        }
        return areStrong;
    }

    /// A write through the generic proxy to some of the bytes of an access that comes before it
    /// with no proxy fence between, or null.
    ///
    /// @param by the order of the CTA of the thread that makes the access
    /// @param fences those that come before it
    public @Nullable Entry unfenced(
            Element element, HappensBefore by, int thread, FencesBefore fences) {
        // The last weak write that was asked about: others of its thread then are as it is.
        long known = Stamp.NOBODY;
        int whose = by.cta();
        for (int word = first(element); word <= last(element); word++) {
            for (int i = 0; i < words.count(word); i++) {
                long stamp = words.stamp(word, i);
                long place = words.place(word, i);
                int cta = OutsideWords.cta(place);
                boolean isAsked =
                        OutsideWords.isWrite(place)
                                && Stamp.thread(stamp) < by.asyncThread(0)
                                && Stamp.clock(stamp) > fences.limit(cta)
                                && (stamp != known || cta != whose)
                                && element.touches(place)
                                && !words.isStale(word, i);
                if (isAsked && isUnfenced(Entry.of(stamp, place), by, thread, fences)) {
                    return Entry.of(stamp, place);
                }
                if (isAsked && Stamp.kind(stamp) == Stamp.WEAK) {
                    known = stamp;
                    whose = cta;
                }
            }
        }
        return null;
    }

    private boolean isUnfenced(Entry entry, HappensBefore by, int thread, FencesBefore fences) {
        Element what = entry.what;
        boolean isStrong = what.kind != Stamp.WEAK;
        return new GenericWrite(
                        by.strong(),
                        owner.strong().shared(),
                        entry.cta,
                        entry.thread,
                        entry.clock,
                        what.at,
                        what.bytes,
                        isStrong,
                        isStrong ? what.scope() : null)
                .isUnfenced(by, thread, fences);
    }

    /// Whether both are morally strong, or the earlier was observed by something that is over.
    private boolean isExcused(Entry entry, Element element, HappensBefore by, int thread) {
        Element what = entry.what;
        if (what.kind == Stamp.WEAK) {
            return false;
        }
        if (Stamp.areStrongAlike(what.kind, element.kind)
                && element.at == what.at
                && by.reach().isWithin(entry.cta, by.cta(), what.scope())
                && by.reach().isWithin(by.cta(), entry.cta, element.scope())) {
            return true;
        }
        int actor = Location.actor(entry.cta, entry.thread);
        return by.strong()
                .isObserved(
                        owner.strong().shared(),
                        what.at,
                        what.bytes,
                        new Location.Strong(!what.write, actor, entry.clock, what.scope()),
                        thread);
    }

    /// The stamp of a write of the CTA's own threads that an access of another CTA's thread races
    /// with, or NOBODY.
    ///
    /// @param counts which of those that race matter, by their stamps
    public long writeRacingInside(
            Element element, HappensBefore by, int thread, LongPredicate counts) {
        return own.racingWrite(element, by, thread, counts);
    }

    /// The stamp of a read of the CTA's own threads that a write of another CTA's thread races
    /// with, or NOBODY.
    public long readRacingInside(Element element, HappensBefore by, int thread) {
        return element.write ? own.racingRead(element, by, thread) : Stamp.NOBODY;
    }

    /// Whether a weak access of another CTA's thread to some bytes is in order with all accesses
    /// before it, at first sight.
    ///
    /// @param by the order of the thread's CTA
    public boolean isInOrder(int at, int end, boolean write, HappensBefore by, int thread) {
        return own.areOver(at, end, write, by, thread)
                && racing(new Element(at, end - at, write, Stamp.WEAK), by, thread) == null;
    }

    /// Keeps an access of another CTA's thread. From here on, the threads of the CTA itself look
    /// closer at its bytes.
    ///
    /// @param by the order of that CTA
    public void add(Element element, HappensBefore by, int thread, int site) {
        if (words.count() >= MOST) {
            clear();
        }
        settle(element, by, thread);
        shadow.bytes().watch(element.at, element.at + element.bytes);
        long stamp = Stamp.of(by.clockOf(thread), site, element.kind, thread);
        long place = OutsideWords.place(by.cta(), element.at, element.bytes, element.write);
        for (int word = first(element); word <= last(element); word++) {
            words.add(word, stamp, place, shadow.words());
        }
    }

    /// A weak access stands for those before it that it covers: what races with one of them later
    /// races with it. Those of other CTAs are forgotten.
    public void settle(Element element, HappensBefore by, int thread) {
        if (element.kind != Stamp.WEAK || isEmpty()) {
            return;
        }
        OverFor over = new OverFor(by, thread);
        for (int word = first(element); word <= last(element); word++) {
            if (words.count(word) > 0) {
                words.removeIf(
                        word,
                        (stamp, place) ->
                                element.covers(place)
                                        && (element.write || !OutsideWords.isWrite(place))
                                        && over.isOver(OutsideWords.cta(place), stamp));
            }
        }
    }

    /// Bytes were written from outside.
    public void wrote(Element element) {
        int end = element.at + element.bytes;
        for (int i = element.at; i < end; i = own.endOfPlace(i)) {
            if (!shadow.isWritten(i)) {
                shadow.stampWrite(i, Stamp.of(0, Stamp.NO_SITE, Stamp.WEAK, 0));
            }
        }
        if (element.kind == Stamp.WEAK) {
            owner.strong().shared().overwrite(element.at, end);
        }
    }

    private static int first(Element element) {
        return element.at / WORD;
    }

    private static int last(Element element) {
        return (element.at + element.bytes - 1) / WORD;
    }
}
