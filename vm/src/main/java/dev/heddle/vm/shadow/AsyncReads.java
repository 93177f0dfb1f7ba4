package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The shared memory that asynchronous operations read, until that is over for everybody.
public final class AsyncReads {
    /// Of more that are not over and read other bytes than later ones, the oldest count as over.
    private static final int MOST = 1 << 12;

    /// With so many, those are looked for that a later one stands for.
    private static final int MANY = 256;

    /// With so many, those that are over are looked for.
    private static final int FIRST_PRUNED = 16;

    private final HappensBefore order;
    private final List<Entry> entries = new ArrayList<>();

    // By warp, how many of the first are over for all of its lanes: those stay so.
    private final int[] over;
    private int pruned = FIRST_PRUNED;
    private int least = Integer.MAX_VALUE;
    private int most;

    /// What an operation reads.
    ///
    /// @param bytes of shared memory
    /// @param thread that stands for the operation
    /// @param clock of the operation
    /// @param site the instruction's number
    public record Entry(ByteRanges bytes, int thread, int clock, int site) {}

    AsyncReads(HappensBefore order, int warps) {
        this.order = order;
        over = new int[warps];
    }

    void clear() {
        entries.clear();
        pruned = FIRST_PRUNED;
        bound();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    public void add(Entry entry) {
        if (entries.size() >= pruned) {
            prune();
        }
        entries.add(entry);
        include(entry);
    }

    private void include(Entry entry) {
        least = Math.min(least, entry.bytes.from());
        most = Math.max(most, entry.bytes.to());
    }

    private void bound() {
        Arrays.fill(over, 0);
        least = Integer.MAX_VALUE;
        most = 0;
        entries.forEach(this::include);
    }

    private void prune() {
        entries.removeIf(entry -> order.isOverForAll(entry.thread, entry.clock));
        if (entries.size() >= MANY) {
            leaveLatest();
        }
        if (entries.size() >= MOST) {
            entries.subList(0, MOST / 2).clear();
        }
        pruned = Math.clamp(2L * entries.size(), FIRST_PRUNED, MOST);
        bound();
    }

    /// Operations that one thread stands for are over in the order in which they began: what races
    /// with one races with a later one that reads the same bytes, too.
    private void leaveLatest() {
        Map<Integer, List<Entry>> later = new HashMap<>();
        List<Entry> left = new ArrayList<>();
        for (Entry entry : entries.reversed()) {
            List<Entry> own = later.computeIfAbsent(entry.thread, key -> new ArrayList<>());
            if (own.stream().noneMatch(other -> other.bytes.contain(entry.bytes))) {
                own.add(entry);
                left.add(entry);
            }
        }
        entries.clear();
        entries.addAll(left.reversed());
    }

    /// Whether whatever reads some of these bytes is over for all lanes of a warp.
    boolean areOver(int from, int to, int warp) {
        if (!mayTouch(from, to) || areOver(warp)) {
            return true;
        }
        for (Entry entry : entries) {
            if (!isOver(entry, warp) && entry.bytes.overlap(from, to)) {
                return false;
            }
        }
        return true;
    }

    /// Whether all reads are over for all lanes of a warp.
    boolean areOver(int warp) {
        int count = over[warp];
        while (count < entries.size() && isOver(entries.get(count), warp)) {
            count++;
        }
        over[warp] = count;
        return count == entries.size();
    }

    private boolean isOver(Entry entry, int warp) {
        return order.isOverForWarp(entry.thread, entry.clock, warp);
    }

    private boolean mayTouch(int from, int to) {
        return from < most && to > least;
    }

    /// What reads some of these bytes and is not over for a thread, or null.
    public @Nullable Entry racing(int from, int to, int thread) {
        return racing(from, to, order, thread);
    }

    /// The same for a thread of another CTA of the cluster.
    ///
    /// @param by the order of that CTA
    public @Nullable Entry racing(int from, int to, HappensBefore by, int thread) {
        if (!mayTouch(from, to)) {
            return null;
        }
        for (Entry entry : entries) {
            if (!by.isOver(order.cta(), entry.thread, entry.clock, thread)
                    && entry.bytes.overlap(from, to)) {
                return entry;
            }
        }
        return null;
    }
}
