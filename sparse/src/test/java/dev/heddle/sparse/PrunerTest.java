package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

@DisplayName("Pruning to a pattern")
final class PrunerTest {
    private static final StorageFormat DENSE = StorageFormats.named("dense");

    private static StoredMatrix matrix(int rows, int columns, double... values) {
        Codes codes = Codes.zeros(FloatFormat.F32, (long) rows * columns);
        for (int i = 0; i < values.length; i++) {
            codes.set(i, Float.floatToRawIntBits((float) values[i]));
        }
        return StoredMatrix.of(
                DENSE,
                new MatrixType(rows, columns, FloatFormat.F32),
                MemorySegment.ofArray(codes.bytes()));
    }

    private static StoredMatrix random(int rows, int columns, long seed) {
        Random random = new Random(seed);
        return matrix(rows, columns, random.doubles((long) rows * columns, -1, 1).toArray());
    }

    private static double[] values(StoredMatrix matrix) {
        Magnitudes values = new Magnitudes(matrix);
        double[] all = new double[matrix.type().rows() * matrix.type().columns()];
        for (int row = 0; row < matrix.type().rows(); row++) {
            Codes codes = values.row(row);
            for (int column = 0; column < codes.length(); column++) {
                all[row * matrix.type().columns() + column] = codes.toDouble(column);
            }
        }
        return all;
    }

    private static PruneReport prune(String pattern, StoredMatrix matrix, StoredMatrix... scores) {
        return new Pruner(Pattern.parse(pattern), Arrays.stream(scores).findFirst())
                .prune(matrix, matrix);
    }

    @Test
    void theLargestMagnitudesStayAndOfEqualOnesTheFirst() {
        StoredMatrix a = matrix(1, 8, 1, -3, 2, 0.5, 4, 4, -4, 4);

        PruneReport report = prune("2:4", a);

        assertThat(values(a)).containsExactly(0, -3, 2, 0, 4, 4, 0, 0);
        assertThat(report.kept()).isEqualTo(4);
        assertThat(report.nonzero()).isEqualTo(8);
        assertThat(report.normKept()).isCloseTo(Math.sqrt(45 / 78.25), within(1e-12));
    }

    @Test
    void scoresDecideWhereTheyAreGiven() {
        StoredMatrix a = matrix(1, 4, 1, 2, 3, 4);

        prune("2:4", a, matrix(1, 4, 9, 8, 1, 2));

        assertThat(values(a)).containsExactly(1, 2, 0, 0);
    }

    @Test
    void nanCountsAboveInfinity() {
        StoredMatrix a = matrix(1, 2, Double.POSITIVE_INFINITY, Double.NaN);

        prune("1:2", a);

        assertThat(values(a)[0]).isZero();
        assertThat(values(a)[1]).isNaN();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2:4", "1:2", "4:8p", "1:4", "3:8", "2:4t", "8:2:8", "4:2:16"})
    void whatIsPrunedConforms(String text) {
        Pattern pattern = Pattern.parse(text);
        StoredMatrix a = random(19, 48, 5);

        prune(text, a);

        boolean[] set = new boolean[24 * 48];
        double[] values = values(a);
        for (int i = 0; i < values.length; i++) {
            set[i] = values[i] != 0;
        }
        for (int row = 0; row + pattern.rows() <= 24; row += pattern.rows()) {
            assertThat(
                            pattern.allows(
                                    Arrays.copyOfRange(set, row * 48, (row + pattern.rows()) * 48),
                                    48))
                    .as("rows from %d", row)
                    .isTrue();
        }
        assertThat(pattern.toString()).isEqualTo(text);
    }

    @Test
    void aTransposableMaskIsTheBestOfAllMasksOfATile() {
        for (int seed = 0; seed < 50; seed++) {
            double[] before = values(random(4, 4, seed));
            StoredMatrix a = matrix(4, 4, before);

            prune("2:4t", a);

            double kept = Arrays.stream(values(a)).map(Math::abs).sum();
            assertThat(kept).isCloseTo(bestOfAllMasks(before), within(1e-5));
        }
    }

    /// Over all 65,536 masks of a tile.
    private static double bestOfAllMasks(double[] tile) {
        double best = 0;
        for (int mask = 0; mask < 1 << 16; mask++) {
            boolean allowed = true;
            for (int line = 0; line < 4; line++) {
                int row = mask >> 4 * line & 0xf;
                int column = mask >> line & 0x1111;
                allowed &= Integer.bitCount(row) <= 2 && Integer.bitCount(column) <= 2;
            }
            if (allowed) {
                double sum = 0;
                for (int cell = 0; cell < 16; cell++) {
                    sum += (mask >> cell & 1) * Math.abs(tile[cell]);
                }
                best = Math.max(best, sum);
            }
        }
        return best;
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> prune("2:4", random(2, 6, 1)))
                .hasMessageContaining("columns in multiples of 4");
        assertThatThrownBy(() -> prune("2:4", random(2, 8, 1), random(2, 4, 1)))
                .hasMessageContaining("expected a dense 2 x 8 matrix");
        for (String text : List.of("", "2", "5:4", "0:4", "2:4x", "3:8t", "1:2:3", "4:8:16p")) {
            assertThatThrownBy(() -> Pattern.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pattern");
        }
    }
}
