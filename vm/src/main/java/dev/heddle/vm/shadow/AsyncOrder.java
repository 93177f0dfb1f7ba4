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
    private static final int MOST = 1024;

    // By warpgroup, or thread with bulk groups: their operations.
    private final Map<Integer, Deque<Group>> groups = new HashMap<>();

    // By thread with bulk groups, in the order in which they had their first: few threads have any.
    private final Map<Integer, Integer> lanes = new HashMap<>();

    // By thread: the last of its bulk groups that it has waited for.
    private final Map<Integer, Integer> awaited = new HashMap<>();

    /// An operation of a group, of those that read shared memory.
    ///
    /// @param number of the group
    /// @param clock of the operation
    private record Group(int number, int clock, Site site) {}

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
                    if (thread >= 0 && last.number > awaited.getOrDefault(thread, -1)) {
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
            case Completion.BulkGroup _ ->
                    BARRIERS
                            + WARPGROUPS
                            + lanes.computeIfAbsent(thread, _ -> lanes.size() % GROUPS);
        };
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

    /// An operation has begun.
    public void began(AsyncOperation operation, int clock) {
        int number;
        switch (operation.completion()) {
            case Completion.WgmmaGroup group -> number = group.group();
            case Completion.BulkGroup group -> number = group.group();
            case Completion.Transaction _ -> {
                return;
            }
        }
        Deque<Group> own =
                groups.computeIfAbsent(
                        key(operation.completion(), operation.thread()), k -> new ArrayDeque<>());
        Group last = own.peekLast();
        if (last != null && last.number == number) {
            // The last operation of a group stands for all.
            own.removeLast();
        } else if (own.size() == MOST) {
            own.removeFirst();
        }
        own.addLast(new Group(number, clock, operation.site()));
    }

    private static int key(Completion completion, int thread) {
        return completion instanceof Completion.WgmmaGroup group ? -1 - group.warpgroup() : thread;
    }

    /// The clock of the last operation that a wait is for, or 0.
    public int waited(Completion retired, int thread) {
        int last =
                switch (retired) {
                    case Completion.WgmmaGroup group -> group.group();
                    case Completion.BulkGroup group -> group.group();
                    case Completion.Transaction _ -> -1;
                };
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
