package dev.heddle.vm.shadow;

import dev.heddle.formats.Counted;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Part;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.LaneText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Who initialised the mbarrier objects of a CTA and who has arrived in their current phases.
public final class BarrierLog {
    private static final int MOST_NOTES = 3;

    private final TreeMap<Long, Entry> entries = new TreeMap<>();

    private static final class Entry {
        @Nullable Site initialized;
        @Nullable Site invalidated;
        long count;
        long seen;
        final Map<Site, TreeMap<Integer, Integer>> arrivals = new LinkedHashMap<>();
    }

    public void clear() {
        entries.clear();
    }

    /// Lanes did something to an object.
    ///
    /// @param warp its number in the CTA
    /// @param completed whether that ended the phase
    /// @param count first operand of the instruction
    public void note(
            Step.MemoryBarrierObject step,
            long offset,
            int warp,
            int lanes,
            boolean completed,
            long count) {
        if (step.action() == Action.INITIALIZE) {
            Entry made = new Entry();
            made.initialized = step.site();
            made.count = count;
            entries.put(offset, made);
        } else if (step.action() == Action.INVALIDATE) {
            Entry ended = new Entry();
            ended.invalidated = step.site();
            entries.put(offset, ended);
        } else if (step.action().part() == Part.ARRIVES) {
            entries.computeIfAbsent(offset, o -> new Entry())
                    .arrivals
                    .computeIfAbsent(step.site(), s -> new TreeMap<>())
                    .merge(warp, lanes, (a, b) -> a | b);
        }
        if (completed) {
            completed(offset);
        }
    }

    /// The phase of an object has ended: by an arrival, or as the last bytes came.
    public void completed(long offset) {
        Entry entry = entries.get(offset);
        if (entry != null) {
            entry.arrivals.clear();
        }
    }

    /// A thread has seen that the phase before this one ended.
    ///
    /// @param phase the current one, as the object numbers it
    public void seen(long offset, long phase) {
        Entry entry = entries.get(offset);
        if (entry != null) {
            entry.seen = phase;
        }
    }

    /// Whether a thread has seen that the phase before this one ended, if there was one.
    public boolean isSeen(long offset, long phase) {
        Entry entry = entries.get(offset);
        return entry == null || entry.initialized == null || entry.seen == phase;
    }

    /// Whether an object was made here and not ended.
    public boolean isInUse(long offset) {
        Entry entry = entries.get(offset);
        return entry != null && entry.initialized != null;
    }

    /// Objects that were made and not ended: where each is, and what made it.
    public Map<Long, Site> inUse() {
        Map<Long, Site> made = new TreeMap<>();
        entries.forEach(
                (offset, entry) -> {
                    if (entry.initialized != null) {
                        made.put(offset, entry.initialized);
                    }
                });
        return made;
    }

    /// Where the first object is that was made, was not ended, and has a byte in a range; -1 for
    /// none.
    public long inUse(long from, long to) {
        // Mostly all objects are before the range, or behind it.
        if (entries.isEmpty()
                || entries.firstKey() >= to
                || entries.lastKey() + Long.BYTES <= from) {
            return -1;
        }
        for (var each : entries.subMap(from - Long.BYTES + 1, to).entrySet()) {
            if (each.getValue().initialized != null) {
                return each.getKey();
            }
        }
        return -1;
    }

    /// Where an object was ended, and none made since; null otherwise.
    public @Nullable Site invalidated(long offset) {
        Entry entry = entries.get(offset);
        return entry == null ? null : entry.invalidated;
    }

    /// What is known of an object.
    public List<Finding.Note> notes(long offset) {
        List<Finding.Note> notes = new ArrayList<>();
        Entry entry = entries.get(offset);
        if (entry == null) {
            return notes;
        }
        if (entry.initialized != null) {
            notes.add(
                    new Finding.Note(
                            entry.initialized,
                            "initialised here for " + Counted.of(entry.count, "arrival")));
        }
        if (entry.arrivals.isEmpty()) {
            notes.add(new Finding.Note(null, "nobody has arrived in this phase"));
        }
        List<Finding.Note> arrivals = new ArrayList<>();
        entry.arrivals.forEach((site, arrived) -> arrivals.addAll(arrivals(site, arrived)));
        notes.addAll(Finding.Note.first(MOST_NOTES, arrivals));
        return notes;
    }

    /// @param arrived lanes, by their warps
    private static List<Finding.Note> arrivals(Site site, Map<Integer, Integer> arrived) {
        Map<Integer, BitSet> warps = new LinkedHashMap<>();
        arrived.forEach((warp, lanes) -> warps.computeIfAbsent(lanes, l -> new BitSet()).set(warp));
        List<Finding.Note> notes = new ArrayList<>();
        warps.forEach(
                (lanes, some) ->
                        notes.add(
                                new Finding.Note(
                                        site,
                                        "arrived in this phase: "
                                                + LaneText.describe(some, lanes))));
        return notes;
    }
}
