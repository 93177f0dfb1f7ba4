package dev.heddle.programs.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.programs.device.StreamOrder.Accessed;
import dev.heddle.programs.host.HostCall;
import dev.heddle.programs.host.Shortcut;
import dev.heddle.vm.ir.GridDependencies.Dependency;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/// Random programs: which pairs of operations are in no order, against a search through all edges
/// that the guide gives (CUDA Programming Guide, 4.3): streams, the legacy default stream, events,
/// and waits of the host.
@DisplayName("The order of streams is what a search through all edges says")
final class StreamOrderTest {
    private static final int STEPS = 60;
    private static final int STREAMS = 4;

    private final Streams streams = new Streams(() -> 0, Shortcut.unused(), new Contexts(_ -> {}));
    private final Events events = new Events(streams);
    private final List<Stream> all = new ArrayList<>();

    // The edges: for each operation, those that are before it.
    private final List<BitSet> before = new ArrayList<>();
    private final Map<Stream, BitSet> frontier = new HashMap<>();
    private final BitSet host = new BitSet();
    private final Set<String> unordered = new ConcurrentSkipListSet<>();

    /// What is before the next work of a stream.
    private BitSet frontier(Stream stream) {
        BitSet own = (BitSet) frontier.computeIfAbsent(stream, _ -> new BitSet()).clone();
        for (Stream other : all) {
            boolean waits =
                    stream == all.getFirst() && other.waitsForLegacy()
                            || other == all.getFirst() && stream.waitsForLegacy();
            if (waits) {
                own.or(frontier.computeIfAbsent(other, _ -> new BitSet()));
            }
        }
        return own;
    }

    private void operate(Stream stream) {
        int number = before.size();
        BitSet mine = frontier(stream);
        mine.or(host);
        before.add(mine);
        BitSet after = (BitSet) mine.clone();
        after.set(number);
        frontier.put(stream, after);
        streams.submit(
                stream,
                () -> {
                    Accessed accessed =
                            new Accessed(
                                    Operation.current(),
                                    () -> new Origin.Moved("" + number, HostCall.UNKNOWN),
                                    Dependency.NONE,
                                    List.of());
                    for (Accessed other : streams.order().add(accessed)) {
                        int theirs = Integer.parseInt(other.origin().get().words());
                        unordered.add(pair(number, theirs));
                    }
                });
    }

    private static String pair(int one, int other) {
        return Math.min(one, other) + " and " + Math.max(one, other);
    }

    @RepeatedTest(300)
    void randomPrograms(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        all.add(streams.of(0));
        for (int i = 1; i < STREAMS; i++) {
            all.add(streams.create(random.nextInt(3) == 0 ? Streams.NON_BLOCKING : 0, 0));
        }
        List<Events.Event> recorded = new ArrayList<>();
        List<BitSet> known = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Stream stream = all.get(random.nextInt(STREAMS));
            switch (random.nextInt(10)) {
                case 0 -> {
                    Events.Event event = events.of(events.create(0));
                    // It is work of its stream, and so is a wait for it.
                    frontier.put(stream, frontier(stream));
                    known.add(frontier(stream));
                    events.record(event, stream);
                    recorded.add(event);
                }
                case 1, 2 -> {
                    if (!recorded.isEmpty()) {
                        int which = random.nextInt(recorded.size());
                        events.await(stream, recorded.get(which));
                        BitSet behind = frontier(stream);
                        behind.or(known.get(which));
                        frontier.put(stream, behind);
                    }
                }
                case 3 -> {
                    if (random.nextInt(3) == 0) {
                        streams.await(stream);
                        host.or(frontier(stream));
                    } else if (!recorded.isEmpty()) {
                        int which = random.nextInt(recorded.size());
                        events.await(recorded.get(which));
                        host.or(known.get(which));
                    }
                }
                default -> operate(stream);
            }
        }
        streams.awaitAll();
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < before.size(); i++) {
            for (int k = 0; k < i; k++) {
                if (!before.get(i).get(k)) {
                    expected.add(pair(k, i));
                }
            }
        }
        assertThat(unordered).isEqualTo(expected);
    }
}
