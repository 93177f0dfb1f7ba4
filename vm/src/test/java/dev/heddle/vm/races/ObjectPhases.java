package dev.heddle.vm.races;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The phases of the mbarrier objects that count bytes: each awaits one arrival, and the bytes that
/// it expects.
final class ObjectPhases {
    // By object, what its phases that are over brought along: arrivals and copies; and those of the
    // phase.
    private final Map<Integer, List<Integer>> over = new HashMap<>();
    private final Map<Integer, List<Integer>> phase = new HashMap<>();
    private final Map<Integer, Integer> phasesOver = new HashMap<>();
    private final Map<Integer, Integer> awaited = new HashMap<>();
    private final Set<Integer> expected = new HashSet<>();

    /// The arrival of the phase comes.
    void expect(int object) {
        expected.add(object);
    }

    /// An event that the phase brings along.
    void add(int object, int event) {
        phase.computeIfAbsent(object, o -> new ArrayList<>()).add(event);
    }

    /// An arrival that expects bytes, or a transaction, whose bytes are negative.
    void count(int object, int event, int bytes) {
        add(object, event);
        if (awaited.merge(object, bytes, Integer::sum) == 0 && expected.remove(object)) {
            over.computeIfAbsent(object, o -> new ArrayList<>()).addAll(phase.remove(object));
            phasesOver.merge(object, 1, Integer::sum);
        }
    }

    /// What a wait brings along.
    List<Integer> over(int object, int parity) {
        return phasesOver.getOrDefault(object, 0) % 2 != parity
                ? over.getOrDefault(object, List.of())
                : List.of();
    }
}
