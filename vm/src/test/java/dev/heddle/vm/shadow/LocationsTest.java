package dev.heddle.vm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

@DisplayName("Places with strong operations")
final class LocationsTest {
    private static final int WORDS_OF_A_PAGE = 1 << 14;

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
}
