package dev.heddle.vm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Scope;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

@DisplayName("Places with strong operations")
final class LocationsTest {
    private static final int WORDS_OF_A_PAGE = 1 << 14;

    /// Of the memory in which there are runs.
    private static final int BYTES = 128;

    private static final int OPERATIONS = 12;
    private static final Reach REACH = new Reach(new Extent(1, 1, 1), new Extent(1, 1, 1));

    @Test
    @DisplayName("a range of words is asked for as each of its words is, across pages too")
    void rangesAreTheirWords() {
        Random random = new Random(3);
        Locations locations = new Locations();
        Set<Long> words = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            // Around the end of the first page, where ranges have words of both.
            long word = WORDS_OF_A_PAGE - 300L + random.nextInt(600);
            int bytes = word % 2 == 0 && random.nextBoolean() ? 8 : 4;
            locations.at(4 * word, bytes);
            words.add(word);
            if (bytes == 8) {
                words.add(word + 1);
            }
        }
        for (int i = 0; i < 20_000; i++) {
            long first = WORDS_OF_A_PAGE - 400L + random.nextInt(800);
            long last = first + random.nextInt(random.nextBoolean() ? 4 : 200);
            boolean expected = false;
            for (long word = first; word <= last; word++) {
                expected |= words.contains(word);
            }
            assertThat(locations.any(first, last)).as("%d to %d", first, last).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("elements of a reduction are as if each were a place from the beginning")
    void runsAreTheirElements() {
        Random random = new Random(5);
        for (int program = 0; program < 300; program++) {
            Locations runs = new Locations();
            Locations places = new Locations();
            for (int clock = 1; clock <= OPERATIONS; clock++) {
                int bytes = 2 << random.nextInt(3);
                long at = bytes * (long) random.nextInt(BYTES / 2 / bytes);
                long end = at + bytes * (1L + random.nextInt(BYTES / 2 / bytes));
                Message message = Message.of(0, Scope.CLUSTER, VectorClock.none(1));
                switch (random.nextInt(4)) {
                    case 0 -> {
                        runs.overwrite(at, end);
                        places.overwrite(at, end);
                    }
                    case 1 -> {
                        update(runs, at, bytes, clock, message);
                        update(places, at, bytes, clock, message);
                    }
                    default -> {
                        Location all = runs.ofAll(at, end, bytes);
                        if (all != null) {
                            update(all, clock, message);
                        }
                        for (long each = at; each < end; each += bytes) {
                            if (all == null) {
                                update(runs, each, bytes, clock, message);
                            }
                            update(places, each, bytes, clock, message);
                        }
                    }
                }
                assertThat(told(runs)).isEqualTo(told(places));
            }
        }
    }

    private static void update(Locations in, long at, int bytes, int clock, Message message) {
        update(in.at(at, bytes), clock, message);
        in.overwriteOthers(at, bytes);
    }

    private static void update(Location location, int clock, Message message) {
        location.update(0, Scope.CLUSTER, clock, VectorClock.none(1));
        location.write(message, 0, Scope.CLUSTER);
    }

    /// What is known of each place there, by its address and size: what it releases, and which
    /// updates were observed.
    private static Map<List<Long>, List<Object>> told(Locations in) {
        Map<List<Long>, List<Object>> told = new HashMap<>();
        for (long at = 0; at < BYTES; at++) {
            for (int bytes = 1; bytes <= 8; bytes *= 2) {
                Location location = in.find(at, bytes);
                if (location != null) {
                    List<Object> known = new ArrayList<>();
                    known.add(Optional.ofNullable(location.message()));
                    for (int clock = 1; clock <= OPERATIONS; clock++) {
                        Location.Strong update = new Location.Strong(false, 0, clock, null);
                        known.add(location.isObserved(update, (actor, when) -> true, REACH));
                    }
                    told.put(List.of(at, (long) bytes), known);
                }
            }
        }
        return told;
    }
}
