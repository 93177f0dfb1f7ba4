package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// The optimum comes from trying every way to deal the columns into groups: for each set of
/// columns, every group with its first one and the best of what is left.
///
/// `-Dheddle.permutations=N` tries N matrices of each kind and prints how far off the search is.
@DisplayName("An order of columns against the exhaustive optimum")
final class ChannelPermutationTest {
    private static final int TRIALS = 20_000;

    @ParameterizedTest
    @CsvSource({
        "2:4, 8, 16, 0.9999",
        "2:4, 12, 16, 0.9999",
        "2:4, 16, 16, 0.995",
        "2:4, 16, 64, 0.995",
        "1:4, 12, 16, 0.995",
        "4:8p, 16, 16, 0.995"
    })
    void theSearchComesNearTheOptimum(String text, int columns, int rows, double bound) {
        Pattern.Elements pattern = (Pattern.Elements) Pattern.parse(text);
        int matrices = Integer.getInteger("heddle.permutations", 3);
        double worst = 1;
        double sum = 0;
        double plain = 0;
        for (int seed = 0; seed < matrices; seed++) {
            float[] magnitudes = normal(rows * columns, seed);
            ChannelPermutation.Order found =
                    new ChannelPermutation(pattern, TRIALS, 1).search(magnitudes, columns);
            double best = best(pattern, magnitudes, columns);

            assertThat(found.columns())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, columns).boxed().toList());
            assertThat(found.kept()).isLessThanOrEqualTo(best * (1 + 1e-6));
            worst = Math.min(worst, found.kept() / best);
            sum += found.kept() / best;
            plain += found.plain() / best;
        }
        if (matrices > 3) {
            System.out.printf(
                    "%s %d x %d: of the optimum %.5f at worst, %.5f on average, %.5f unpermuted%n",
                    text, rows, columns, worst, sum / matrices, plain / matrices);
        }
        assertThat(worst).isGreaterThanOrEqualTo(bound);
    }

    private static float[] normal(int length, long seed) {
        Random random = new Random(seed);
        float[] magnitudes = new float[length];
        for (int i = 0; i < length; i++) {
            magnitudes[i] = (float) Math.abs(random.nextGaussian());
        }
        return magnitudes;
    }

    private static double best(Pattern.Elements pattern, float[] magnitudes, int columns) {
        double[] best = new double[1 << columns];
        Arrays.fill(best, Double.NEGATIVE_INFINITY);
        best[0] = 0;
        double[] kept = new double[1 << columns];
        List<Integer> groups = new ArrayList<>();
        for (int set = 0; set < 1 << columns; set++) {
            if (Integer.bitCount(set) == pattern.width()) {
                kept[set] = bestOfGroup(pattern, magnitudes, columns, set);
                groups.add(set);
            }
        }
        for (int set = 1; set < 1 << columns; set++) {
            if (Integer.bitCount(set) % pattern.width() == 0) {
                for (int group : groups) {
                    if ((group & ~set) == 0 && (group & Integer.lowestOneBit(set)) != 0) {
                        best[set] = Math.max(best[set], kept[group] + best[set & ~group]);
                    }
                }
            }
        }
        return best[best.length - 1];
    }

    /// What a group keeps; by pairs, in the best way to pair its columns.
    private static double bestOfGroup(
            Pattern.Elements pattern, float[] magnitudes, int columns, int set) {
        List<Integer> members =
                IntStream.range(0, columns).filter(i -> (set >> i & 1) != 0).boxed().toList();
        return pattern.unit() == 1
                ? kept(pattern, magnitudes, columns, members)
                : bestPairing(pattern, magnitudes, columns, List.of(), members);
    }

    private static double bestPairing(
            Pattern.Elements pattern,
            float[] magnitudes,
            int columns,
            List<Integer> paired,
            List<Integer> left) {
        if (left.isEmpty()) {
            return kept(pattern, magnitudes, columns, paired);
        }
        double best = 0;
        for (int partner = 1; partner < left.size(); partner++) {
            List<Integer> more = new ArrayList<>(paired);
            more.add(left.get(0));
            more.add(left.get(partner));
            List<Integer> rest = new ArrayList<>(left.subList(1, partner));
            rest.addAll(left.subList(partner + 1, left.size()));
            best = Math.max(best, bestPairing(pattern, magnitudes, columns, more, rest));
        }
        return best;
    }

    private static double kept(
            Pattern.Elements pattern, float[] magnitudes, int columns, List<Integer> members) {
        double sum = 0;
        for (int row = 0; row < magnitudes.length / columns; row++) {
            double[] units = new double[members.size() / pattern.unit()];
            for (int i = 0; i < members.size(); i++) {
                units[i / pattern.unit()] += magnitudes[row * columns + members.get(i)];
            }
            Arrays.sort(units);
            for (int i = 1; i <= pattern.kept() / pattern.unit(); i++) {
                sum += units[units.length - i];
            }
        }
        return sum;
    }

    @Test
    void ofManyColumnsMoreIsKeptThanInTheirOrder() {
        float[] magnitudes = normal(32 * 512, 7);

        ChannelPermutation.Order found =
                new ChannelPermutation(new Pattern.Elements(2, 4, 1), TRIALS, 1)
                        .search(magnitudes, 512);

        assertThat(found.columns()).doesNotHaveDuplicates().hasSize(512);
        assertThat(found.kept() / found.plain()).isGreaterThan(1.02);
    }
}
