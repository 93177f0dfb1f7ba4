package dev.heddle.vm.races;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The bulk groups of the threads, by the events of their operations: what these read, and what
/// they write.
final class BulkGroups {
    private final Map<Integer, List<Event>> open = new HashMap<>();
    private final Map<Integer, List<Event>> committed = new HashMap<>();
    private final Map<Integer, Group> groups = new HashMap<>();

    private record Event(int index, boolean writes) {}

    private record Group(int thread, int number) {}

    // By thread, the groups that it has committed.
    private final Map<Integer, Integer> numbers = new HashMap<>();

    void add(int thread, int event, boolean writes) {
        open.computeIfAbsent(thread, t -> new ArrayList<>()).add(new Event(event, writes));
        groups.put(event, new Group(thread, numbers.getOrDefault(thread, 0)));
    }

    void commit(int thread) {
        List<Event> own = open.remove(thread);
        committed.computeIfAbsent(thread, t -> new ArrayList<>()).addAll(own);
        numbers.merge(thread, 1, Integer::sum);
    }

    /// The events that a wait for all groups of a thread is for.
    ///
    /// @param read whether it waits for the reading alone
    List<Integer> awaited(int thread, boolean read) {
        return committed.getOrDefault(thread, List.of()).stream()
                .filter(event -> !(read && event.writes))
                .map(Event::index)
                .toList();
    }

    /// Whether two events are of groups of one thread that complete one after the other
    /// (9.7.9.25.1.1), or of one operation.
    boolean areInOrder(int first, int second, boolean isOneOperation) {
        Group one = groups.get(first);
        Group other = groups.get(second);
        return one != null
                && other != null
                && one.thread == other.thread
                && (isOneOperation || one.number != other.number);
    }
}
