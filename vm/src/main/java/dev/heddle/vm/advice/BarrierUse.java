package dev.heddle.vm.advice;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Which barriers of a CTA order anything: an access of one thread before it and one of another
/// behind it, to the same word, one of them a store. What lies behind the next barrier is ordered
/// by that one, unless it orders nothing either: of two in a row that do the same, one may go, and
/// not both.
///
/// Accesses that it does not look at, such as those of atomic operations and asynchronous copies,
/// count as ordered by every barrier beside them.
final class BarrierUse {
    /// Words of one interval that are kept; with more, the barriers beside it count as needed.
    private static final int MOST = 1 << 20;

    /// Barriers in a row that are kept; of more, the oldest is taken for one that orders nothing.
    private static final int MOST_IN_A_ROW = 16;

    private static final int MANY = -1;

    private final Map<Cta, Watch> watches = new HashMap<>();
    private final TreeMap<Integer, Count> counts = new TreeMap<>();

    // Barriers of which not all may go, by their numbers, and how often they came in a row.
    private final Map<Set<Integer>, Long> rows = new HashMap<>();

    private static final class Count {
        private final Site site;
        private long executed;

        Count(Site site) {
            this.site = site;
        }
    }

    /// What is done between two barriers: by word, who reads and who writes it.
    private static final class Interval {
        private final Map<Long, Integer> readers = new HashMap<>();
        private final Map<Long, Integer> writers = new HashMap<>();
        private boolean unknown;

        void add(long word, int thread, boolean store) {
            if (readers.size() + writers.size() > MOST) {
                unknown = true;
                return;
            }
            (store ? writers : readers)
                    .merge(word, thread, (old, now) -> old.equals(now) ? old : MANY);
        }

        void addAll(Interval other) {
            other.readers.forEach((word, thread) -> add(word, thread, false));
            other.writers.forEach((word, thread) -> add(word, thread, true));
        }

        boolean meets(Interval later) {
            return unknown
                    || later.unknown
                    || share(writers, later.writers)
                    || share(writers, later.readers)
                    || share(readers, later.writers);
        }

        /// Whether two threads have a word in common.
        private static boolean share(Map<Long, Integer> before, Map<Long, Integer> behind) {
            Map<Long, Integer> fewer = before.size() < behind.size() ? before : behind;
            Map<Long, Integer> more = before.size() < behind.size() ? behind : before;
            for (Map.Entry<Long, Integer> one : fewer.entrySet()) {
                Integer other = more.get(one.getKey());
                if (other != null
                        && (other == MANY
                                || one.getValue() == MANY
                                || !other.equals(one.getValue()))) {
                    return true;
                }
            }
            return false;
        }
    }

    /// A barrier, and the interval in front of it.
    private record Passed(Interval before, Site barrier) {}

    /// A CTA: its last barriers, and the interval behind them.
    private static final class Watch {
        private final long cta;
        private final int[] arrived;
        private final int[] passed;
        private int number;
        private @Nullable Site reached;

        /// The last first. Those in front of one that was needed are not kept: that one stays.
        private final Deque<Passed> row = new ArrayDeque<>();

        private Interval now = new Interval();

        Watch(long cta, int warps) {
            this.cta = cta;
            arrived = new int[warps];
            passed = new int[warps];
        }
    }

    private Watch of(Frame frame) {
        Cta cta = frame.warp.cta();
        Watch watch = watches.get(cta);
        if (watch == null || watch.cta != cta.index()) {
            if (watch != null) {
                end(watch);
            }
            watch = new Watch(cta.index(), cta.warps().length);
            watches.put(cta, watch);
        }
        // A warp that has passed the barrier: all that was in front of it is done.
        if (watch.passed[frame.warp.index()] > watch.number) {
            pass(watch);
        }
        return watch;
    }

    private void pass(Watch watch) {
        judge(watch);
        if (watch.reached != null) {
            watch.row.addFirst(new Passed(watch.now, watch.reached));
        }
        if (watch.row.size() > MOST_IN_A_ROW) {
            Interval oldest = watch.row.removeLast().before;
            watch.row.getLast().before.addAll(oldest);
        }
        watch.now = new Interval();
        watch.number++;
    }

    /// The CTA has ended.
    private void end(Watch watch) {
        for (int passed : watch.passed) {
            if (passed > watch.number) {
                pass(watch);
            }
        }
        judge(watch);
    }

    void access(Frame frame, long[] addresses, int bytes, int lanes, boolean store) {
        Watch watch = of(frame);
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long end = addresses[lane] + bytes;
            for (long word = addresses[lane] >> 2; word << 2 < end; word++) {
                watch.now.add(word, frame.warp.thread(lane), store);
            }
        }
    }

    void unknown(Frame frame) {
        of(frame).now.unknown = true;
    }

    void arrive(Frame frame, Site site, Collective.Barrier barrier, int lanes) {
        Watch watch = of(frame);
        int warp = frame.warp.index();
        boolean isWhole =
                barrier.threads() == null
                        && barrier.barrier() instanceof Source.Constant number
                        && number.bits() == 0
                        && barrier.arrival() == Collective.Barrier.Arrival.SYNC;
        if (!isWhole) {
            watch.now.unknown = true;
            return;
        }
        watch.arrived[warp] |= lanes;
        if ((watch.arrived[warp] & frame.warp.live()) == frame.warp.live()) {
            watch.arrived[warp] = 0;
            watch.passed[warp]++;
            watch.reached = site;
        }
    }

    /// The last barrier of a CTA, now that what follows it is known: it orders that behind what is
    /// in front of it, and behind what is in front of those before it as they do.
    private void judge(Watch watch) {
        Passed last = watch.row.peekFirst();
        if (last == null) {
            return;
        }
        counts.computeIfAbsent(last.barrier.number(), _ -> new Count(last.barrier)).executed++;
        Set<Integer> between = new HashSet<>();
        Passed nearest = null;
        for (Passed each : watch.row) {
            between.add(each.barrier.number());
            if (each.before.meets(watch.now)) {
                nearest = each;
                break;
            }
        }
        if (nearest != null) {
            rows.merge(between, 1L, Long::sum);
        }
        if (last.equals(nearest)) {
            watch.row.clear();
        }
    }

    /// All barriers; of those that may go, but not together, the first counts as needed. To be
    /// asked once, behind the launch.
    List<Advice.Barrier> all() {
        watches.values().forEach(this::end);
        watches.clear();
        List<Advice.Barrier> all = new ArrayList<>();
        Set<Integer> gone = new HashSet<>();
        counts.descendingMap()
                .forEach(
                        (number, one) -> {
                            long needed = Math.min(one.executed, neededWithout(gone, number));
                            all.addFirst(new Advice.Barrier(one.site, one.executed, needed));
                            if (needed == 0) {
                                gone.add(number);
                            }
                        });
        return all;
    }

    /// How often a barrier orders what no other does, where some are gone.
    private long neededWithout(Set<Integer> gone, int number) {
        long often = 0;
        for (Map.Entry<Set<Integer>, Long> row : rows.entrySet()) {
            Set<Integer> left = new HashSet<>(row.getKey());
            left.removeAll(gone);
            often += left.equals(Set.of(number)) ? row.getValue() : 0;
        }
        return often;
    }
}
