package dev.heddle.sparse;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Searches an order of the columns in which a pattern of rows keeps more: columns that are large
/// in the same rows go to different groups.
///
/// The search exchanges pairs of columns as long as that keeps more (Pool and Yu, Channel
/// Permutations for N:M Sparsity, NeurIPS 2021), from the given order and from some shuffled ones,
/// within a number of trials. Where there are more pairs than trials, the pairs are drawn at
/// random. It finds a local optimum.
///
/// @param pattern what is kept
/// @param trials  exchanges that are tried at most
/// @param seed    of the shuffled orders
public record ChannelPermutation(Pattern.Elements pattern, long trials, long seed) {

    private static final Pattern.Elements TWO_OF_FOUR = new Pattern.Elements(2, 4, 1);

    /// An order of columns and what it keeps.
    ///
    /// @param columns the column of the matrix that comes first, second, …
    /// @param kept    the sum of the magnitudes that stay
    /// @param plain   that sum in the order of the matrix
    public record Order(List<Integer> columns, double kept, double plain) {
        public Order {
            columns = List.copyOf(columns);
        }
    }

    /// Searches.
    ///
    /// @param magnitudes magnitudes, or scores, row by row; none is negative or NaN
    /// @param columns    columns of a row
    public Order search(float[] magnitudes, int columns) {
        Scores scores = Scores.of(pattern, magnitudes, columns);
        int[] plain = new int[columns];
        Arrays.setAll(plain, i -> i);
        double before = scores.total(plain);
        Random random = new Random(seed);
        long left = trials;
        int[] best = plain;
        double most = before;
        int[] start = plain;
        while (left > 0) {
            int[] order = start.clone();
            left = improve(scores, order, left, random);
            double kept = scores.total(order);
            if (kept > most) {
                most = kept;
                best = order;
            }
            start = shuffled(plain, random);
        }
        return new Order(Arrays.stream(best).boxed().toList(), most, before);
    }

    private static int[] shuffled(int[] order, Random random) {
        int[] shuffled = order.clone();
        for (int i = shuffled.length - 1; i > 0; i--) {
            swap(shuffled, i, random.nextInt(i + 1));
        }
        return shuffled;
    }

    private static void swap(int[] order, int i, int j) {
        int moved = order[i];
        order[i] = order[j];
        order[j] = moved;
    }

    /// Exchanges pairs of columns while that keeps more: all pairs in turn until none does, or,
    /// where there are too many, pairs at random.
    ///
    /// @return trials left
    private long improve(Scores scores, int[] order, long trials, Random random) {
        int width = pattern.width();
        double[] sums = new double[order.length / width];
        Arrays.setAll(sums, group -> scores.kept(order, group));
        long left = trials;
        if ((long) order.length * order.length / 2 > trials) {
            for (; left > 0; left--) {
                int i = random.nextInt(order.length);
                int j = random.nextInt(order.length);
                if (i / width != j / width) {
                    exchange(scores, order, sums, i, j);
                }
            }
            return 0;
        }
        boolean better = true;
        while (better && left > 0) {
            better = false;
            for (int i = 0; i < order.length && left > 0; i++) {
                for (int j = (i / width + 1) * width; j < order.length && left > 0; j++) {
                    left--;
                    better |= exchange(scores, order, sums, i, j);
                }
            }
        }
        return left;
    }

    /// Exchanges two columns if that keeps more.
    ///
    /// @param sums what each group keeps
    private boolean exchange(Scores scores, int[] order, double[] sums, int i, int j) {
        int one = i / pattern.width();
        int other = j / pattern.width();
        swap(order, i, j);
        double ofOne = scores.kept(order, one);
        double ofOther = scores.kept(order, other);
        if (ofOne + ofOther > (sums[one] + sums[other]) * (1 + 1e-9)) {
            sums[one] = ofOne;
            sums[other] = ofOther;
            return true;
        }
        swap(order, i, j);
        return false;
    }

    /// What the elements are worth, column by column.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Scores(Pattern.Elements pattern, float[] byColumn, int rows) {
        static Scores of(Pattern.Elements pattern, float[] byRow, int columns) {
            int rows = byRow.length / columns;
            float[] byColumn = new float[byRow.length];
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    byColumn[column * rows + row] = byRow[row * columns + column];
                }
            }
            return new Scores(pattern, byColumn, rows);
        }

        double total(int[] order) {
            double total = 0;
            for (int group = 0; group < order.length / pattern.width(); group++) {
                total += kept(order, group);
            }
            return total;
        }

        /// What a group of columns keeps over all rows.
        double kept(int[] order, int group) {
            int first = group * pattern.width();
            return pattern.equals(TWO_OF_FOUR)
                    ? keptOfFour(order, first)
                    : keptOfMany(order, first);
        }

        private double keptOfFour(int[] order, int first) {
            int one = order[first] * rows;
            int two = order[first + 1] * rows;
            int three = order[first + 2] * rows;
            int four = order[first + 3] * rows;
            double sum = 0;
            for (int row = 0; row < rows; row++) {
                float a = byColumn[one + row];
                float b = byColumn[two + row];
                float c = byColumn[three + row];
                float d = byColumn[four + row];
                // The two largest are in different halves, or in one
                float across = Math.max(a, b) + Math.max(c, d);
                sum += Math.max(across, Math.max(a + b, c + d));
            }
            return sum;
        }

        private double keptOfMany(int[] order, int first) {
            float[] units = new float[pattern.width() / pattern.unit()];
            double sum = 0;
            for (int row = 0; row < rows; row++) {
                Arrays.fill(units, 0);
                for (int i = 0; i < pattern.width(); i++) {
                    units[i / pattern.unit()] += byColumn[order[first + i] * rows + row];
                }
                Arrays.sort(units);
                for (int i = units.length - pattern.kept() / pattern.unit();
                        i < units.length;
                        i++) {
                    sum += units[i];
                }
            }
            return sum;
        }
    }
}
