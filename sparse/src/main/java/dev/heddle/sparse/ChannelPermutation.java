package dev.heddle.sparse;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Searches an order of the columns in which a pattern of rows keeps more: columns that are large
/// in the same rows go to different groups.
///
/// The search exchanges pairs of columns as long as that keeps more (Pool and Yu, Channel
/// Permutations for N:M Sparsity, NeurIPS 2021), from the given order and from some shuffled ones,
/// within a number of trials. It finds a local optimum.
///
/// @param pattern what is kept
/// @param trials  exchanges that are tried at most
/// @param seed    of the shuffled orders
public record ChannelPermutation(Pattern.Elements pattern, long trials, long seed) {

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
    /// @param magnitudes row by row
    /// @param columns    columns of a row
    public Order search(float[] magnitudes, int columns) {
        float[] byColumn = transposed(magnitudes, columns);
        int rows = magnitudes.length / columns;
        int[] plain = new int[columns];
        Arrays.setAll(plain, i -> i);
        double before = total(byColumn, rows, plain);
        Random random = new Random(seed);
        long left = trials;
        int[] best = plain;
        double most = before;
        int[] start = plain;
        while (left > 0) {
            int[] order = start.clone();
            left = improve(byColumn, rows, order, left);
            double kept = total(byColumn, rows, order);
            if (kept > most) {
                most = kept;
                best = order;
            }
            start = shuffled(plain, random);
        }
        return new Order(Arrays.stream(best).boxed().toList(), most, before);
    }

    private static float[] transposed(float[] magnitudes, int columns) {
        int rows = magnitudes.length / columns;
        float[] byColumn = new float[magnitudes.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                byColumn[column * rows + row] = magnitudes[row * columns + column];
            }
        }
        return byColumn;
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

    /// Exchanges until none keeps more.
    ///
    /// @return trials left
    private long improve(float[] byColumn, int rows, int[] order, long trials) {
        int width = pattern.width();
        double[] sums = new double[order.length / width];
        Arrays.setAll(sums, group -> kept(byColumn, rows, order, group));
        long left = trials;
        boolean better = true;
        while (better && left > 0) {
            better = false;
            for (int i = 0; i < order.length && left > 0; i++) {
                for (int j = (i / width + 1) * width; j < order.length && left > 0; j++) {
                    left--;
                    swap(order, i, j);
                    double one = kept(byColumn, rows, order, i / width);
                    double other = kept(byColumn, rows, order, j / width);
                    if (one + other > (sums[i / width] + sums[j / width]) * (1 + 1e-9)) {
                        sums[i / width] = one;
                        sums[j / width] = other;
                        better = true;
                    } else {
                        swap(order, i, j);
                    }
                }
            }
        }
        return left;
    }

    private double total(float[] byColumn, int rows, int[] order) {
        double total = 0;
        for (int group = 0; group < order.length / pattern.width(); group++) {
            total += kept(byColumn, rows, order, group);
        }
        return total;
    }

    private double kept(float[] byColumn, int rows, int[] order, int group) {
        int width = pattern.width();
        float[] scores = new float[width];
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < width; i++) {
                scores[i] = byColumn[order[group * width + i] * rows + row];
            }
            Arrays.sort(scores);
            for (int i = width - pattern.kept(); i < width; i++) {
                sum += scores[i];
            }
        }
        return sum;
    }
}
