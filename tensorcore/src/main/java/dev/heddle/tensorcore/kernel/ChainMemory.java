package dev.heddle.tensorcore.kernel;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The memory of an f64 product. An element takes two words.
final class ChainMemory extends ProductMemory {
    /// Elements of a vector.
    private static final int ROWS = Lanes.COUNT / 2;

    private final ChainLayout layout;

    ChainMemory(Places places) {
        int columns = places.d().minors();
        int[] a = rows(places.a());
        int[] b = words(places.b(), IntStream.range(0, places.b().word().length));
        int[] c = rows(places.c());
        reach(a, b, c);
        layout =
                new ChainLayout(
                        places.d().majors() / ROWS,
                        columns,
                        places.a().minors(),
                        moves(a, new int[0], room(a.length / Lanes.COUNT)),
                        moves(b, new int[0], room(b.length / Lanes.COUNT)),
                        moves(c, new int[0], room(c.length / Lanes.COUNT)),
                        moves(inverse(rows(places.d())), new int[0], 0));
    }

    /// The words of eight rows of a minor, then those of the next.
    private static int[] rows(Placement place) {
        int minors = place.minors();
        IntStream elements =
                IntStream.range(0, place.word().length)
                        .map(
                                at ->
                                        (at / (ROWS * minors) * ROWS + at % ROWS) * minors
                                                + at / ROWS % minors);
        return words(place, elements);
    }

    private static int[] words(Placement place, IntStream elements) {
        return elements.map(at -> place.word()[at])
                .flatMap(word -> IntStream.of(word, word + 1))
                .toArray();
    }

    private static int[] inverse(int[] index) {
        int[] inverse = new int[index.length];
        Arrays.setAll(inverse, at -> at);
        for (int at = 0; at < index.length; at++) {
            inverse[index[at]] = at;
        }
        return inverse;
    }

    @Override
    ChainLayout layout() {
        return layout;
    }
}
