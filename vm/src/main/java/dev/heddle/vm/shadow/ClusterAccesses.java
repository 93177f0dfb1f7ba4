package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/// What threads of other CTAs of the cluster did in a CTA's shared memory.
public final class ClusterAccesses {
    private static final int WORD = Integer.BYTES;

    /// Of more, all before count as over.
    private static final int MOST = 1 << 16;

    private final SharedShadow shadow;
    private final HappensBefore owner;
    private final Map<Integer, Word> words = new HashMap<>();
    private int count;

    // By what stands for them, whenever it was: the last asynchronous operation that writes here.
    private final Map<Integer, Begun> begun = new HashMap<>();

    // By thread, whenever it was: its last arrival at an mbarrier here.
    private final Map<Integer, Arrival> arrivals = new HashMap<>();

    /// One element of an access.
    ///
    /// @param at its first byte in the CTA's shared memory
    /// @param kind weak, or strong with the bytes and the scope, as in a stamp
    public record Element(int at, int bytes, boolean write, int kind) {
        /// The scope of a strong one.
        private Scope scope() {
            return Objects.requireNonNull(Stamp.scope(kind), "no scope");
        }

        private boolean touches(Element other) {
            return at < other.at + other.bytes && other.at < at + bytes;
        }

        private boolean covers(Element other) {
            return at <= other.at && other.at + other.bytes <= at + bytes;
        }
    }

    /// What a thread of some CTA did.
    ///
    /// @param cta its index in the grid
    /// @param thread in its CTA
    /// @param site the instruction's number
    public record Entry(int cta, int thread, int clock, Element what, int site) {
        private boolean isOfSameTime(@Nullable Entry other) {
            return other != null
                    && cta == other.cta
                    && thread == other.thread
                    && clock == other.clock;
        }
    }

    /// The accesses that touch a word.
    private static final class Word {
        /// Of two alike of a thread the later stands for both.
        private record Key(int cta, int thread, Element what) {}

        private final SequencedMap<Key, Entry> entries = new LinkedHashMap<>();

        // What all of them are, if they are the same.
        private @Nullable Element common;

        /// Returns whether it stands for none.
        boolean add(Entry added) {
            common = entries.isEmpty() || added.what.equals(common) ? added.what : null;
            return entries.putLast(new Key(added.cta, added.thread, added.what), added) == null;
        }

        /// Whether all are morally strong with an access by a thread of the cluster: then none is
        /// looked at.
        boolean areStrongWith(Element element) {
            return element.kind != Stamp.WEAK
                    && element.equals(common)
                    && element.scope() != Scope.CTA;
        }
    }

    /// Who accesses the memory.
    ///
    /// @param cta its index in the grid
    public record Accessor(int cta, int thread, int site) {}

    /// An asynchronous operation, and what stands for it.
    private record Begun(Accessor by, Aside aside) {}

    private record Arrival(Accessor by, int clock) {}

    ClusterAccesses(SharedShadow shadow) {
        this.shadow = shadow;
        owner = shadow.order();
    }

    void clear() {
        words.clear();
        begun.clear();
        arrivals.clear();
        count = 0;
    }

    /// Whether some were in a word, and may still matter.
    boolean touches(int word) {
        return count > 0 && words.containsKey(word);
    }

    /// Whether no other CTA has accessed the memory, as in all kernels without clusters.
    public boolean isEmpty() {
        return count == 0;
    }

    /// Who accesses the memory before the end of none of the CTA's threads, or null.
    ///
    /// @param threads of the CTA
    public @Nullable Accessor afterEnd(int threads) {
        for (Word word : words.values()) {
            for (Entry entry : word.entries.values()) {
                if (entry.thread < owner.asyncThread(0)
                        && !isOver(entry.cta, entry.thread, entry.clock, threads)) {
                    return new Accessor(entry.cta, entry.thread, entry.site);
                }
            }
        }
        for (Begun last : begun.values()) {
            Aside aside = last.aside;
            if (!isOver(aside.cta(), aside.thread(), aside.clock(), threads)) {
                return last.by;
            }
        }
        for (Arrival last : arrivals.values()) {
            if (!isOver(last.by.cta, last.by.thread, last.clock, threads)) {
                return last.by;
            }
        }
        return null;
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
        begun.put(Location.actor(aside.cta(), aside.thread()), new Begun(by, aside));
    }

    /// Keeps an arrival of another CTA's thread at an mbarrier here, before it releases: it must be
    /// over before the CTA ends, too.
    ///
    /// @param by the order of the thread's CTA
    public void arrived(HappensBefore by, int thread, int site) {
        Accessor accessor = new Accessor(by.cta(), thread, site);
        arrivals.put(by.actor(thread), new Arrival(accessor, by.clockOf(thread)));
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
        if (count == 0) {
            return null;
        }
        // Consecutive entries are mostly of one CTA: what is over of it is looked up once.
        int cta = -1;
        VectorClock over = null;
        for (int at = first(element); at <= last(element); at++) {
            Word word = words.get(at);
            if (word == null || word.areStrongWith(element)) {
                continue;
            }
            for (Entry entry : word.entries.values()) {
                if (entry.cta != cta) {
                    cta = entry.cta;
                    over = known(cta, by, thread);
                }
                if (entry.what.touches(element)
                        && (entry.what.write || element.write)
                        && !isOver(entry, over, by, thread)
                        && !isExcused(entry, element, by, thread)
                        && !isHarmless.test(entry)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /// What is over for a thread of what those of some CTA did, or null where nothing is.
    private static @Nullable VectorClock known(int cta, HappensBefore by, int thread) {
        VectorClock known = by.known(thread);
        return cta == by.cta() ? known : known.others().of(cta);
    }

    private static boolean isOver(
            Entry entry, @Nullable VectorClock over, HappensBefore by, int thread) {
        return entry.thread == thread && entry.cta == by.cta()
                || over != null && over.of(entry.thread / 32, entry.thread % 32) >= entry.clock;
    }

    /// A write through the generic proxy to some of the bytes of an access that comes before it
    /// with no proxy fence between, or null.
    ///
    /// @param by the order of the CTA of the thread that makes the access
    /// @param fences those that come before it
    public @Nullable Entry unfenced(
            Element element, HappensBefore by, int thread, FencesBefore fences) {
        // The last weak write that was asked about: others of its time are as it is.
        Entry known = null;
        for (int at = first(element); at <= last(element); at++) {
            Word word = words.get(at);
            if (word == null) {
                continue;
            }
            for (Entry entry : word.entries.values()) {
                boolean isWeak = entry.what.kind == Stamp.WEAK;
                boolean isAsked =
                        entry.what.write
                                && entry.thread < by.asyncThread(0)
                                && entry.what.touches(element)
                                && !(isWeak && entry.isOfSameTime(known));
                if (isAsked && isUnfenced(entry, by, thread, fences)) {
                    return entry;
                }
                known = isAsked && isWeak ? entry : known;
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
        return racingInside(
                element,
                by,
                thread,
                (at, accessor) -> shadow.writeRacingFromOutside(at, accessor, counts));
    }

    /// The stamp of a read of the CTA's own threads that a write of another CTA's thread races
    /// with, or NOBODY.
    public long readRacingInside(Element element, HappensBefore by, int thread) {
        return element.write
                ? racingInside(element, by, thread, shadow::readRacingFromOutside)
                : Stamp.NOBODY;
    }

    private interface ByteSearch {
        long at(int at, RaceSearch.Accessor by);
    }

    private long racingInside(Element element, HappensBefore by, int thread, ByteSearch search) {
        RaceSearch.Accessor accessor = new RaceSearch.Accessor(by, thread, element.kind);
        for (int i = element.at; i < element.at + element.bytes; i++) {
            if (i > element.at && shadow.place(i) == shadow.place(i - 1)) {
                continue;
            }
            long found = search.at(i, accessor);
            if (found != Stamp.NOBODY) {
                return found;
            }
        }
        return Stamp.NOBODY;
    }

    /// Keeps an access of another CTA's thread. From here on, the threads of the CTA itself look
    /// closer at its bytes.
    ///
    /// @param by the order of that CTA
    public void add(Element element, HappensBefore by, int thread, int site) {
        if (count >= MOST) {
            clear();
        }
        settle(element, by, thread);
        shadow.bytes().watch(element.at, element.at + element.bytes);
        Entry added = new Entry(by.cta(), thread, by.clockOf(thread), element, site);
        for (int word = first(element); word <= last(element); word++) {
            if (words.computeIfAbsent(word, _ -> new Word()).add(added)) {
                count++;
            }
        }
    }

    /// A weak access stands for those before it that it covers: what races with one of them later
    /// races with it. Those of other CTAs are forgotten.
    public void settle(Element element, HappensBefore by, int thread) {
        if (element.kind != Stamp.WEAK || count == 0) {
            return;
        }
        for (int at = first(element); at <= last(element); at++) {
            Word word = words.get(at);
            if (word == null) {
                continue;
            }
            int before = word.entries.size();
            word.entries
                    .values()
                    .removeIf(
                            entry ->
                                    element.covers(entry.what)
                                            && (element.write || !entry.what.write)
                                            && by.isOver(
                                                    entry.cta, entry.thread, entry.clock, thread));
            count -= before - word.entries.size();
            if (word.entries.isEmpty()) {
                words.remove(at);
            }
        }
    }

    /// Bytes were written from outside.
    public void wrote(Element element) {
        for (int i = element.at; i < element.at + element.bytes; i++) {
            if (!shadow.isWritten(i)) {
                shadow.stampWrite(i, Stamp.of(0, Stamp.NO_SITE, Stamp.WEAK, 0));
            }
        }
        if (element.kind == Stamp.WEAK) {
            owner.strong().shared().overwrite(element.at, element.at + element.bytes);
        }
    }

    private static int first(Element element) {
        return element.at / WORD;
    }

    private static int last(Element element) {
        return (element.at + element.bytes - 1) / WORD;
    }
}
