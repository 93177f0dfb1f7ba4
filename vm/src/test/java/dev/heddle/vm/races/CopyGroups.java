package dev.heddle.vm.races;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What threads have copied with `cp.async`, by events, and the groups that they have committed
/// (PTX ISA 9.7.9.25.3).
final class CopyGroups {
    private final Map<Integer, List<Integer>> copies = new HashMap<>();

    // By thread, how many copies it had begun when it committed each of its groups.
    private final Map<Integer, List<Integer>> groups = new HashMap<>();

    void add(int thread, int copy) {
        copies.computeIfAbsent(thread, t -> new ArrayList<>()).add(copy);
    }

    void commit(int thread) {
        groups.computeIfAbsent(thread, t -> new ArrayList<>()).add(begun(thread).size());
    }

    /// All copies that a thread has begun, whatever it has waited for.
    List<Integer> begun(int thread) {
        return copies.getOrDefault(thread, List.of());
    }

    /// Those of all its groups but the last ones.
    List<Integer> awaited(int thread, int pending) {
        List<Integer> own = groups.getOrDefault(thread, List.of());
        int last = own.size() - 1 - pending;
        return begun(thread).subList(0, last < 0 ? 0 : own.get(last));
    }
}
