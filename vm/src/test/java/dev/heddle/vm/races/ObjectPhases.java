package dev.heddle.vm.races;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The phases of the mbarrier objects: each awaits arrivals, and the bytes that it expects.
final class ObjectPhases {
    // By object, what its phases that are over brought along: arrivals and copies; and those of the
    // phase.
    private final Map<Integer, List<Integer>> over = new HashMap<>();
    private final Map<Integer, List<Integer>> phase = new HashMap<>();
    private final Map<Integer, Integer> phasesOver = new HashMap<>();
    private final Map<Integer, Integer> arrived = new HashMap<>();
    private final Map<Integer, Integer> bytes = new HashMap<>();

    /// An arrival comes. The phase is over with the last of them, once there are all bytes.
    void arrive(int object) {
        arrived.merge(object, 1, Integer::sum);
        end(object);
    }

    /// An event that the phase brings along.
    void add(int object, int event) {
        phase.computeIfAbsent(object, o -> new ArrayList<>()).add(event);
    }

    /// An event that expects bytes, or a transaction, whose bytes are negative.
    void count(int object, int event, int expected) {
        add(object, event);
        bytes.merge(object, expected, Integer::sum);
        end(object);
    }

    private void end(int object) {
        if (arrived.getOrDefault(object, 0)
                        == SharingProgram.arrivals(object % SharingProgram.OBJECTS)
                && bytes.getOrDefault(object, 0) == 0) {
            over.computeIfAbsent(object, o -> new ArrayList<>())
                    .addAll(phase.getOrDefault(object, List.of()));
            phase.remove(object);
            arrived.remove(object);
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
