package dev.heddle.sparse;

import dev.heddle.formats.InputException;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

/// Which elements of a matrix may be other than zero together.
///
/// A pattern chooses within blocks of rows by scores, the largest first, of equal ones the first.
public sealed interface Pattern {

    /// Rows that are chosen in together.
    int rows();

    /// What the number of columns must be a multiple of.
    int columns();

    /// Chooses what stays of a block of rows.
    ///
    /// @param scores  row by row, [#rows] rows; none is negative or NaN
    /// @param columns columns of a row
    /// @param keep    set where an element stays
    void choose(float[] scores, int columns, boolean[] keep);

    /// Whether what is set of a block of rows fits the pattern.
    boolean allows(boolean[] set, int columns);

    /// N of M adjacent units of a row stay: `2:4`, `1:2`, `4:8` by pairs as 4-bit instructions have
    /// it, any N:M.
    ///
    /// @param kept  elements that stay
    /// @param width elements of a group
    /// @param unit  adjacent elements that stay or go together
    record Elements(int kept, int width, int unit) implements Pattern {
        /// @throws InputException if there is no such pattern
        public Elements {
            if (kept < 1 || kept > width || width > 1024) {
                throw new InputException(
                        "pattern %d:%d: expected N from 1 to M, and M of at most 1024"
                                .formatted(kept, width));
            }
            if (kept % unit != 0 || width % unit != 0) {
                throw new InputException(
                        "pattern %d:%dp: expected even numbers, as pairs stay or go together"
                                .formatted(kept, width));
            }
        }

        @Override
        public int rows() {
            return 1;
        }

        @Override
        public int columns() {
            return width;
        }

        @Override
        public void choose(float[] scores, int columns, boolean[] keep) {
            int[] worth = new int[columns / unit];
            for (int i = 0; i < worth.length; i++) {
                float sum = 0;
                for (int column = i * unit; column < (i + 1) * unit; column++) {
                    sum += scores[column];
                }
                // Of numbers that are not negative the bits have the order of the values
                worth[i] = Float.floatToRawIntBits(sum);
            }
            int group = width / unit;
            int chosen = kept / unit;
            for (int first = 0; first < worth.length; first += group) {
                for (int i = first; i < first + group; i++) {
                    boolean stays = rank(worth, first, i, group) < chosen;
                    for (int column = i * unit; column < (i + 1) * unit; column++) {
                        keep[column] = stays;
                    }
                }
            }
        }

        @Override
        public boolean allows(boolean[] set, int columns) {
            for (int group = 0; group < columns; group += width) {
                int units = 0;
                for (int first = group; first < group + width; first += unit) {
                    boolean any = false;
                    for (int i = 0; i < unit; i++) {
                        any |= set[first + i];
                    }
                    units += any ? 1 : 0;
                }
                if (units > kept / unit) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return kept + ":" + width + (unit == 1 ? "" : "p");
        }
    }

    /// V:N:M of VENOM: in each block of V rows and M columns four columns stay, and in every row N
    /// of those four.
    ///
    /// Castro et al., VENOM: A Vectorized N:M Format, SC 2023.
    ///
    /// @param height rows of a block, V
    /// @param kept   elements that stay of a row of a block, N
    /// @param width  columns of a block, M
    record Venom(int height, int kept, int width) implements Pattern {
        private static final int CHOSEN = 4;

        /// @throws InputException if there is no such pattern
        public Venom {
            if (height < 1
                    || height > 4096
                    || kept < 1
                    || kept > CHOSEN
                    || width < CHOSEN
                    || width > 1024) {
                throw new InputException(
                        "pattern %d:%d:%d: expected V of at most 4096, N of at most 4, M from 4 to 1024"
                                .formatted(height, kept, width));
            }
        }

        @Override
        public int rows() {
            return height;
        }

        @Override
        public int columns() {
            return width;
        }

        @Override
        public void choose(float[] scores, int columns, boolean[] keep) {
            for (int block = 0; block < columns; block += width) {
                float[] sums = new float[width];
                for (int row = 0; row < height; row++) {
                    for (int i = 0; i < width; i++) {
                        sums[i] += scores[row * columns + block + i];
                    }
                }
                boolean[] chosen = new boolean[width];
                new Elements(CHOSEN, width, 1).choose(sums, width, chosen);
                for (int row = 0; row < height; row++) {
                    chooseRow(scores, row * columns + block, chosen, keep);
                }
            }
        }

        private void chooseRow(float[] scores, int first, boolean[] chosen, boolean[] keep) {
            int[] worth = new int[CHOSEN];
            int[] column = new int[CHOSEN];
            int count = 0;
            for (int i = 0; i < width; i++) {
                if (chosen[i]) {
                    column[count] = first + i;
                    worth[count++] = Float.floatToRawIntBits(scores[first + i]);
                }
            }
            for (int i = 0; i < CHOSEN; i++) {
                keep[column[i]] = rank(worth, 0, i, CHOSEN) < kept;
            }
        }

        @Override
        public boolean allows(boolean[] set, int columns) {
            for (int block = 0; block < columns; block += width) {
                boolean[] used = new boolean[width];
                for (int row = 0; row < height; row++) {
                    int count = 0;
                    for (int i = 0; i < width; i++) {
                        boolean here = set[row * columns + block + i];
                        used[i] |= here;
                        count += here ? 1 : 0;
                    }
                    if (count > kept) {
                        return false;
                    }
                }
                int columnsUsed = 0;
                for (boolean column : used) {
                    columnsUsed += column ? 1 : 0;
                }
                if (columnsUsed > CHOSEN) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return height + ":" + kept + ":" + width;
        }
    }

    /// 2:4 along rows and along columns: the matrix and its transpose conform. The choice is
    /// optimal: of the 90 masks of a 4 x 4 tile with two in every row and column the one with the
    /// largest sum.
    record Transposable() implements Pattern {
        private static final int SIDE = 4;
        private static final int[] PAIRS = {0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100};
        private static final int[][] TILES = tiles();

        private static int[][] tiles() {
            List<int[]> tiles = new ArrayList<>();
            for (int index = 0; index < 6 * 6 * 6 * 6; index++) {
                int[] tile = {
                    PAIRS[index % 6],
                    PAIRS[index / 6 % 6],
                    PAIRS[index / 36 % 6],
                    PAIRS[index / 216]
                };
                if (balanced(tile)) {
                    tiles.add(tile);
                }
            }
            return tiles.toArray(int[][]::new);
        }

        private static boolean balanced(int[] tile) {
            for (int column = 0; column < SIDE; column++) {
                int count = 0;
                for (int row : tile) {
                    count += row >> column & 1;
                }
                if (count != 2) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int rows() {
            return SIDE;
        }

        @Override
        public int columns() {
            return SIDE;
        }

        @Override
        public void choose(float[] scores, int columns, boolean[] keep) {
            double[][] sums = new double[SIDE][1 << SIDE];
            for (int first = 0; first < columns; first += SIDE) {
                for (int row = 0; row < SIDE; row++) {
                    for (int pair : PAIRS) {
                        int at = row * columns + first;
                        int one = Integer.numberOfTrailingZeros(pair);
                        int other = Integer.numberOfTrailingZeros(pair & pair - 1);
                        sums[row][pair] = (double) scores[at + one] + scores[at + other];
                    }
                }
                int[] best = best(sums);
                for (int cell = 0; cell < SIDE * SIDE; cell++) {
                    keep[cell / SIDE * columns + first + cell % SIDE] =
                            (best[cell / SIDE] >> cell % SIDE & 1) != 0;
                }
            }
        }

        /// The tile with the largest sum, of those with equal ones the first.
        ///
        /// @param sums of each row, by the two columns that stay
        private static int[] best(double[][] sums) {
            int[] best = TILES[0];
            double most = -1;
            for (int[] tile : TILES) {
                double sum =
                        sums[0][tile[0]] + sums[1][tile[1]] + sums[2][tile[2]] + sums[3][tile[3]];
                if (sum > most) {
                    most = sum;
                    best = tile;
                }
            }
            return best;
        }

        @Override
        public boolean allows(boolean[] set, int columns) {
            for (int first = 0; first < columns; first += SIDE) {
                for (int line = 0; line < SIDE; line++) {
                    int along = 0;
                    int down = 0;
                    for (int i = 0; i < SIDE; i++) {
                        along += set[line * columns + first + i] ? 1 : 0;
                        down += set[i * columns + first + line] ? 1 : 0;
                    }
                    if (along > 2 || down > 2) {
                        return false;
                    }
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return "2:4t";
        }
    }

    /// How many of a group come before one of its members: the larger, and of equal ones the first.
    ///
    /// @param worth not negative
    /// @param first the first member of the group
    private static int rank(int[] worth, int first, int member, int size) {
        int rank = 0;
        for (int other = first; other < member; other++) {
            rank += worth[member] - worth[other] - 1 >>> 31;
        }
        for (int other = member + 1; other < first + size; other++) {
            rank += worth[member] - worth[other] >>> 31;
        }
        return rank;
    }

    /// The pattern of a text: `2:4`, `4:8p` by pairs, `2:4t` transposable, `64:2:8` of VENOM.
    ///
    /// @throws InputException if there is none
    static Pattern parse(String text) {
        Matcher fields =
                java.util.regex.Pattern.compile("(?:(\\d{1,4}):)?(\\d{1,4}):(\\d{1,4})([pt])?")
                        .matcher(text);
        boolean known = fields.matches();
        if (!known
                || fields.group(1) != null && fields.group(4) != null
                || "t".equals(fields.group(4)) && !text.equals("2:4t")) {
            throw new InputException(
                    "pattern \"%s\": expected N:M as 2:4, by pairs as 4:8p, 2:4t, or V:N:M as 64:2:8"
                            .formatted(text));
        }
        int kept = Integer.parseInt(fields.group(2));
        int width = Integer.parseInt(fields.group(3));
        if (fields.group(1) != null) {
            return new Venom(Integer.parseInt(fields.group(1)), kept, width);
        }
        return "t".equals(fields.group(4))
                ? new Transposable()
                : new Elements(kept, width, "p".equals(fields.group(4)) ? 2 : 1);
    }
}
