package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.AsyncOperation.Completion;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/// The threads that stand for asynchronous operations in the order of events of a CTA, one for
/// some mbarriers, for a warpgroup, for some threads' bulk groups. Operations of one of them count
/// as over in the order in which they began.
public final class AsyncOrder {
    private static final int BARRIERS = 16;
    private static final int WARPGROUPS = 8;
    private static final int GROUPS = 8;

    // Behind the lanes, and the keys, of what reads.
    private static final int WRITERS = 32;
    private static final int WRITTEN = 1 << Stamp.THREAD_BITS;

    // Between both, those of what reads tensor maps.
    private static final int MAPS = WRITERS - GROUPS;

    private static final int MOST = 1024;

    // By warpgroup, or thread with bulk groups: their operations; and behind all threads, what
    // those of each write to global memory.
    private final Map<Integer, Deque<Group>> groups = new HashMap<>();

    // By thread with bulk groups, in the order in which they had their first: few threads have any.
    private final Map<Integer, Integer> lanes = new HashMap<>();

    // By thread: the last of its bulk groups that it has waited for.
    private final Map<Integer, Integer> awaited = new HashMap<>();

    /// An operation of a group.
    ///
    /// @param number of the group
    /// @param first the clock of the first operation of the group
    /// @param clock of the operation
    private record Group(int number, int first, int clock, Site site) {}

    public void clear() {
        groups.clear();
        lanes.clear();
        awaited.clear();
    }

    /// The bulk operations that no thread has waited for, the last of each thread.
    public Map<Integer, Site> unawaited() {
        Map<Integer, Site> found = new TreeMap<>();
        groups.forEach(
                (thread, own) -> {
                    Group last = own.getLast();
                    boolean reads = thread >= 0 && thread < WRITTEN;
                    if (reads && last.number > awaited.getOrDefault(thread, -1)) {
                        found.put(thread, last.site);
                    }
                });
        return found;
    }

    /// The lane of an operation among those that stand for them.
    public int lane(Completion completion, int thread) {
        return switch (completion) {
            case Completion.Transaction transaction -> lane(transaction.offset());
            case Completion.WgmmaGroup group -> lane(group);
            case Completion.BulkGroup _ -> groupLane(thread);
            case Completion.WrittenGroup _ -> WRITERS + groupLane(thread);
        };
    }

    /// Whether a lane is of what mbarriers count.
    static boolean isCounted(int lane) {
        return lane < BARRIERS;
    }

    /// The lane of what reads the tensor maps of a group whose lane is given.
    static int ofMaps(int lane) {
        return MAPS + lane;
    }

    /// Whether a lane is of what reads tensor maps.
    public static boolean readsMaps(int lane) {
        int first = ofMaps(BARRIERS + WARPGROUPS);
        return lane >= first && lane < first + GROUPS;
    }

    private int groupLane(int thread) {
        return BARRIERS + WARPGROUPS + lanes.computeIfAbsent(thread, _ -> lanes.size() % GROUPS);
    }

    private static int lane(Completion.WgmmaGroup group) {
        return BARRIERS + group.warpgroup() % WARPGROUPS;
    }

    /// The lane of what an mbarrier counts.
    public static int lane(long object) {
        return (int) (object / Long.BYTES % BARRIERS);
    }

    /// The lane of what an mbarrier of another CTA counts, in the CTA that begins it: objects at
    /// one place of several CTAs seldom have one.
    ///
    /// @param distance of the ranks of both
    public static int lane(Completion.Transaction transaction, int distance) {
        return lane(transaction.offset() + Long.BYTES * 5L * distance);
    }

    /// An operation has begun. Returns the clock of the first one of its group.
    public int began(Completion completion, int thread, Site site, int clock) {
        int number = number(completion);
        int first = clock;
        if (number < 0) {
            return first;
        }
        Deque<Group> own = groups.computeIfAbsent(key(completion, thread), k -> new ArrayDeque<>());
        Group last = own.peekLast();
        if (last != null && last.number == number) {
            // The last operation of a group stands for all.
            first = own.removeLast().first;
        } else if (own.size() == MOST) {
            own.removeFirst();
        }
        own.addLast(new Group(number, first, clock, site));
        return first;
    }

    /// The number of the group, or -1 where there is none.
    private static int number(Completion completion) {
        return switch (completion) {
            case Completion.WgmmaGroup group -> group.group();
            case Completion.BulkGroup group -> group.group();
            case Completion.WrittenGroup group -> group.group();
            case Completion.Transaction _ -> -1;
        };
    }

    private static int key(Completion completion, int thread) {
        return switch (completion) {
            case Completion.WgmmaGroup group -> -1 - group.warpgroup();
            case Completion.WrittenGroup _ -> WRITTEN + thread;
            case Completion.BulkGroup _, Completion.Transaction _ -> thread;
        };
    }

    /// The clock of the last operation that a wait is for, or 0.
    public int waited(Completion retired, int thread) {
        int last = number(retired);
        if (retired instanceof Completion.BulkGroup) {
            awaited.put(thread, last);
        }
        Deque<Group> own = groups.get(key(retired, thread));
        if (own == null) {
            return 0;
        }
        // Numbers and clocks grow.
        Iterator<Group> latest = own.descendingIterator();
        while (latest.hasNext()) {
            Group group = latest.next();
            if (group.number <= last) {
                return group.clock;
            }
        }
        return 0;
    }
}
