package dev.heddle.tensorcore.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// A [WordPermutation] by fours: four vectors take all their words from the same four blocks, as
/// sixteen rows of four columns do from the registers of accumulators. Two permutations of two
/// blocks each, and two joints of halves, make two of them.
///
/// @param order   what comes first
/// @param picks   which of 32 words the two permutations take
/// @param squares the fours
record Squares(Order order, List<Integer> picks, List<Square> squares) {
    private static final int SIDE = WordPermutation.BLOCKS;
    private static final int HALF = Lanes.COUNT / 2;
    private static final int NONE = -1;

    /// What comes first.
    enum Order {
        /// Two blocks become the halves of two vectors, which are then joined with those of the
        /// other two: columns of rows.
        PERMUTE,
        /// Halves of two blocks are joined, and two such vectors permuted: rows of columns.
        JOIN
    }

    /// @param blocks where the words come from
    /// @param vectors the numbers of those that they make
    record Square(List<Integer> blocks, List<Integer> vectors) {}

    /// The same permutation by fours, if it is one.
    static Optional<Squares> of(WordPermutation permutation, int vectors) {
        Map<List<Integer>, List<Integer>> users = new LinkedHashMap<>();
        for (int vector = 0; vector < vectors; vector++) {
            int user = vector;
            List<Integer> blocks =
                    IntStream.range(0, SIDE).mapToObj(i -> permutation.block(user, i)).toList();
            users.computeIfAbsent(blocks, _ -> new ArrayList<>()).add(vector);
        }
        List<Square> squares = new ArrayList<>();
        users.forEach((blocks, all) -> squares.add(new Square(blocks, all)));
        boolean whole =
                squares.stream()
                        .allMatch(
                                each ->
                                        each.vectors.size() == SIDE
                                                && each.blocks.stream().distinct().count() == SIDE);
        return whole
                ? Arrays.stream(Order.values())
                        .flatMap(order -> picks(permutation, squares, order).stream())
                        .findFirst()
                : Optional.empty();
    }

    private static Optional<Squares> picks(
            WordPermutation permutation, List<Square> squares, Order order) {
        List<List<Integer>> all =
                squares.stream()
                        .map(square -> picks(permutation.picks(), square.vectors, order))
                        .distinct()
                        .toList();
        return all.size() == 1 && !all.getFirst().contains(NONE)
                ? Optional.of(new Squares(order, all.getFirst(), squares))
                : Optional.empty();
    }

    /// The picks of both permutations, [#NONE] where others would be needed.
    private static List<Integer> picks(int[] of, List<Integer> vectors, Order order) {
        int[] picks = new int[2 * Lanes.COUNT];
        for (int at = 0; at < picks.length; at++) {
            int lane = at % (order == Order.PERMUTE ? HALF : Lanes.COUNT);
            int first = order == Order.PERMUTE ? at / HALF : at / Lanes.COUNT;
            int second = order == Order.PERMUTE ? first : first + 2;
            int other = order == Order.PERMUTE ? lane + HALF : lane;
            int one = pick(of[vectors.get(first) * Lanes.COUNT + lane], order, 0);
            int two = pick(of[vectors.get(second) * Lanes.COUNT + other], order, 1);
            picks[at] = one == two ? one : NONE;
        }
        return Arrays.stream(picks).boxed().toList();
    }

    /// Which of the words of two vectors a pick is: of the first or last two blocks, or of the
    /// lower or upper halves of all four.
    private static int pick(int pick, Order order, int part) {
        int block = pick / Lanes.COUNT;
        int word = pick % Lanes.COUNT;
        return switch (order) {
            case PERMUTE -> block / 2 == part ? block % 2 * Lanes.COUNT + word : NONE - 1 - part;
            case JOIN -> word / HALF == part ? block * HALF + word % HALF : NONE - 1 - part;
        };
    }
}
